/** The address ranges of a cluster's network, where no file records them. */
import { azureCodeOf } from "../../azure/azure-error.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { InfraSpec } from "../../domain/spec.js";
import { subnetOf } from "../../steps/network.js";

/** With the ranges that the network has, where it is there: the file does not tell which it was made with. */
export async function withRangesAsFound(azure: Azure, spec: InfraSpec, vnetId: string | undefined): Promise<InfraSpec> {
  if (vnetId === undefined) return spec;
  const { resourceGroup = "", name } = parseResourceId(vnetId);
  const vnet = await found((await azure.network()).virtualNetworks.get(resourceGroup, name)).catch((error: unknown) => {
    // What Azure refuses is told by the check of the network, which asks again.
    if (azureCodeOf(error) === undefined) throw error;
    return undefined;
  });
  const subnet = vnet && subnetOf(vnet, "default");
  return {
    ...spec,
    vnetCidr: vnet?.addressSpace?.addressPrefixes?.[0] ?? spec.vnetCidr,
    subnetCidr: subnet?.addressPrefix ?? subnet?.addressPrefixes?.[0] ?? spec.subnetCidr,
  };
}
