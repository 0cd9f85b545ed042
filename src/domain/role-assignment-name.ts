/** The deterministic name of a role assignment, the same that HyperShift computes, so that either finds the other's. */
import { v5 } from "uuid";

/** Namespace of DNS names: RFC 9562, 6.6. */
const namespace = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

/**
 * UUIDv5 in lower case of `<infra-id>-<component>-<scope>`. Casing counts: `scope` is the group's id as `resourceGroupId` writes it, with the
 * group's name as Azure spells it. The role is not part of it: another role of the same component on the same scope has the same name.
 */
export function roleAssignmentName(infraId: string, component: string, scope: string): string {
  return v5(`${infraId}-${component}-${scope}`, namespace);
}

/** The name of a role that we give on a resource of ours to somebody who works with it: several may, each under a name of their own. */
export function grantName(principalId: string, roleId: string, scope: string): string {
  return v5(`${principalId}-${roleId}-${scope}`.toLowerCase(), namespace);
}
