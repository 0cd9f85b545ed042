/** What `create arc secrets` created for a connected cluster, found by tag and name together, and its removals. */
import type { EarlierFiles } from "../../azure/application-ownership.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { isForOneRun } from "../../azure/own-role.js";
import { all } from "../../azure/pages.js";
import { signedIn } from "../../azure/signed-in.js";
import type { ConnectedClusterPlace } from "../domain/names.js";
import { arcApplication, namesArcVault, ownsArcVault } from "../domain/secrets.js";
import { ownedBy } from "../../domain/ownership.js";
import { isWithin, sameId } from "../../domain/resource-id.js";
import { grantName } from "../../domain/role-assignment-name.js";
import { principalTitle } from "../../domain/role-assignment-title.js";
import { sameText } from "../../text/same-text.js";
import { findNamedApplications, namedApplicationKind, type NamedApplications } from "../../removal/applications.js";
import { listAssignments, type FoundGrant } from "../../removal/assignments.js";
import { grantRemoval } from "../../removal/azure-removals.js";
import type { OwnedKind } from "../../removal/owned.js";
import { ownedDeletedVaults, ownedVaults, type VaultShowing } from "../../removal/owned-vaults.js";
import { recoverableVaults } from "../../removal/recoverable.js";
import { requireOneOwner } from "../../removal/second-owner.js";
import type { RemovalMode } from "../../removal/selection.js";
import { contentRemovals, purgesOf, vaultRemovals } from "../../removal/vault-removals.js";
import { itemsBySecrets, keptFor, unseenVaults, type VaultOwner } from "../../removal/vaults.js";

type Kind = "applicationRoles" | "application" | "vaults" | "vaultRoles" | "deletedVaults";

export interface FoundArcSecrets {
  readonly kinds: Readonly<Record<Kind, OwnedKind<Kind>>>;
  readonly applications: NamedApplications;
}

interface ArcSecretsSearch {
  /** Files of the operator that name the application. */
  readonly files: EarlierFiles | undefined;
  /** What an earlier read of the same run found. */
  readonly before: NamedApplications | undefined;
  /** The assignments of the managed identities. */
  readonly grants: readonly FoundGrant[];
}

export async function findArcSecrets(
  azure: Azure,
  key: ConnectedClusterPlace,
  mode: RemovalMode,
  { files, before, grants: known }: ArcSecretsSearch,
): Promise<FoundArcSecrets> {
  const { purge } = mode;
  const rerun = "rerun the original create arc secrets";
  const [{ found: read, kept: shown, inGroup }, applications, deletedVaults, caller] = await Promise.all([
    vaultsOf(azure, key),
    findNamedApplications(azure, arcApplication(key).uniqueName, { files, before }),
    ownedDeletedVaults(azure, showing(key)),
    signedIn(azure.connection),
  ]);
  const { application } = applications;
  const isOfApplication = ({ principalId }: Pick<FoundGrant, "principalId">) => sameText(principalId, application?.principalId);
  const listed = inGroup.length === 0 ? [] : await listAssignments(azure, [key.subscriptionId]);
  const vaults = read.filter((vault) => keptFor(vault, mode) === undefined || vault.foreign.length > 0);
  // Those with the names that a create gives them, on the vaults and their secrets, and those that a run left on any vault of the group.
  const grants = listed.flatMap((live) => {
    const { id = "", name = "", scope = "", principalId = "", roleDefinitionId = "" } = live;
    const isLeft = isForOneRun(live, caller) && inGroup.some((one) => sameId(scope, one));
    const isOn = isLeft || vaults.some((vault) => isWithin(scope, vault.id));
    const isNamed = sameText(name, grantName(principalId, roleDefinitionId.split("/").at(-1) ?? "", scope));
    if (!isOn || !isNamed || known.some((one) => sameId(one.id, id))) return [];
    const holder = isOfApplication({ principalId }) ? `application ${application?.displayName ?? ""}` : principalTitle(principalId, caller);
    return [{ id, name, scope, principalId, holder, roleDefinitionId }];
  });
  const [ofApplication, ofOthers] = [true, false].map((wanted) => grants.filter((grant) => isOfApplication(grant) === wanted));
  const removals = (some: readonly FoundGrant[] = []) => some.map((grant) => grantRemoval(azure, grant));
  const kinds: FoundArcSecrets["kinds"] = {
    vaults: {
      removals: vaults.flatMap((vault) => (vault.foreign.length > 0 ? contentRemovals : vaultRemovals)(azure, vault, purge)),
      kept: [...shown, ...read.flatMap((vault) => keptFor(vault, mode) ?? [])],
      recoverable: recoverableVaults(deletedVaults, rerun),
    },
    // The role that reads the vault goes last, so that a rerun can still read it.
    vaultRoles: { removals: removals(ofOthers), after: ["vaults"] },
    // Azure keeps the roles of a deleted principal.
    applicationRoles: { removals: removals(ofApplication) },
    application: { ...namedApplicationKind(azure, applications, { purge, rerun }), after: ["applicationRoles"] },
    deletedVaults: {
      removals: purge ? purgesOf(azure, deletedVaults) : [],
      kept: unseenVaults(deletedVaults, mode),
    },
  };
  return { kinds, applications };
}

async function vaultsOf(azure: Azure, key: ConnectedClusterPlace) {
  const { vaults } = await azure.vaults();
  const live = (await found(all(vaults.listByResourceGroup(key.groupName)))) ?? [];
  const listed = live.map(({ id = "", name = "", location = "", tags }) => ({ id, name, location, ...(tags && { tags }) }));
  const read = await ownedVaults(azure, listed, showing(key), ownerOf(key));
  requireOneOwner({ arc: key.name }, read.own);
  return { ...read, inGroup: listed.map(({ id }) => id) };
}

function showing(key: ConnectedClusterPlace): VaultShowing {
  return {
    groupName: key.groupName,
    isTagged: (vault) => ownsArcVault(key, vault),
    isNamed: (vault) => namesArcVault(key, vault),
    why: () => "only its tags name this connected cluster, and no secret that can be read shows that it is the cluster's",
  };
}

/** A create writes only secrets, and assigns a role for secrets alone. A caller that cannot read the contents relies on the tags of the vault. */
function ownerOf({ name: arc }: ConnectedClusterPlace): VaultOwner {
  return { isOwn: ({ tags }, kind) => kind === "secret" && ownedBy(tags, { arc }) === "ours", readItems: itemsBySecrets };
}
