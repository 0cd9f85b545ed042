/** Identities of ccoctl that `adopt oidc-issuer` took over: deleted with the issuer, unless a cluster uses them. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../../azure/azure.js";
import { listContents } from "../../azure/group-contents.js";
import { found } from "../../azure/long-running.js";
import { isCcoctlIdentity } from "../../domain/ccoctl.js";
import { ownedBy, type IdentitySet } from "../../domain/ownership.js";
import { groupNameOf, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { tagsInLowerCase } from "../../domain/tags.js";
import { Failure } from "../../errors/failure.js";
import { hasOwner } from "../../domain/ownership.js";
import { assignmentsTo, grantOf, listAssignments, type FoundGrant } from "../../removal/assignments.js";
import { isOfAccount, trustsOfAll } from "../../azure/federated-trust.js";

export interface AdoptedIdentity {
  readonly id: string;
  readonly grants: readonly FoundGrant[];
}

/** Of the contents of the issuer's groups, with their tags. */
export async function adoptedIdentities(
  azure: Azure,
  owner: IdentitySet,
  contents: readonly GenericResourceExpanded[],
): Promise<AdoptedIdentity[]> {
  const own = contents.flatMap(({ id = "", type = "", name = "", tags }) =>
    sameType(type, resourceTypes.managedIdentity.type) && isAdopted(owner, { name, tags }) ? [{ id, name }] : [],
  );
  if (own.length === 0) return [];
  const { userAssignedIdentities } = await azure.identities();
  const [assigned, live] = await Promise.all([
    listAssignments(azure, [azure.connection.subscriptionId]),
    Promise.all(
      own.map(async ({ id, name }) => ({ id, name, live: await found(userAssignedIdentities.get(groupNameOf(id) ?? "", name)) })),
    ),
  ]);
  return live.flatMap(({ id, name, live: identity }) => {
    if (identity === undefined) return [];
    const grants = assignmentsTo([identity.principalId ?? ""], assigned).flatMap((one) => grantOf(one, name));
    return [{ id, grants }];
  });
}

function isAdopted(
  owner: IdentitySet,
  { name, tags }: { readonly name: string; readonly tags: Record<string, string> | undefined },
): boolean {
  return ownedBy(tags, owner) === "ours" && isCcoctlIdentity(owner.identitySet, { name, ...(tags && { tags }) });
}

const installerTag = "kubernetes.io_cluster.";

/** The failure if the cluster that ccoctl was run for exists, or if other identities trust the issuer by now. */
export async function adoptedInUse(
  azure: Azure,
  { accounts, identities }: { readonly accounts: readonly { readonly name: string }[]; readonly identities: readonly AdoptedIdentity[] },
): Promise<Failure | undefined> {
  if (identities.length === 0) return undefined;
  const clusters = await installedClusters(azure, identities);
  if (clusters.length > 0) {
    return new Failure("ARO-OWN-006", `the issuer and identities of ccoctl are used by ${clusters.join(", ")}`, {
      because: "the resources of the cluster are in a resource group on which the identities have roles",
      next: ["delete the cluster first with `openshift-install destroy cluster`"],
    });
  }
  const { blobSuffix } = azure.connection.cloud;
  const trusts = await trustsOfAll(azure);
  const others = trusts.filter(
    (one) =>
      accounts.some(({ name }) => isOfAccount(one, name, blobSuffix)) &&
      !identities.some(({ id }) => sameId(id, one.id)) &&
      // The clusters of aro-hcp and hypershift are found by their roles.
      !hasOwner(one.tags),
  );
  if (others.length === 0) return undefined;
  return new Failure("ARO-OWN-006", "other identities trust the issuer of ccoctl", {
    because: others.map(({ id, subject }) => `${id} (${subject})`).join(", "),
    next: ["if nobody needs these federated identity credentials any more, delete them; then rerun the command"],
  });
}

/** Infra IDs in the installer's tags of what is in the groups of the roles. */
async function installedClusters(azure: Azure, identities: readonly AdoptedIdentity[]): Promise<string[]> {
  const { subscriptionId } = azure.connection;
  const scopes = identities.flatMap(({ grants }) => grants.map(({ scope }) => parseResourceId(scope)));
  const groups = new Set(scopes.flatMap((one) => (one.subscriptionId === subscriptionId ? (one.resourceGroup?.toLowerCase() ?? []) : [])));
  const contents = await Promise.all([...groups].map(async (group) => (await found(listContents(azure, group))) ?? []));
  const infraIds = contents
    .flat()
    .flatMap(({ tags }) =>
      tagsInLowerCase(tags).flatMap(([tag, value]) =>
        tag.startsWith(installerTag) && value === "owned" ? [tag.slice(installerTag.length)] : [],
      ),
    );
  return [...new Set(infraIds)];
}
