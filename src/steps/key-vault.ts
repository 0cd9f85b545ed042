/** The Key Vault for certificates and credential secrets: created, recovered if it is soft-deleted, or refused. */
import { advise, shell } from "../errors/advice.js";
import type { DeletedVault, Vault, VaultProperties } from "@azure/arm-keyvault";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { expectedDuration, vaultRecovery } from "../azure/expected-durations.js";
import { begun, finish, found, type BeginOptions } from "../azure/long-running.js";
import { nextPoll } from "../azure/next-poll.js";
import { defineStep, type Change, type Decision, type Step, type StepIo, type Written } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import { sameLocation } from "../domain/location.js";
import { ownedBy, type Owner } from "../domain/ownership.js";
import type { PurgeProtection } from "../domain/purge-protection.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { formatResourceId, isInGroup, parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { mergedTags } from "../domain/tags.js";
import { missingTags } from "./missing-tags.js";
import { decideOwned, refuse } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";
import { sameText } from "../text/same-text.js";
import { rfc3339 } from "../text/rfc3339.js";

const row = resourceTypes.keyVault;

export interface VaultOutput {
  readonly id: string;
  readonly name: string;
  /** False while it is only planned or soft-deleted: its contents cannot be read. */
  readonly exists: boolean;
  /** It is soft-deleted, and the run recovers it with its contents. */
  readonly isRecovered?: true;
  /** When this run created it, by the clock of the connection; absent if DNS has its name. */
  readonly registeringSinceMs?: number | undefined;
}

/** A soft-deleted vault keeps its globally unique name until it is purged. */
interface LiveVault extends Pick<VaultOutput, "registeringSinceMs"> {
  readonly vault?: Vault;
  readonly deleted?: DeletedVault;
  /** Azure's message that the name is taken elsewhere. */
  readonly taken?: string;
}

export interface VaultSpec {
  readonly name: string;
  readonly owner: Owner;
  /** The ownership tags among them. */
  readonly tags: Readonly<Record<string, string>>;
  readonly tenantId: string;
  readonly location: string;
  readonly purgeProtection: PurgeProtection;
  readonly nameFlag: `--${string}`;
}

export function keyVault(azure: Azure, spec: VaultSpec, group: Step<GroupOutput>): Step<VaultOutput> {
  const { name, owner, tags: wantedTags, location, purgeProtection, nameFlag } = spec;
  const what = quotedTitleOf(row, name);
  const idIn = (scope: string) => formatResourceId(scope, row.type, name);
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, written: writtenVault(spec) },
    resourceId: group.resourceId && idIn(group.resourceId),
    needs: { group },
    within: "group",
    // A soft-deleted vault keeps its name even if its group is deleted.
    hasGlobalName: true,
    async read({ group: { name: groupName } }): Promise<LiveVault | undefined> {
      const { vaults } = await azure.vaults();
      const get = () => found(vaults.get(groupName, name));
      const vault = await get();
      if (vault) return { vault };
      const deleted = await deletedVault(azure, name);
      if (deleted) return { deleted };
      const { nameAvailable, message = "" } = await vaults.checkNameAvailability({ name, type: row.type });
      if (nameAvailable !== false) return undefined;
      // Another run of the same command may have created it between the two requests.
      const created = await get();
      return created ? { vault: created } : { taken: message };
    },
    busy: ({ vault }) => registering(vault),
    decide(live, { group: { name: groupName } }) {
      if (live?.taken !== undefined) {
        const next = [`choose another ${nameFlag}: the vault's name is derived from it, and must be unique across Azure`];
        const own = "identitySet" in owner ? {} : { next };
        return refuse("ARO-VAULT-002", `the name of ${what} is taken`, { because: live.taken, ...own });
      }
      if (live?.deleted) return decideDeleted(live.deleted, what, groupName, spec);
      if (live === undefined && purgeProtection !== "none") return { act: "create", why: lastingProtection };
      return decideOwned(live?.vault, { row, name, owner, location, otherName: nameFlag }, ({ properties, tags }) => [
        ...(properties.enableRbacAuthorization === true
          ? []
          : [{ path: "properties.enableRbacAuthorization", from: properties.enableRbacAuthorization, to: true }]),
        ...protectionChange(spec, properties.enablePurgeProtection),
        ...missingTags(tags, wantedTags),
      ]);
    },
    async apply(live, { group: { name: groupName } }): Promise<LiveVault> {
      const { vaults } = await azure.vaults();
      if (live?.vault)
        return {
          vault: await vaults.update(groupName, name, {
            properties: { enableRbacAuthorization: true, ...protectedIf(purgeProtection === "any") },
            tags: mergedTags(live.vault.tags, wantedTags),
          }),
        };
      const properties = newProperties(spec);
      const wanted = { location, tags: wantedTags, properties };
      try {
        if (live?.deleted) {
          const recovered = { ...wanted, properties: { ...properties, createMode: "recover" } as const };
          const recovery = (options: BeginOptions) => begun(vaults.createOrUpdate(groupName, name, recovered, options));
          const vault = await finish(azure, vaultRecovery, recovery);
          // Azure recovers it as it was.
          const isProtected = protectionChange(spec, vault.properties.enablePurgeProtection).length === 0;
          return { vault: isProtected ? vault : await vaults.update(groupName, name, { properties: protectedIf(true) }) };
        }
        // The step of access to the vault waits until DNS has its name. Roles can be assigned before.
        await vaults.createOrUpdate(groupName, name, wanted).submitted();
        const createdMs = azure.connection.clock.elapsedMs();
        const vault = await vaults.get(groupName, name);
        return { vault, registeringSinceMs: registering(vault) === undefined ? undefined : createdMs };
      } catch (error) {
        // ConflictError: it was deleted after the read.
        if (azureCodeOf(error) === "ConflictError") throw new Stale("it was deleted in the meantime", { cause: error });
        throw error;
      }
    },
    predict: ({ group: { id } }): VaultOutput => ({ id: idIn(id), name, exists: false }),
    output: ({ vault, deleted, registeringSinceMs }, { group: { id } }): VaultOutput => ({
      id: vault?.id ?? idIn(id),
      name,
      exists: vault !== undefined,
      ...(deleted && { isRecovered: true }),
      registeringSinceMs,
    }),
  });
}

/** Azure's default retention, which no create changes. */
const lastingProtection = "with purge protection, which nobody can turn off: after its deletion, Azure keeps it and its name for 90 days";

function newProperties({ tenantId, purgeProtection }: VaultSpec): VaultProperties {
  return {
    tenantId,
    sku: { family: "A", name: "standard" },
    // Set explicitly, because the default differs between API versions.
    enableRbacAuthorization: true,
    enableSoftDelete: true,
    accessPolicies: [],
    ...protectedIf(purgeProtection !== "none"),
  };
}

function writtenVault(spec: VaultSpec): Written {
  const { name, location, tags, owner, purgeProtection } = spec;
  const content = (properties: VaultProperties) => ({ type: row.type, name, location, tags, properties });
  const isChoice = purgeProtection === "none" && !("arc" in owner);
  return {
    apiVersion: "2023-07-01",
    content: content(newProperties(spec)),
    ...(isChoice && { withFlag: { flag: "--purge-protection", content: content(newProperties({ ...spec, purgeProtection: "any" })) } }),
  };
}

/** Azure refuses `false`. */
function protectedIf(wanted: boolean): Pick<VaultProperties, "enablePurgeProtection"> {
  return wanted ? { enablePurgeProtection: true } : {};
}

function protectionChange({ purgeProtection }: VaultSpec, live: boolean | undefined): Change[] {
  return purgeProtection === "any" && live !== true ? [{ path: "properties.enablePurgeProtection", from: live, to: true }] : [];
}

/** What Azure still does for a new vault whose name DNS does not resolve yet. */
function registering(vault: Vault | undefined): string | undefined {
  const state = vault?.properties.provisioningState;
  return state === "RegisteringDns" ? state : undefined;
}

/** Waits until DNS resolves the name of the vault: a client that asks earlier may remember for minutes that it does not exist. */
export async function untilRegistered(
  azure: Azure,
  { id, name, registeringSinceMs }: VaultOutput,
  { note, signal }: StepIo,
): Promise<void> {
  if (registeringSinceMs === undefined) return;
  const { clock } = azure.connection;
  const { vaults } = await azure.vaults();
  const { resourceGroup = "" } = parseResourceId(id);
  const expected = expectedDuration("PUT", row.type);
  const seconds = () => clock.unscaled(clock.elapsedMs() - registeringSinceMs) / 1000;
  for (let state: string | undefined = "RegisteringDns", running = 0; state !== undefined; running = seconds()) {
    note(`waiting for the operation in flight: ${state}`);
    await clock.sleep(Math.max(0, nextPoll(expected, running) - seconds()) * 1000, signal);
    state = registering(await vaults.get(resourceGroup, name));
  }
}

/** The soft-deleted vault with the name in this subscription, in any location; undefined if there is none. */
async function deletedVault(azure: Azure, name: string): Promise<DeletedVault | undefined> {
  const { vaults } = await azure.vaults();
  for await (const deleted of vaults.listDeleted()) if (sameText(deleted.name, name)) return deleted;
  return undefined;
}

/** Azure recovers a vault only as it was: in its group and location. */
function decideDeleted({ properties = {} }: DeletedVault, what: string, groupName: string, spec: VaultSpec): Decision {
  const { name, owner, location, nameFlag } = spec;
  const ours = ownedBy(properties.tags, owner) === "ours";
  const isHere = sameLocation(properties.location, location);
  if (ours && isHere && isInGroup(properties.vaultId, groupName)) {
    return {
      act: "update",
      why: "it is soft-deleted, and is recovered with its contents",
      changes: [{ path: "state", from: "deleted", to: "recovered" }, ...protectionChange(spec, properties.purgeProtectionEnabled)],
    };
  }
  const home = properties.vaultId && parseResourceId(properties.vaultId).resourceGroup;
  return refuse("ARO-VAULT-001", `${what} is soft-deleted, and its name is not available until it is purged`, {
    because: ours
      ? `it was in ${isHere ? `resource group "${home ?? "?"}"` : (properties.location ?? "another location")}, and can only be recovered there`
      : `it does not belong to this ${"identitySet" in owner ? "identity set" : "cluster"}`,
    next: [
      advise`recover it: ${shell`az keyvault recover --name ${name}`}`,
      properties.purgeProtectionEnabled === true
        ? `or wait until Azure purges it, on ${properties.scheduledPurgeDate ? rfc3339(properties.scheduledPurgeDate) : "its date"}`
        : advise`or purge it with its contents: ${shell`az keyvault purge --name ${name}`}`,
      `or choose a different name with ${nameFlag}`,
    ],
  });
}
