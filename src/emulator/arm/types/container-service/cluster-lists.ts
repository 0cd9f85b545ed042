/** What an AKS cluster lists beside its resources: its machines, its private link, and the endpoints that it needs. */
import { ofResource, type Endpoint, type OfResource } from "../../endpoint.js";
import { resourcesWithin } from "../../indexes.js";
import { idAnswered } from "../../present.js";
import { keyOf } from "../../resource-id.js";
import { scaleSetType } from "../compute/compute-lists.js";
import { groupId, poolOfScaleSet } from "./nodes.js";
import type { StoredPool } from "./pool-defaults.js";
import { aksVersions, notFound } from "./provider.js";

const type = "Microsoft.ContainerService/managedClusters";

type Body = (...of: Parameters<OfResource["handle"]>) => unknown;

function listEndpoint(path: string, right: string, since: string, body: Body): Endpoint {
  return ofResource({
    method: "GET",
    type,
    path,
    versions: aksVersions.filter((version) => version >= since),
    right: `${right}/read`,
    handle: (call, cluster, parameters) => ({ status: 200, body: body(call, cluster, parameters), takes: call.sample("read") }),
  });
}

export const clusterListEndpoints: readonly Endpoint[] = [
  listEndpoint("agentPools/{pool}/machines", "agentPools/machines", "2024-07-01", (call, cluster, { pool = "" }) => {
    const id = `${cluster.id}/agentPools/${pool}`;
    const found = call.state.resources[keyOf(id)];
    if (found === undefined) throw notFound(id, "agentpool");
    const group = groupId(cluster.id, String(cluster.properties["nodeResourceGroup"]));
    const scaleSet = resourcesWithin(call.state, group, scaleSetType).find((one) => poolOfScaleSet(one) === found.name);
    const { availabilityZones: zones = [] } = found.properties as StoredPool;
    // Nodes do not exist here, and so have no addresses.
    return {
      value: Array.from({ length: Number(scaleSet?.sku?.["capacity"] ?? 0) }, (_, index) => ({
        id: `${idAnswered(call.types.of(cluster), cluster.id)}/agentPools/${found.name}/machines/${machineName(scaleSet?.name ?? "", index)}`,
        name: machineName(scaleSet?.name ?? "", index),
        type: `${type}/agentPools/machines`,
        ...(zones.length > 0 && { zones: [zones[index % zones.length]] }),
        properties: { network: { ipAddresses: [] }, resourceId: `${scaleSet?.id ?? ""}/virtualMachines/${String(index)}` },
      })),
    };
  }),
  listEndpoint("privateLinkResources", "privateLinkResources", "2020-09-01", (_call, { properties }) => ({
    value: properties["privateLinkResources"] ?? [],
  })),
  listEndpoint("privateEndpointConnections", "privateEndpointConnections", "2020-06-01", () => ({ value: [] })),
  listEndpoint("outboundNetworkDependenciesEndpoints", "outboundNetworkDependenciesEndpoints", "2021-05-01", () => ({ value: outbound })),
];

/** "aks-system-12345678-vmss000000": the index has six digits of base 36. */
function machineName(scaleSet: string, index: number): string {
  return `${scaleSet}${index.toString(36).padStart(6, "0")}`;
}

const endpoint = (domainName: string, port: number, protocol: string) => ({ domainName, endpointDetails: [{ port, protocol }] });

const outbound = [
  {
    category: "azure-resource-management",
    endpoints: [endpoint("management.azure.com", 443, "Https"), endpoint("login.microsoftonline.com", 443, "Https")],
  },
  { category: "images", endpoints: [endpoint("mcr.microsoft.com", 443, "Https"), endpoint("*.data.mcr.microsoft.com", 443, "Https")] },
  {
    category: "artifacts",
    endpoints: [endpoint("packages.microsoft.com", 443, "Https"), endpoint("packages.aks.azure.com", 443, "Https")],
  },
  { category: "time-sync", endpoints: [endpoint("ntp.ubuntu.com", 123, "UDP")] },
];
