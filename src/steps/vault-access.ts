/** The right to work with what is in the vault: given, and waited for until the vault itself grants it. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import type { SignedIn } from "../azure/signed-in.js";
import { defineStep, type Step, type StepIo } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { principalTitle } from "../domain/role-assignment-title.js";
import { certificatesOfficer, secretsOfficer, secretsUser } from "../domain/roles.js";
import { listedAssignments } from "./assignment-lists.js";
import { grant } from "./grant.js";
import type { VaultOutput } from "./key-vault.js";

/** Azure says that a new role reaches the data plane within 10 minutes; it is usually one or two. */
const longestWaitMs = 10 * 60_000;
/** What waits for it is what the run waits for. Each look that is refused is one request, of which a vault takes 4,000 in 10 s. */
const pauseMs = 3_000;

/** The second until a vault that decided by access policies decides by roles. */
const notYet = new Set(["ForbiddenByRbac", "ForbiddenByPolicy"]);

/** A secret that nobody has: whether it may be read is said before whether it is there. */
const noSecret = "aro-hcp-may-read";

export interface VaultAccess {
  /** Done when the vault admits us. */
  readonly access: Step<unknown>;
  readonly grants: readonly Step<unknown>[];
  /** For those who mount the secrets; nobody here waits for it. */
  readonly reader: readonly Step<unknown>[];
}

export function vaultAccess(azure: Azure, vault: Step<VaultOutput>, caller: SignedIn, readerObjectId: string | undefined): VaultAccess {
  const lists = listedAssignments(azure);
  const forCaller = { grantee: principalTitle(caller.objectId, caller), principal: caller };
  const certificates = grant(azure, { id: "vault-certificates-role", role: certificatesOfficer, ...forCaller }, vault, lists);
  const secrets = grant(azure, { id: "vault-secrets-role", role: secretsOfficer, ...forCaller }, vault, lists);
  const access = defineStep({
    id: "vault-access",
    title: `access to ${vault.title}`,
    subject: { kind: "vault-access" },
    needs: { vault, certificates, secrets },
    within: "vault",
    read: async ({ vault: { name, exists } }) => (exists && (await admitted(azure, name)) ? "admitted" : undefined),
    decide: (live) => (live ? { act: "keep" } : { act: "create", why: "a role takes up to 10 minutes to reach the vault" }),
    async apply(_live, { vault: { name } }, io) {
      await untilAdmitted(azure, name, io);
      return "admitted" as const;
    },
    output: () => undefined,
  });
  if (readerObjectId === undefined) return { access, grants: [certificates, secrets], reader: [] };
  const principal = { objectId: readerObjectId, principalType: "ServicePrincipal" } as const;
  const grantee = principalTitle(readerObjectId, caller);
  const reader = grant(azure, { id: "vault-reader-role", role: secretsUser, grantee, principal }, vault, lists);
  return { access, grants: [certificates, secrets], reader: [reader] };
}

async function untilAdmitted(azure: Azure, name: string, io: StepIo): Promise<void> {
  const { clock } = azure.connection;
  for (let waitedMs = 0; !(await admitted(azure, name)); waitedMs += pauseMs) {
    if (waitedMs >= longestWaitMs) {
      throw new Failure(
        "ARO-AUTHZ-005",
        `${quotedTitleOf(resourceTypes.keyVault, name)} still does not admit the signed-in principal, 10 minutes after it got its roles`,
      );
    }
    io.note(
      `waiting for the roles to reach the vault (${String(Math.round(waitedMs / 1000))} s of at most ${String(longestWaitMs / 1000)} s)`,
    );
    await clock.sleep(pauseMs, io.signal);
  }
}

/**
 * Asks what will be asked. One client after the other, and each alone: the SDK signs in with the first request of a client, and loses the body
 * of another that is sent meanwhile.
 */
async function admitted(azure: Azure, name: string): Promise<boolean> {
  const { certificates, secrets } = await azure.vaultContent(name);
  try {
    await firstOf(certificates.listPropertiesOfCertificates());
    // A reader of the vault may list secrets too, and read none. There is none of that name.
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
