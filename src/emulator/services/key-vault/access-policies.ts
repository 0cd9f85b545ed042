/** What a vault's access policies permit: each names a principal, and its permissions on secrets, keys and certificates. */
import type { StoredResource } from "../../state/state.js";
import type { Caller } from "../../core/service.js";

export interface Permission {
  readonly of: "secrets" | "keys" | "certificates";
  /** In lower case: "get", "wrapkey". */
  readonly to: string;
}

interface AccessPolicy {
  readonly objectId: string;
  readonly applicationId?: string;
  readonly permissions: Partial<Record<Permission["of"], readonly string[]>>;
}

/** Data actions whose permission has another name. */
const names: Readonly<Record<string, string>> = {
  "secrets/getSecret/action": "get",
  "secrets/setSecret/action": "set",
  "secrets/update/action": "set",
  "keys/wrap/action": "wrapkey",
  "keys/unwrap/action": "unwrapkey",
  "certificatecas/write": "setissuers",
  "certificatecas/delete": "deleteissuers",
  "keyrotationpolicies/read": "getrotationpolicy",
  "keyrotationpolicies/write": "setrotationpolicy",
};

/** The permission for a route's data action ("keys/read"): policies tell a read of one from a list of all or of its versions. */
export function permissionFor({ action, path }: { readonly action: string; readonly path: string }): Permission {
  const [collection = "", verb = ""] = action.split("/");
  const read = path.includes("{name}") && !path.endsWith("/versions") ? "get" : "list";
  const of = collection === "keyrotationpolicies" ? "keys" : collection === "certificatecas" ? "certificates" : collection;
  const reads = verb === "read" || verb === "readMetadata";
  const to = names[action] ?? (reads ? `${read}${collection === "certificatecas" ? "issuers" : ""}` : verb);
  return { of: of as Permission["of"], to };
}

/** A policy for an application that acts for the principal does not permit the principal itself anything. */
export function isPermitted({ properties }: StoredResource, { objectId }: Caller, { of, to }: Permission): boolean {
  const policies = (properties["accessPolicies"] ?? []) as readonly AccessPolicy[];
  return policies
    .filter((one) => one.applicationId === undefined && one.objectId.toLowerCase() === objectId.toLowerCase())
    .flatMap(({ permissions }) => permissions[of] ?? [])
    .some((one) => [to, "all"].includes(one.toLowerCase()));
}
