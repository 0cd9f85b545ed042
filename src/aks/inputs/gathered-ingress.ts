/** What `render ingress` takes from the output file of create service-cluster, and from the settings that override it. */
import { hostnameOf } from "../domain/ingress-records.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { Failure, type Problem } from "../../errors/failure.js";
import { readAksCluster, type AksClusterInput } from "../../files/aks-cluster-output.js";
import type { Backend, IngressFacts, MountedCertificate, Route } from "../manifests/ingress-facts.js";
import { parseBackend } from "../manifests/ingress-gateways.js";
import { isExplicit } from "../../settings/resolve.js";
import type { Resolved, SettingKey, Settings } from "../../settings/settings.js";
import { validClusterOptions } from "./aks-recorded-options.js";

type Command = "render ingress";

/**
 * The facts for the manifests.
 * @throws ARO-FILE-001 to 003, ARO-USAGE-001 with every missing or invalid value
 */
export async function ingressFacts(resolved: Resolved<Command>): Promise<IngressFacts> {
  const { serviceClusterFile: path } = resolved.settings;
  const { input, at } = await readAksCluster(path, "service-cluster");
  const settings = withOptions(resolved, await validClusterOptions("service-cluster", input.options, path));
  const problems: Problem[] = [];
  const address = addressIn(input, "ingress");
  const opsAddress = addressIn(input, "ops");
  if (address === undefined)
    problems.push({ origin: at(["ingressAddresses"]), message: "has no address of the ingress: create service-cluster did not finish" });
  const { routes, opsRoutes } = routesOf(settings, problems);
  if (opsAddress !== undefined && opsRoutes.length === 0)
    problems.push({
      origin: "--ops-host",
      message: "is required: the operators' ingress has an address of its own, and a gateway needs a hostname",
    });
  const certificate = certificateOf(settings, input);
  if (settings.certificateVaultId !== undefined && certificate === undefined)
    problems.push({
      origin: at(["keyVaultAddOn"]),
      message: "has no identity of the Key Vault add-on: create service-cluster did not finish",
    });
  if (problems.length > 0 || address === undefined) throw new Failure("ARO-USAGE-001", "the ingress cannot be rendered", { problems });
  return { address, opsAddress, routes, opsRoutes, certificate };
}

/** The settings that the cluster was created with, unless they are set. */
function withOptions({ settings, origins }: Resolved<Command>, options: AksClusterInput["options"]): Settings<Command> {
  const recorded = Object.entries(options ?? {}).filter(([key]) => key in settings && !isExplicit(origins[key as SettingKey]));
  return { ...settings, ...Object.fromEntries(recorded) };
}

function addressIn({ ingressAddresses }: AksClusterInput, purpose: "ingress" | "ops"): IngressFacts["opsAddress"] {
  const found = ingressAddresses.find((one) => one.purpose === purpose);
  if (found === undefined) return undefined;
  const { name, resourceGroup: group = "" } = parseResourceId(found.id);
  return { name, group };
}

function routesOf(
  settings: Settings<Command>,
  problems: Problem[],
): { readonly routes: readonly Route[]; readonly opsRoutes: readonly Route[] } {
  const { regionalZone, ingressHost, opsHost, ingressBackend, opsBackend } = settings;
  if (regionalZone === undefined) {
    problems.push({ origin: "--regional-zone", message: "is required: the file has no zone for the hostnames" });
    return { routes: [], opsRoutes: [] };
  }
  const routeOf = (flag: string, host: string, text: string | undefined): Route[] => {
    const backend = backendOf(flag, host, text, problems);
    return backend === undefined ? [] : [{ hostname: hostnameOf(host, regionalZone), backend }];
  };
  const unknown = Object.keys(opsBackend).filter((host) => !opsHost.includes(host));
  for (const host of unknown) problems.push({ origin: "--ops-backend", message: `"${host}" is not one of --ops-host` });
  return {
    routes: routeOf("--ingress-backend", ingressHost, ingressBackend),
    opsRoutes: opsHost.filter((host) => host !== ingressHost).flatMap((host) => routeOf("--ops-backend", host, opsBackend[host])),
  };
}

function backendOf(flag: string, host: string, text: string | undefined, problems: Problem[]): Backend | undefined {
  const form = "expected service.namespace:port, such as aro-hcp-frontend.aro-hcp:8443";
  const backend = text === undefined ? undefined : parseBackend(text);
  if (text === undefined) problems.push({ origin: flag, message: `has no Service for "${host}": add ${host}=service.namespace:port` });
  else if (backend === undefined) problems.push({ origin: flag, message: `"${text}" is not a Kubernetes Service: ${form}` });
  return backend;
}

function certificateOf(
  { certificateVaultId, certificateName: name }: Settings<Command>,
  input: AksClusterInput,
): MountedCertificate | undefined {
  if (certificateVaultId === undefined || input.keyVaultAddOn === null) return undefined;
  return {
    vaultName: parseResourceId(certificateVaultId).name,
    name,
    tenantId: input.tenantID,
    readerClientId: input.keyVaultAddOn.clientID,
  };
}
