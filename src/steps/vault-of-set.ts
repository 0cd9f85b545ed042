/** The vault of an identity set: its own, or one that somebody else has prepared, which is used and never changed. */
import type { Vault } from "@azure/arm-keyvault";
import type { Azure } from "../azure/azure.js";
import { namesGivenVault, readVaultOfSet } from "../azure/set-vault.js";
import { signedIn } from "../azure/signed-in.js";
import { vaultGroupOf } from "../domain/given-vault.js";
import { defaultVaultName } from "../domain/identity-names.js";
import type { IdentitySetKey, IdentitySpec } from "../domain/identity-spec.js";
import { ownedBy } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownsVault, setVaultTags } from "../domain/set-ownership.js";
import { defineLookup, type Step } from "../engine/step.js";
import { advise, shell, type Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { keyVault, type VaultOutput } from "./key-vault.js";
import { useExisting, createFirst, refuse } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";

const row = resourceTypes.keyVault;

/** The vault step of a command that creates the set. */
export function vaultOfSet(
  azure: Azure,
  { key, tenantId, location, purgeProtection }: Pick<IdentitySpec, "key" | "tenantId" | "location" | "purgeProtection">,
  group: Step<GroupOutput>,
): Step<VaultOutput> {
  if (key.givenVaultId !== undefined) return givenVault(azure, key, key.givenVaultId);
  const owner = { identitySet: key.name };
  const spec = { name: key.vaultName, owner, tags: setVaultTags(key), tenantId, location, purgeProtection };
  return keyVault(azure, { ...spec, nameFlag: "--key-vault-name" }, group);
}

/** What exists instead of a set without a vault. */
export type ExplainMissing = (azure: Azure, key: IdentitySetKey) => Promise<string>;

/** The vault step of commands on an existing set. */
export function existingVault(azure: Azure, key: IdentitySetKey, explain?: ExplainMissing): Step<VaultOutput> {
  if (key.givenVaultId !== undefined) return givenVault(azure, key, key.givenVaultId);
  const { name: set, vaultName } = key;
  const what = quotedTitleOf(row, vaultName);
  // Only for the message: a step without its resource has no state.
  let given: readonly Advice[] = [];
  let because: string | undefined;
  return defineLookup({
    id: row.use.step,
    title: titleOf(row, vaultName),
    subject: { kind: "resource", type: row.type, existing: true },
    needs: {},
    async read() {
      const vault = await readVaultOfSet(azure, key);
      given = vault === undefined ? await namesGivenVault(azure, key) : [];
      because = vault === undefined && given.length === 0 ? await explain?.(azure, key) : undefined;
      return vault;
    },
    decide(live) {
      if (!live) {
        const unknown: Advice[] = [
          "check --identities-name, --persistent-resource-group-name and --key-vault-name",
          "if somebody else has prepared the vault of the set, pass --key-vault-id",
          createFirst,
        ];
        return refuse("ARO-OWN-003", `${what} does not exist`, { because, next: given.length > 0 ? given : unknown });
      }
      if (ownedBy(live.tags, { identitySet: set }) !== "ours")
        return refuse("ARO-OWN-001", `${what} does not belong to this identity set`, {
          next: ["check --identities-name and --key-vault-name"],
        });
      return { act: "use" };
    },
    output: (live) => ({ id: live.id ?? "", name: vaultName, exists: true }),
  });
}

interface GivenVault {
  readonly vault: Vault;
  /** The tenant of the subscription. */
  readonly tenantId: string;
}

/** A given vault in any resource group of the subscription. */
function givenVault(azure: Azure, set: IdentitySetKey, id: string): Step<VaultOutput> {
  const { vaultName: name } = set;
  const what = quotedTitleOf(row, name);
  const ownKey = { ...set, givenVaultId: undefined, vaultName: defaultVaultName(set) };
  return defineLookup({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true, anywhere: true },
    resourceId: id,
    needs: {},
    async read(): Promise<GivenVault | undefined> {
      const [vault, { tenantId }] = await Promise.all([readVaultOfSet(azure, set), signedIn(azure.connection)]);
      return vault && { vault, tenantId };
    },
    decide: (live) =>
      useExisting(live?.vault, { row, what, flag: "--key-vault-id" }, (vault) => {
        // A destroy without the flag would delete it.
        if (sameText(vaultGroupOf(set), set.groupName) && ownsVault(ownKey, vault)) {
          return new Failure("ARO-OWN-003", `${what} is the own vault of identity set "${set.name}"`, {
            because: "--key-vault-id is for a vault that somebody else has prepared, and that a destroy leaves",
            next: ["omit --key-vault-id"],
          });
        }
        if (!sameText(vault.properties.tenantId, live?.tenantId)) {
          return new Failure("ARO-OWN-003", `${what} is in tenant ${vault.properties.tenantId}, not in ${live?.tenantId ?? ""}`, {
            because: "existing vaults are never changed, and this one accepts no principal of the tenant of the set",
            next: ["pass a vault of the same tenant as --key-vault-id"],
          });
        }
        return usesPolicies(vault);
      }),
    output: ({ vault }) => ({ id: vault.id ?? id, name, exists: true }),
  });
}

/** Why an existing vault without Azure RBAC cannot be used; undefined if it has that. */
export function usesPolicies({ name = "", properties }: Vault): Failure | undefined {
  if (properties.enableRbacAuthorization === true) return undefined;
  return new Failure("ARO-OWN-003", `${quotedTitleOf(row, name)} uses access policies, not Azure RBAC`, {
    because: "existing vaults are never changed, and a role assignment has no effect on this one",
    next: [advise`ask its owner to switch it: ${shell`az keyvault update --name ${name} --enable-rbac-authorization true`}`],
  });
}
