/** The deterministic name of a role assignment, which HyperShift computes in the same way. */
import { parse, v5 } from "uuid";

/** Namespace of DNS names: RFC 9562, 6.6. */
const namespace = parse("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

/**
 * UUIDv5 in lower case of `<infra-id>-<component>-<scope>`. It is case-sensitive: `scope` is the group's ID as `resourceGroupId` writes it, with the
 * group's name as Azure spells it. The role is not part of it: another role of the same component on the same scope has the same name.
 */
export function roleAssignmentName(infraId: string, component: string, scope: string): string {
  return nameOf(`${infraId}-${component}-${scope}`);
}

/** The name of a role assignment on a created resource for a principal that uses it. Each principal has its own. */
export function grantName(principalId: string, roleId: string, scope: string): string {
  return nameOf(`${principalId}-${roleId}-${scope}`.toLowerCase());
}

/** A destroy computes thousands, and the package needs twice as long for a string as for its bytes. */
function nameOf(text: string): string {
  return v5(Buffer.from(text), namespace);
}
