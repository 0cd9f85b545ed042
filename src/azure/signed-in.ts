/** The signed-in principal, read from the access token: the object that roles are assigned to. */
import { Failure } from "../errors/failure.js";
import type { Connection } from "./connection.js";

export interface SignedIn {
  /** Object ID in the directory: of a service principal, not of its application. */
  readonly objectId: string;
  readonly principalType: "ServicePrincipal" | "User";
  readonly tenantId: string;
  /** The client ID of the application that signed in; undefined if the token does not name it. */
  readonly clientId?: string | undefined;
  /** The name that a user signs in with: "jane@example.com"; a service principal has none in its tokens. */
  readonly name?: string | undefined;
}

/** Claims of Entra's access tokens: https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference. */
interface Claims {
  readonly oid?: unknown;
  readonly tid?: unknown;
  /** The client ID, in tokens of version 1 and 2. */
  readonly appid?: unknown;
  readonly azp?: unknown;
  /** The name of a user: in tokens of version 1, of guests, and of version 2. */
  readonly upn?: unknown;
  readonly unique_name?: unknown;
  readonly preferred_username?: unknown;
  /** "app" or "user". */
  readonly idtyp?: unknown;
  /** Scopes that a user consented to; tokens of applications have none. */
  readonly scp?: unknown;
  readonly roles?: unknown;
  /** Directory roles, by the IDs of their templates. */
  readonly wids?: unknown;
}

/** @throws ARO-AUTH-001 if the token does not identify the principal. Azure verifies the signature, not this program. */
export async function signedIn({ credential, cloud }: Pick<Connection, "credential" | "cloud">): Promise<SignedIn> {
  const token = await credential.getToken(cloud.resourceManagerScope);
  const { oid, tid, idtyp, scp, appid, azp, upn, unique_name, preferred_username } = claimsOf(token?.token ?? "");
  if (typeof oid !== "string" || typeof tid !== "string") {
    throw new Failure("ARO-AUTH-001", "the access token does not identify the signed-in principal", {
      because: "it lacks an object ID or a tenant ID (claims oid and tid), which role assignments need",
    });
  }
  const clientId = [appid, azp].find((claim) => typeof claim === "string");
  const name = [upn, unique_name, preferred_username].find((claim) => typeof claim === "string");
  return {
    objectId: oid,
    tenantId: tid,
    principalType: idtyp === "user" || scp !== undefined ? "User" : "ServicePrincipal",
    ...(clientId !== undefined && { clientId }),
    ...(name !== undefined && { name }),
  };
}

/** Empty if the token is not a JWT. */
export function claimsOf(token: string): Claims {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Claims;
  } catch {
    return {};
  }
}
