/** Access to the contents of the vault: assigns the roles and waits until the vault accepts them. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { usualRoleDelay } from "../azure/expected-durations.js";
import { found } from "../azure/long-running.js";
import type { SignedIn } from "../azure/signed-in.js";
import { defineStep, type Step, type StepIo } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { principalTitle } from "../domain/role-assignment-title.js";
import { certificatesOfficer, cryptoOfficer, secretsOfficer, secretsUser, type Role } from "../domain/roles.js";
import { listedAssignments } from "./assignment-lists.js";
import { grant } from "./grant.js";
import { untilRegistered, type VaultOutput } from "./key-vault.js";

/** Azure documents up to 10 minutes until a new role takes effect in the data plane; usually it is one or two. */
const longestWaitMs = 10 * 60_000;
/** The run waits for these retries. Each is one request, and a vault allows 4,000 in 10 s. */
const pauseMs = 2_000;

/** A vault takes about a second to switch from access policies to Azure RBAC. */
const notYet = new Set(["ForbiddenByRbac", "ForbiddenByPolicy"]);

/** A secret that does not exist: the vault checks the permission before the existence. */
const noSecret = "aro-hcp-may-read";

/** A key that does not exist. */
const noKey = noSecret;

/** What the run writes in the vault. */
type Contents = "certificates and secrets" | "secrets" | "keys";

/** The role for each kind of contents. */
const officers: Readonly<Record<Contents, readonly { readonly id: string; readonly role: Role }[]>> = {
  "certificates and secrets": [
    { id: "vault-certificates-role", role: certificatesOfficer },
    { id: "vault-secrets-role", role: secretsOfficer },
  ],
  secrets: [{ id: "vault-secrets-role", role: secretsOfficer }],
  keys: [{ id: "vault-keys-role", role: cryptoOfficer }],
};

export interface VaultAccess {
  /** Completes when DNS has the vault and the vault grants access. */
  readonly access: Step<unknown>;
  readonly grants: readonly Step<unknown>[];
  /** For the principal that mounts the secrets. No step waits for it. */
  readonly reader: readonly Step<unknown>[];
}

/** Assigns only the roles that the contents need. */
export function vaultAccess(
  azure: Azure,
  vault: Step<VaultOutput>,
  caller: SignedIn,
  readerObjectId: string | undefined,
  contents: Contents = "certificates and secrets",
): VaultAccess {
  const lists = listedAssignments(azure);
  const forCaller = { grantee: principalTitle(caller.objectId, caller), principal: caller };
  const grants = officers[contents].map((officer) => grant(azure, { ...officer, ...forCaller }, vault, lists));
  const access = defineStep({
    id: "vault-access",
    title: `access to ${vault.title}`,
    subject: { kind: "vault-access" },
    seconds: usualRoleDelay,
    needs: { vault, ...Object.fromEntries(grants.map((step) => [step.id, step])) },
    within: "vault",
    read: async ({ vault: { name, exists } }) => (exists && (await admitted(azure, name, contents)) ? "admitted" : undefined),
    decide: (live) => (live ? { act: "keep" } : { act: "create", why: "a role takes up to 10 minutes to reach the vault" }),
    async apply(_live, { vault: live }, io) {
      await untilRegistered(azure, live, io);
      await waitForAccess(azure, live.name, contents, io);
      return "admitted" as const;
    },
    output: () => undefined,
  });
  if (readerObjectId === undefined) return { access, grants, reader: [] };
  const principal = { objectId: readerObjectId, principalType: "ServicePrincipal" } as const;
  const grantee = principalTitle(readerObjectId, caller);
  const reader = grant(azure, { id: "vault-reader-role", role: secretsUser, grantee, principal }, vault, lists);
  return { access, grants, reader: [reader] };
}

/** @throws ARO-AUTHZ-005 if the vault still denies access after the longest documented delay */
export async function waitForAccess(azure: Azure, name: string, contents: Contents, io: StepIo): Promise<void> {
  const { clock } = azure.connection;
  for (let waitedMs = 0; !(await admitted(azure, name, contents)); waitedMs += pauseMs) {
    if (waitedMs >= longestWaitMs) {
      throw new Failure(
        "ARO-AUTHZ-005",
        `${quotedTitleOf(resourceTypes.keyVault, name)} still denies access to the signed-in principal, 10 minutes after its role assignments`,
      );
    }
    io.note(
      `waiting for the role assignments to take effect in the vault (${String(Math.round(waitedMs / 1000))} s of at most ${String(longestWaitMs / 1000)} s)`,
    );
    await clock.sleep(pauseMs, io.signal);
  }
}

/**
 * Tries the requests of later steps, one client at a time. The SDK signs in with the first request of a client
 * and loses the body of a concurrent one.
 */
async function admitted(azure: Azure, name: string, contents: Contents): Promise<boolean> {
  try {
    if (contents === "keys") {
      await found((await azure.vaultKeys(name)).getKey(noKey));
      return true;
    }
    const { certificates, secrets } = await azure.vaultContent(name);
    if (contents !== "secrets") await firstOf(certificates.listPropertiesOfCertificates());
    // A reader of the vault can list secrets but not read them. No secret has that name.
    await found(secrets.getSecret(noSecret));
    return true;
  } catch (error) {
    if (isRestError(error) && notYet.has(azureCodeOf(error) ?? "")) return false;
    throw error;
  }
}

async function firstOf(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) return;
}
