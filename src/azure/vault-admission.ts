/** Whether a vault grants access to its contents: a role assignment takes effect there only after minutes. */
import { isRestError } from "@azure/core-rest-pipeline";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceTypes } from "../domain/resource-types.js";
import { grantVaultRoles } from "../errors/access-failures.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import { found } from "./long-running.js";

/** Azure documents up to 10 minutes until a new role takes effect in the data plane; usually it is one or two. */
export const longestWaitMs = 10 * 60_000;
/** The run waits for these retries. Each is one request, and a vault allows 4,000 in 10 s. */
export const pauseMs = 2_000;

/** A vault takes about a second to switch from access policies to Azure RBAC. */
export const notYet = new Set(["ForbiddenByRbac", "ForbiddenByPolicy"]);

/** A secret or key that does not exist: the vault checks the permission before the existence. */
const nothing = "aro-hcp-may-read";

export type WrittenContents = "certificates and secrets" | "secrets" | "keys";

export interface Waiting {
  readonly signal: AbortSignal;
  note(text: string): void;
}

/** @throws ARO-AUTHZ-005 if the vault still denies access after the longest documented delay */
export async function waitForAccess(azure: Azure, name: string, contents: WrittenContents, io: Waiting): Promise<void> {
  const { clock } = azure.connection;
  for (let waitedMs = 0; !(await admitted(azure, name, contents)); waitedMs += pauseMs) {
    if (waitedMs >= longestWaitMs) {
      throw new Failure(
        "ARO-AUTHZ-005",
        `${quotedTitleOf(resourceTypes.keyVault, name)} still denies access to the signed-in principal, 10 minutes after its role assignments`,
        { next: grantVaultRoles(contents === "certificates and secrets" ? ["certificates", "secrets"] : [contents]) },
      );
    }
    io.note(`waiting for the role assignments to take effect in the vault, which takes up to ${plural(longestWaitMs / 60_000, "minute")}`);
    await clock.sleep(pauseMs, io.signal);
  }
}

/**
 * Tries the requests of later steps, one client at a time. The SDK signs in with the first request of a client
 * and loses the body of a concurrent one.
 */
export async function admitted(azure: Azure, name: string, contents: WrittenContents): Promise<boolean> {
  try {
    if (contents === "keys") {
      // Key Vault Crypto User can read keys, but not how they are rotated.
      await found((await azure.vaultKeys(name)).getKeyRotationPolicy(nothing));
      return true;
    }
    const { certificates, secrets } = await azure.vaultContent(name);
    if (contents !== "secrets") await firstOf(certificates.listPropertiesOfCertificates());
    // A reader of the vault can list secrets but not read them. No secret has that name.
    await found(secrets.getSecret(nothing));
    return true;
  } catch (error) {
    if (isRestError(error) && notYet.has(azureCodeOf(error) ?? "")) return false;
    throw error;
  }
}

async function firstOf(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) return;
}

/** The errors of a vault that denies access: because of roles, access policies or the network. */
const deniedCodes = new Set(["ForbiddenByRbac", "ForbiddenByPolicy", "ForbiddenByFirewall", "ForbiddenByConnection"]);

/** Undefined if the vault denies access to its contents. */
export async function orDenied<T>(read: Promise<T>): Promise<T | undefined> {
  const result = await orDenial(read);
  return "denied" in result ? undefined : result.value;
}

/** The code of the error instead, if the vault denies access to its contents. */
export async function orDenial<T>(read: Promise<T>): Promise<{ readonly value: T } | { readonly denied: string }> {
  try {
    return { value: await read };
  } catch (error) {
    const denied = isRestError(error) ? azureCodeOf(error) : undefined;
    if (denied === undefined || !deniedCodes.has(denied)) throw error;
    return { denied };
  }
}
