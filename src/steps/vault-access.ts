/** Access to the contents of the vault: assigns the roles and waits until the vault accepts them. */
import type { Azure } from "../azure/azure.js";
import { admitted, waitForAccess, type WrittenContents } from "../azure/vault-admission.js";
import { usualRoleDelay } from "../azure/expected-durations.js";
import type { SignedIn } from "../azure/signed-in.js";
import { byId, defineStep, type Step } from "../engine/step.js";
import { principalTitle } from "../domain/role-assignment-title.js";
import { certificatesOfficer, secretsOfficer, secretsUser, type Role } from "../domain/roles.js";
import { listedAssignments } from "./assignment-lists.js";
import { grant } from "./grant.js";
import { untilRegistered, type VaultOutput } from "./key-vault.js";
import { roleForOneRun } from "./role-for-one-run.js";

/** The role for each kind of contents. */
const officers: Readonly<Record<VaultContents, readonly { readonly id: string; readonly role: Role }[]>> = {
  "certificates and secrets": [
    { id: "vault-certificates-role", role: certificatesOfficer },
    { id: "vault-secrets-role", role: secretsOfficer },
  ],
  secrets: [{ id: "vault-secrets-role", role: secretsOfficer }],
};

/** The keys of a vault have a role for each run: see `azure/vault-role.ts`. */
type VaultContents = Exclude<WrittenContents, "keys">;

/** What a step that uses the contents needs. */
export type Admission = "admitted";

export interface VaultAccess {
  /** Completes when DNS has the vault and the vault grants access. */
  readonly access: Step<Admission>;
  readonly grants: readonly Step<unknown>[];
  /** The role of the principal that mounts the secrets. No step waits for it. */
  readonly reader: readonly Step<unknown>[];
  /** The steps that take the roles back after those that use them; none if the roles stay. */
  takeBack(steps: readonly Step<unknown>[]): readonly Step<unknown>[];
}

export interface AccessOptions {
  readonly readerObjectId?: string | undefined;
  readonly contents?: VaultContents;
  /** Whether the roles that the run assigns to the signed-in principal stay. */
  readonly keepsRoles: boolean;
  /** The description of the role assignments that stay, on a vault that outlives what uses it. */
  readonly purpose?: string | undefined;
}

/** Assigns only the roles that the contents need. */
export function vaultAccess(
  azure: Azure,
  vault: Step<VaultOutput>,
  caller: SignedIn,
  { readerObjectId, contents = "certificates and secrets", keepsRoles, purpose }: AccessOptions,
): VaultAccess {
  const lists = listedAssignments(azure);
  const forCaller = { holder: principalTitle(caller.objectId, caller), principal: caller, purpose };
  const forOneRun = keepsRoles ? [] : officers[contents].map((officer) => roleForOneRun(azure, officer, vault, lists, caller));
  const grants = keepsRoles
    ? officers[contents].map((officer) => grant(azure, { ...officer, ...forCaller }, vault, lists))
    : forOneRun.map(({ assigned }) => assigned);
  const access = defineStep({
    id: "vault-access",
    title: `access to ${vault.title}`,
    subject: { kind: "vault-access" },
    seconds: usualRoleDelay,
    needs: { vault, ...byId<Step<unknown>>(grants) },
    within: "vault",
    read: async ({ vault: { name, exists } }) => (exists && (await admitted(azure, name, contents)) ? ("admitted" as const) : undefined),
    decide: (live) => (live ? { act: "keep" } : { act: "create", why: "a role takes up to 10 minutes to reach the vault" }),
    async apply(_live, { vault: live }, io) {
      await untilRegistered(azure, live, io);
      await waitForAccess(azure, live.name, contents, io);
      return "admitted" as const;
    },
    output: (live) => live,
  });
  const takeBack = (steps: readonly Step<unknown>[]) => forOneRun.map((one) => one.end(steps));
  if (readerObjectId === undefined) return { access, grants, reader: [], takeBack };
  const principal = { objectId: readerObjectId, principalType: "ServicePrincipal" } as const;
  const holder = principalTitle(readerObjectId, caller);
  const reader = grant(azure, { id: "vault-reader-role", role: secretsUser, holder, principal, purpose }, vault, lists);
  return { access, grants, reader: [reader], takeBack };
}
