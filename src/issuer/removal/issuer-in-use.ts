/** Which clusters use an issuer: those with identities that trust it, of whatever set. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { Failure } from "../../errors/failure.js";
import { assignmentsTo, listAssignments } from "../../removal/assignments.js";
import { existingClusters, type ExistingCluster } from "../../removal/existing-clusters.js";
import { adoptedInUse } from "./ccoctl-identities.js";
import type { IssuerInventory } from "./issuer.js";
import { clustersUsing, usedByClusters } from "../../removal/set-in-use.js";

/** Undefined if no cluster of the subscription uses the issuer. */
export async function issuerInUse(
  azure: Azure,
  set: string,
  { accounts, identities }: Pick<IssuerInventory, "accounts" | "identities">,
): Promise<Failure | undefined> {
  const used = await adoptedInUse(azure, { accounts, identities });
  if (used !== undefined || accounts.length === 0) return used;
  const listed = listAssignments(azure, [azure.connection.subscriptionId]);
  const [assigned, clusters] = await Promise.all([listed, existingClusters(azure, listed)]);
  const because = "identities of these clusters trust it, and Entra would refuse their tokens without it";
  return usedByClusters(
    `the issuer of the identity set "${set}" is used`,
    await clustersTrusting(azure, { accounts }, assigned, clusters),
    because,
  );
}

/**
 * Neither the tags of the account nor a resource group count: identities trust a URL. `assigned` are all role assignments of the subscription. Only
 * identities that a cluster uses are asked which issuers they trust.
 */
export async function clustersTrusting<C extends ExistingCluster>(
  azure: Azure,
  { accounts }: { readonly accounts: readonly { readonly name: string }[] },
  assigned: readonly RoleAssignment[],
  clusters: readonly C[],
): Promise<C[]> {
  if (accounts.length === 0 || clusters.length === 0) return [];
  const { cloud } = azure.connection;
  const urls = accounts.map(({ name }) => `https://${name}.${cloud.blobSuffix}/`);
  const { userAssignedIdentities, federatedIdentityCredentials } = await azure.identities();
  const identities = await all(userAssignedIdentities.listBySubscription());
  const trusts = async ({ id = "" }: Identity) => {
    const { resourceGroup = "", name } = parseResourceId(id);
    const credentials = (await found(all(federatedIdentityCredentials.list(resourceGroup, name)))) ?? [];
    return credentials.some(({ issuer }) => urls.some((url) => issuer?.startsWith(url)));
  };
  const users = await Promise.all(
    identities.map(async (identity) => {
      const using = clustersUsing(assignmentsTo([identity.principalId ?? ""], assigned), clusters);
      return using.length > 0 && (await trusts(identity)) ? using : [];
    }),
  );
  return clusters.filter((cluster) => users.flat().includes(cluster));
}
