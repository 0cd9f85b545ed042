/** Applies the network rules of a vault to its callers, who all come from one address of the internet. */
import { BlockList, isIPv4 } from "node:net";
import type { Caller } from "../../core/service.js";
import type { StoredResource, AzureState } from "../../state/state.js";
import { forbidden } from "./errors.js";

/** From TEST-NET-3 (RFC 5737): nobody owns it. */
const clientAddress = "203.0.113.10";

/** @throws ApiError 403 ForbiddenByConnection or ForbiddenByFirewall. */
export function checkNetwork(
  { tenantId }: AzureState,
  { name, location = "", properties }: StoredResource,
  { appId, objectId }: Caller,
): void {
  const description = `Caller: appid=${appId};oid=${objectId};iss=https://sts.windows.net/${tenantId}/\r\nVault: ${name};location=${location}`;
  if (properties["publicNetworkAccess"] === "Disabled") {
    throw forbidden(
      `Public network access is disabled and request is not from a trusted service nor via an approved private link.\r\n${description}`,
      "ForbiddenByConnection",
    );
  }
  const acls = properties["networkAcls"] as { defaultAction?: string; ipRules?: readonly { value: string }[] } | undefined;
  if (acls?.defaultAction !== "Deny" || isAdmitted(acls.ipRules ?? [])) return;
  throw forbidden(
    `Client address is not authorized and caller is not a trusted service.\r\nClient address: ${clientAddress}\r\n${description}`,
    "ForbiddenByFirewall",
  );
}

function isAdmitted(rules: readonly { readonly value: string }[]): boolean {
  const admitted = new BlockList();
  for (const { value } of rules) {
    const [address = "", bits = "32"] = value.split("/");
    if (isIPv4(address)) admitted.addSubnet(address, Number(bits));
  }
  return admitted.check(clientAddress);
}
