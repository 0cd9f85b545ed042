/** Which clusters use an issuer: those with identities that trust it, of whatever set. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { sameText } from "../../text/same-text.js";
import { listAssignments } from "../../removal/assignments.js";
import { existingClusters, type ExistingCluster, type NamedCluster } from "../../removal/existing-clusters.js";
import type { IssuerInventory } from "./issuer.js";
import { clustersUsing } from "../../removal/set-in-use.js";

/** Of all clusters of the subscription. */
export async function issuerUsers(azure: Azure, issuer: Pick<IssuerInventory, "accounts">): Promise<NamedCluster[]> {
  if (issuer.accounts.length === 0) return [];
  const listed = listAssignments(azure, [azure.connection.subscriptionId]);
  const [assigned, clusters] = await Promise.all([listed, existingClusters(azure, listed)]);
  const users = await clustersTrusting(azure, issuer, assigned, clusters);
  return clusters.filter(({ infraId }) => users.includes(infraId));
}

/**
 * The infra IDs of those of the clusters. Neither the tags of the account nor a resource group count: identities trust a URL. `assigned` are all role
 * assignments of the subscription. Only identities that a cluster uses are asked which issuers they trust.
 */
export async function clustersTrusting(
  azure: Azure,
  { accounts }: { readonly accounts: readonly { readonly name: string }[] },
  assigned: readonly RoleAssignment[],
  clusters: readonly ExistingCluster[],
): Promise<string[]> {
  if (accounts.length === 0 || clusters.length === 0) return [];
  const { cloud } = azure.connection;
  const urls = accounts.map(({ name }) => `https://${name}.${cloud.blobSuffix}/`);
  const { userAssignedIdentities, federatedIdentityCredentials } = await azure.identities();
  const identities = await all(userAssignedIdentities.listBySubscription());
  const assignmentsTo = ({ principalId }: Identity) => assigned.filter((one) => sameText(one.principalId, principalId));
  const usersOf = (identity: Identity) => clustersUsing(assignmentsTo(identity), clusters);
  const trusts = async ({ id = "" }: Identity) => {
    const { resourceGroup = "", name } = parseResourceId(id);
    const credentials = (await found(all(federatedIdentityCredentials.list(resourceGroup, name)))) ?? [];
    return credentials.some(({ issuer }) => urls.some((url) => issuer?.startsWith(url)));
  };
  const users = await Promise.all(
    identities.map(async (identity) => {
      const infraIds = usersOf(identity);
      return infraIds.length > 0 && (await trusts(identity)) ? infraIds : [];
    }),
  );
  return clusters.map(({ infraId }) => infraId).filter((infraId) => users.flat().includes(infraId));
}
