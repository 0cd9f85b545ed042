/** Which clusters use an issuer: those with identities that trust it, of whatever set. */
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { identitySetTag } from "../domain/ownership.js";
import { parseResourceId } from "../domain/resource-id.js";
import { tagValue } from "../domain/tags.js";
import { sameText } from "../text/same-text.js";
import { listAssignments } from "./assignments.js";
import { existingClusters, type NamedCluster } from "./existing-clusters.js";
import type { IssuerInventory } from "./issuer.js";
import { clustersUsing } from "./set-in-use.js";

/** Only identities that a cluster uses are asked which issuers they trust. */
export async function clustersTrusting(azure: Azure, { accounts }: IssuerInventory): Promise<NamedCluster[]> {
  if (accounts.length === 0) return [];
  const { subscriptionId, cloud } = azure.connection;
  const urls = accounts.map(({ name }) => `https://${name}.${cloud.blobSuffix}/`);
  const listed = listAssignments(azure, [subscriptionId]);
  const { userAssignedIdentities, federatedIdentityCredentials } = await azure.identities();
  const [assigned, clusters, identities] = await Promise.all([
    listed,
    existingClusters(azure, listed),
    all(userAssignedIdentities.listBySubscription()),
  ]);
  const assignmentsTo = ({ principalId }: Identity) => assigned.filter((one) => sameText(one.principalId, principalId));
  const usersOf = (identity: Identity) =>
    clustersUsing({ assignments: assignmentsTo(identity), identitySet: tagValue(identity.tags, identitySetTag) }, clusters);
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
  return clusters.filter(({ infraId }) => users.flat().includes(infraId));
}
