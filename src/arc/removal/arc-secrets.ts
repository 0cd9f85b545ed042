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
import { idKey, isWithin, sameId } from "../../domain/resource-id.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { grantName } from "../../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle } from "../../domain/role-assignment-title.js";
import type { Removal } from "../../engine/step.js";
import { sameText } from "../../text/same-text.js";
import { listAssignments, type FoundGrant } from "../../removal/assignments.js";
import { assignmentRemoval } from "../../removal/azure-removals.js";
import { earlierRead, findDeletedApplications, keptDeleted, provenOf, type FoundDeleted } from "../../removal/deleted-applications.js";
import { purgedApplication } from "../../removal/deleted-applications.js";
import { contentRemovals } from "../../removal/vault-removals.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { Kept } from "../../removal/inventory.js";
import { ownApplication, type FoundApplication } from "../../removal/own-application.js";
import { ownedDeletedVaults, ownedVaults, type VaultShowing } from "../../removal/owned-vaults.js";
import { requireOneOwner } from "../../removal/second-owner.js";
import { purgesOf, removalOf, vaultRemovals } from "../../removal/vault-removals.js";
import {
  canPurge,
  itemsBySecrets,
  keptFor,
  unseenVaults,
  type FoundVault,
  type TaggedVault,
  type VaultContents,
  type VaultItem,
  type VaultItems,
  type VaultOwner,
} from "../../removal/vaults.js";

export interface ArcSecretsInventory {
  readonly vaults: readonly FoundVault[];
  readonly application: FoundApplication | undefined;
  /** Those with the names that a create gives them, on the vaults and their secrets, and those that a run left on any vault of the group. */
  readonly grants: readonly FoundGrant[];
  readonly deletedVaults: readonly TaggedVault[];
  readonly deletedApplications: readonly FoundDeleted[];
  /** Vaults that others put something into, or that may not be purged, and an application that nothing proves. */
  readonly kept: readonly Kept[];
}

/** `files`: those of the operator that name the application. `before`: what an earlier read of the same run found. */
export async function takeArcSecrets(
  azure: Azure,
  key: ConnectedClusterPlace,
  mode: RemovalMode,
  files: EarlierFiles | undefined,
  before: ArcSecretsInventory | undefined,
): Promise<ArcSecretsInventory> {
  const [{ found: read, kept: shown, inGroup }, { application, kept: unproven }, deletedVaults, deletedApplications, caller] =
    await Promise.all([
      vaultsOf(azure, key),
      ownApplication(azure, arcApplication(key).uniqueName, files),
      ownedDeletedVaults(azure, showing(key)),
      findDeletedApplications(azure, [arcApplication(key).uniqueName], { files, before: before && earlierRead(before) }),
      signedIn(azure.connection),
    ]);
  const listed = inGroup.length === 0 ? [] : await listAssignments(azure, [key.subscriptionId]);
  const vaults = read.filter((vault) => keptFor(vault, mode) === undefined || vault.foreign.length > 0);
  const grants = listed.flatMap((live) => {
    const { id = "", name = "", scope = "", principalId = "", roleDefinitionId = "" } = live;
    const isLeft = isForOneRun(live, caller) && inGroup.some((one) => sameId(scope, one));
    const isOn = isLeft || vaults.some((vault) => isWithin(scope, vault.id));
    if (!isOn || !sameText(name, grantName(principalId, roleDefinitionId.split("/").at(-1) ?? "", scope))) return [];
    const isApplication = sameText(principalId, application?.principalId);
    const holder = isApplication ? `application ${application?.displayName ?? ""}` : principalTitle(principalId, caller);
    return [{ id, name, scope, principalId, holder, roleDefinitionId }];
  });
  const kept = [
    ...unproven,
    ...shown,
    ...read.flatMap((vault) => keptFor(vault, mode) ?? []),
    ...unseenVaults(deletedVaults, mode),
    ...keptDeleted(deletedApplications, mode.purge),
  ];
  return { vaults, application, grants, deletedVaults, deletedApplications, kept };
}

/** Roles first: Azure keeps those of a deleted principal. The role that reads the vault goes last, so that a rerun can still read it. */
export function arcSecretsRemovals(azure: Azure, inventory: ArcSecretsInventory, { purge }: RemovalMode): Removal[] {
  const { vaults, application, grants, deletedVaults, deletedApplications } = inventory;
  const isOfApplication = (grant: FoundGrant) => sameText(grant.principalId, application?.principalId);
  const removed = (grant: FoundGrant) => assignmentRemoval(azure, liveAssignmentTitle(grant, grant.holder), grant);
  const contents = vaults.flatMap((vault) =>
    vault.foreign.length > 0 ? contentRemovals(azure, vault, purge) : vaultRemovals(azure, vault, purge),
  );
  const first = grants.filter(isOfApplication).map(removed);
  const last = grants
    .filter((grant) => !isOfApplication(grant))
    .map((grant) => ({ ...removed(grant), after: contents.map(({ id }) => id) }));
  const applications =
    application === undefined
      ? []
      : [
          removalOf(
            `application ${application.id}`,
            `application ${application.displayName}`,
            first.map(({ id }) => id),
            async () => {
              await (await azure.directory()).deleteApplication(application.id);
            },
          ),
          ...(purge ? [purgedApplication(azure, application.id, application.displayName, [`application ${application.id}`])] : []),
        ];
  const purged = purge
    ? [
        ...provenOf(deletedApplications).map(({ id, displayName }) => purgedApplication(azure, id, displayName, [])),
        ...purgesOf(azure, deletedVaults),
      ]
    : [];
  return [...first, ...applications, ...contents, ...last, ...purged];
}

/** The IDs of everything that is deleted. */
export function arcSecretsIds(inventory: ArcSecretsInventory, { purge }: RemovalMode): string[] {
  const { vaults, application, grants, deletedVaults, deletedApplications } = inventory;
  const whole = vaults.filter(({ foreign }) => foreign.length === 0).map(({ id }) => id);
  const inKept = vaults.flatMap(({ id, foreign, secrets }) =>
    foreign.length === 0 ? [] : secrets.map((name) => `${idKey(id)}/secrets/${name}`),
  );
  const deleted = [
    ...provenOf(deletedApplications).map(({ displayName }) => `deleted application ${displayName}`),
    ...deletedVaults.filter(canPurge).map(({ name = "" }) => `deleted ${titleOf(resourceTypes.keyVault, name)}`),
  ];
  const own = [...whole, ...inKept, ...(application === undefined ? [] : [application.id]), ...grants.map(({ id }) => id)];
  return purge ? [...own, ...deleted] : own;
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

function ownerOf(key: ConnectedClusterPlace): VaultOwner {
  return {
    decide: (items, keys) => contentOf(key, items, keys),
    isOwn: (item) => isOwnSecret(key, item),
    readItems: itemsBySecrets,
  };
}

/** A create writes only secrets, and assigns a role for secrets alone. A caller that cannot read the contents relies on the tags of the vault. */
function contentOf(key: ConnectedClusterPlace, items: VaultItems | undefined, keys: readonly VaultItem[]): VaultContents {
  const isOurs = (item: VaultItem) => isOwnSecret(key, item);
  const secrets = items?.secrets ?? [];
  const certificates = (items?.certificates ?? []).map(({ name }) => `certificate ${name}`);
  const others = secrets.filter((one) => !isOurs(one)).map(({ name }) => `secret ${name}`);
  return {
    secrets: secrets.filter(isOurs).map(({ name }) => name),
    certificates: [],
    foreign: [...others, ...certificates, ...keys.map(({ name }) => `key ${name}`)],
    closed: items === undefined,
  };
}

function isOwnSecret({ name: arc }: ConnectedClusterPlace, { tags }: VaultItem): boolean {
  return ownedBy(tags, { arc }) === "ours";
}
