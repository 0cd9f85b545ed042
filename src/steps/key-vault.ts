/** The Key Vault that holds certificates and credential secrets: made, recovered where it was deleted, or refused. */
import { advise, shell } from "../errors/advice.js";
import type { DeletedVault, Vault } from "@azure/arm-keyvault";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { begun, finish, found, leastDuration, pollInterval } from "../azure/long-running.js";
import { defineLookup, defineStep, type Decision, type Step } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import type { IdentitySetKey, IdentitySpec } from "../domain/identity-spec.js";
import { ownedBy, ownershipTags } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { formatResourceId, isInGroup, parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { createFirst, decideOwned, refuse } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";

const row = resourceTypes.keyVault;

export interface VaultOutput {
  readonly id: string;
  readonly name: string;
  /** False while it is only planned or still deleted: what is in it cannot be asked for. */
  readonly exists: boolean;
}

/** A deleted vault keeps its name, in the whole world, until it is purged. */
interface LiveVault {
  readonly vault?: Vault;
  readonly deleted?: DeletedVault;
  /** Somebody else's, somewhere else: in Azure's words. */
  readonly taken?: string;
}

export function keyVault(
  azure: Azure,
  { key, tenantId, location }: Pick<IdentitySpec, "key" | "tenantId" | "location">,
  group: Step<GroupOutput>,
): Step<VaultOutput> {
  const name = key.vaultName;
  const what = quotedTitleOf(row, name);
  const owner = { identitySet: key.name };
  const idIn = (scope: string) => formatResourceId(scope, row.type, name);
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: group.resourceId && idIn(group.resourceId),
    // Not within the group: a deleted vault holds its name also where its group is gone.
    needs: { group },
    async read({ group: { name: groupName } }): Promise<LiveVault | undefined> {
      const { vaults } = await azure.vaults();
      const vault = await found(vaults.get(groupName, name));
      if (vault) return { vault };
      const deleted = await deletedVault(azure, name);
      if (deleted) return { deleted };
      const { nameAvailable, message = "" } = await vaults.checkNameAvailability({ name, type: row.type });
      return nameAvailable === false ? { taken: message } : undefined;
    },
    busy: ({ vault }) => (vault?.properties.provisioningState === "RegisteringDns" ? "RegisteringDns" : undefined),
    decide(live, { group: { name: groupName } }) {
      if (live?.taken !== undefined) return refuse("ARO-VAULT-002", `the name of ${what} is taken`, { because: live.taken });
      if (live?.deleted) return decideDeleted(live.deleted, what, name, groupName, owner.identitySet);
      return decideOwned(live?.vault, { row, name, owner, location, otherName: "--key-vault-name" }, ({ properties }) =>
        properties.enableRbacAuthorization === true
          ? []
          : [{ path: "properties.enableRbacAuthorization", from: properties.enableRbacAuthorization, to: true }],
      );
    },
    async apply(live, { group: { name: groupName } }): Promise<LiveVault> {
      const { vaults } = await azure.vaults();
      if (live?.vault) return { vault: await vaults.update(groupName, name, { properties: { enableRbacAuthorization: true } }) };
      try {
        return {
          vault: await finish(azure, pollInterval.keyVault, (options) =>
            begun(
              vaults.createOrUpdate(
                groupName,
                name,
                {
                  location,
                  tags: ownershipTags(owner),
                  properties: {
                    tenantId,
                    sku: { family: "A", name: "standard" },
                    // Said outright: newer versions of the API take it for granted, older ones the opposite.
                    enableRbacAuthorization: true,
                    enableSoftDelete: true,
                    accessPolicies: [],
                    ...(live?.deleted && { createMode: "recover" as const }),
                  },
                },
                options,
              ),
              // What is recovered is known to DNS already.
              live?.deleted ? undefined : (signal) => azure.connection.clock.sleep(leastDuration.keyVault, signal),
            ),
          ),
        };
      } catch (error) {
        // ConflictError: deleted since it was looked for.
        if (azureCodeOf(error) === "ConflictError") throw new Stale("it was deleted meanwhile", { cause: error });
        throw error;
      }
    },
    predict: ({ group: { id } }) => ({ id: idIn(id), name, exists: false }),
    output: (live, { group: { id } }) => ({ id: live.vault?.id ?? idIn(id), name, exists: live.vault !== undefined }),
  });
}

/** For what works on a set that was made before. */
export function existingVault(azure: Azure, { name: set, groupName, vaultName }: IdentitySetKey): Step<VaultOutput> {
  const what = quotedTitleOf(row, vaultName);
  return defineLookup({
    id: row.use.step,
    title: titleOf(row, vaultName),
    subject: { kind: "resource", type: row.type, existing: true },
    needs: {},
    read: async () => found((await azure.vaults()).vaults.get(groupName, vaultName)),
    decide(live) {
      if (!live) {
        return refuse("ARO-OWN-003", `${what} does not exist`, {
          next: ["check --name, --persistent-resource-group-name and --key-vault-name", createFirst],
        });
      }
      if (ownedBy(live.tags, { identitySet: set }) !== "ours")
        return refuse("ARO-OWN-001", `${what} is not of this set of identities`, { next: ["check --name and --key-vault-name"] });
      return { act: "adopt" };
    },
    output: (live) => ({ id: live.id ?? "", name: vaultName, exists: true }),
  });
}

/** Of this subscription, wherever it was; undefined where no deleted vault holds the name. */
async function deletedVault(azure: Azure, name: string): Promise<DeletedVault | undefined> {
  const { vaults } = await azure.vaults();
  for await (const deleted of vaults.listDeleted()) if (deleted.name?.toLowerCase() === name.toLowerCase()) return deleted;
  return undefined;
}

function decideDeleted({ properties = {} }: DeletedVault, what: string, name: string, groupName: string, set: string): Decision {
  const ours = ownedBy(properties.tags, { identitySet: set }) === "ours";
  if (ours && isInGroup(properties.vaultId, groupName)) {
    return {
      act: "update",
      why: "it was deleted and can be recovered, with all that was in it",
      changes: [{ path: "state", from: "deleted", to: "recovered" }],
    };
  }
  const home = properties.vaultId && parseResourceId(properties.vaultId).resourceGroup;
  return refuse("ARO-VAULT-001", `${what} was deleted, and its name is not free before it is purged`, {
    because: ours ? `it was in resource group "${home ?? "?"}", where alone it can be recovered` : "it is not of this set of identities",
    next: [
      advise`recover it: ${shell`az keyvault recover --name ${name}`}`,
      properties.purgeProtectionEnabled === true
        ? `or wait until it is purged by itself, on ${properties.scheduledPurgeDate?.toISOString() ?? "its date"}`
        : advise`or do away with it and all that was in it: ${shell`az keyvault purge --name ${name}`}`,
      "or choose another name with --key-vault-name",
    ],
  });
}
