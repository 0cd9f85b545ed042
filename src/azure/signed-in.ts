/** Whom we are signed in as, as the access token itself tells: the object that roles are given to. */
import { Failure } from "../errors/failure.js";
import type { Connection } from "./connection.js";

export interface SignedIn {
  /** Object id in the directory; of a service principal, not of its application. */
  readonly objectId: string;
  readonly principalType: "ServicePrincipal" | "User";
  readonly tenantId: string;
}

/** Claims of Entra's access tokens: https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference. */
interface Claims {
  readonly oid?: unknown;
  readonly tid?: unknown;
  /** "app" or "user". */
  readonly idtyp?: unknown;
  /** Scopes that a user consented to: tokens of applications have none. */
  readonly scp?: unknown;
  /** Application permissions. */
  readonly roles?: unknown;
  /** Directory roles, by their templates' ids. */
  readonly wids?: unknown;
}

/** Throws ARO-AUTH-001 where the token does not say. Its signature is for Azure to check, not for us. */
export async function signedIn({ credential, cloud }: Connection): Promise<SignedIn> {
  const token = await credential.getToken(cloud.resourceManagerScope);
  const { oid, tid, idtyp, scp } = claimsOf(token?.token ?? "");
  if (typeof oid !== "string" || typeof tid !== "string") {
    throw new Failure("ARO-AUTH-001", "the access token does not say who is signed in", {
      because: "it has no object id or no tenant (claims oid and tid), and a role is to be given to that object",
    });
  }
  return { objectId: oid, tenantId: tid, principalType: idtyp === "user" || scp !== undefined ? "User" : "ServicePrincipal" };
}

/** Nothing of a token that is none. */
export function claimsOf(token: string): Claims {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Claims;
  } catch {
    return {};
  }
}
