/** `LOCATION.dp.kubernetesconfiguration.azure.com`: the chart that installs the Arc agents. */
import { normalLocation, regionsOffering } from "../../arm/locations.js";
import { keyOf } from "../../arm/resource-id.js";
import { connectedClusterType } from "../../arm/types/kubernetes/connected-clusters.js";
import { ApiError, type Service, notImplemented } from "../../core/service.js";

const suffix = ".dp.kubernetesconfiguration.azure.com";
const apiVersion = "2019-11-01-preview";

const charts: Readonly<Record<string, string>> = {
  stable: "mcr.microsoft.com/azurearck8s/batch1/stable/azure-arc-k8sagents:1.31.4",
  preview: "mcr.microsoft.com/azurearck8s/batch1/preview/azure-arc-k8sagents:1.32.1",
};

export const arcChartService: Service = {
  hosts: (host) => host.endsWith(suffix),
  handle({ request: { method, host, path, query }, state, sample }) {
    const region = normalLocation(host.slice(0, -suffix.length));
    if (!regionsOffering(state, connectedClusterType).includes(region)) {
      throw new ApiError(502, "HostNotResolved", `The host name '${host}' cannot be resolved: Arc is not offered in '${region}'.`);
    }
    if (method !== "POST" || keyOf(path.join("/")) !== "azure-arc-k8sagents/getlatesthelmpackagepath") {
      throw notImplemented(`${method} https://${host}/${path.join("/")} is not emulated.`);
    }
    if (query.get("api-version") !== apiVersion) throw new ApiError(400, "BadRequest", `The api-version must be '${apiVersion}'.`);
    const train = query.get("releaseTrain") ?? "stable";
    const repositoryPath = charts[keyOf(train)];
    if (repositoryPath === undefined) throw new ApiError(400, "BadRequest", `There is no release train '${train}'.`);
    return { status: 200, body: { repositoryPath }, takes: sample("read") };
  },
};
