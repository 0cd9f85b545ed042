/** The address ranges of a cluster's network, which no file records. */
import { azureCodeOf } from "../../azure/azure-error.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { subnetOf } from "../steps/network.js";

/** Takes the ranges from the network, if it exists, because the file does not record them. */
export async function withRangesAsFound<R extends Pick<InfraSpec, "vnetCidr" | "subnetCidr">>(
  azure: Azure,
  wanted: R,
  vnetId: string | undefined,
): Promise<R> {
  if (vnetId === undefined) return wanted;
  const { resourceGroup = "", name } = parseResourceId(vnetId);
  const vnet = await found((await azure.network()).virtualNetworks.get(resourceGroup, name)).catch((error: unknown) => {
    // The check of the network reads it again, and reports what Azure refuses.
    if (azureCodeOf(error) === undefined) throw error;
    return undefined;
  });
  const subnet = vnet && subnetOf(vnet, "default");
  return {
    ...wanted,
    vnetCidr: vnet?.addressSpace?.addressPrefixes?.[0] ?? wanted.vnetCidr,
    subnetCidr: subnet?.addressPrefix ?? subnet?.addressPrefixes?.[0] ?? wanted.subnetCidr,
  };
}
