/** What `create arc-secrets` created for a connected cluster, found by tag and name together, and its removals. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { signedIn } from "../azure/signed-in.js";
import type { ConnectedClusterPlace } from "../domain/arc/names.js";
import { arcApplication, ownsArcVault } from "../domain/arc/secrets.js";
import { ownedBy } from "../domain/ownership.js";
import { idKey, isWithin } from "../domain/resource-id.js";
import { grantName } from "../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle } from "../domain/role-assignment-title.js";
import type { Removal } from "../engine/step.js";
import { sameText } from "../text/same-text.js";
import { listAssignments, type FoundGrant } from "./assignments.js";
import { assignmentRemoval } from "./azure-removals.js";
import { contentRemovals } from "./identity-removals.js";
import type { Kept } from "./inventory.js";
import { removalOf, vaultRemovals } from "./vault-removals.js";
import { readContents, type FoundVault, type VaultContents, type VaultItems } from "./vaults.js";

interface FoundApplication {
  readonly id: string;
  readonly displayName: string;
  readonly principalId: string | undefined;
}

export interface ArcSecretsInventory {
  readonly vaults: readonly FoundVault[];
  readonly application: FoundApplication | undefined;
  /** Those with the names that a create gives them, on the vaults and their secrets. */
  readonly grants: readonly FoundGrant[];
  /** Vaults that others put something into. */
  readonly kept: readonly Kept[];
}

export async function takeArcSecrets(azure: Azure, key: ConnectedClusterPlace): Promise<ArcSecretsInventory> {
  const [vaults, application, caller] = await Promise.all([vaultsOf(azure, key), applicationOf(azure, key), signedIn(azure.connection)]);
  const listed = vaults.length === 0 ? [] : await listAssignments(azure, [key.subscriptionId]);
  const grants = listed.flatMap(({ id = "", name = "", scope = "", principalId = "", roleDefinitionId = "" }) => {
    const isOn = vaults.some((vault) => isWithin(scope, vault.id));
    if (!isOn || !sameText(name, grantName(principalId, roleDefinitionId.split("/").at(-1) ?? "", scope))) return [];
    const isApplication = sameText(principalId, application?.principalId);
    const holder = isApplication ? `application ${application?.displayName ?? ""}` : principalTitle(principalId, caller);
    return [{ id, name, scope, principalId, holder, roleDefinitionId }];
  });
  const kept = vaults.flatMap(({ id, foreign }): Kept[] =>
    foreign.length === 0 ? [] : [{ id, why: `it also contains ${foreign.join(", ")}, not created by aro-hcp` }],
  );
  return { vaults, application, grants, kept };
}

/** Roles first: Azure keeps those of a deleted principal. The role that reads the vault goes last, so that a rerun can still read it. */
export function arcSecretsRemovals(azure: Azure, { vaults, application, grants }: ArcSecretsInventory, purge: boolean): Removal[] {
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
        ];
  return [...first, ...applications, ...contents, ...last];
}

/** The IDs of everything that is deleted. */
export function arcSecretsIds({ vaults, application, grants }: ArcSecretsInventory): string[] {
  const whole = vaults.filter(({ foreign }) => foreign.length === 0).map(({ id }) => id);
  const inKept = vaults.flatMap(({ id, foreign, secrets }) =>
    foreign.length === 0 ? [] : secrets.map((name) => `${idKey(id)}/secrets/${name}`),
  );
  return [...whole, ...inKept, ...(application === undefined ? [] : [application.id]), ...grants.map(({ id }) => id)];
}

async function vaultsOf(azure: Azure, key: ConnectedClusterPlace): Promise<FoundVault[]> {
  const { vaults } = await azure.vaults();
  const listed = (await found(all(vaults.listByResourceGroup(key.groupName)))) ?? [];
  const own = listed.filter((vault) => ownsArcVault(key, vault));
  const read = await Promise.all(
    own.map(({ id = "", name = "", location = "" }) =>
      readContents(azure, { id, name, location }, (items, keys) => contentOf(key, items, keys)),
    ),
  );
  return read.filter((vault) => vault !== undefined);
}

/** A create writes only secrets. A caller that cannot read the contents relies on the tags of the vault. */
function contentOf({ name: arc }: ConnectedClusterPlace, items: VaultItems | undefined, keyNames: readonly string[]): VaultContents {
  const isOurs = ({ tags }: VaultItems["secrets"][number]) => ownedBy(tags, { arc }) === "ours";
  const secrets = items?.secrets ?? [];
  const certificates = (items?.certificates ?? []).map(({ name }) => `certificate ${name}`);
  const others = secrets.filter((one) => !isOurs(one)).map(({ name }) => `secret ${name}`);
  return {
    secrets: secrets.filter(isOurs).map(({ name }) => name),
    certificates: [],
    foreign: [...others, ...certificates, ...keyNames.map((name) => `key ${name}`)],
    closed: items === undefined,
  };
}

/** Only a create derives the unique name, which proves the ownership. */
async function applicationOf(azure: Azure, key: ConnectedClusterPlace): Promise<FoundApplication | undefined> {
  const directory = await azure.directory();
  const live = await directory.application(arcApplication(key).uniqueName);
  if (live === undefined) return undefined;
  return { id: live.id, displayName: live.displayName, principalId: await directory.servicePrincipalOf(live.appId) };
}
