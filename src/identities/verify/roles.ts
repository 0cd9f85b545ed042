/** Rows of the identities' roles on the cluster's resource groups. */
import { joinAdvice, type ShellCommand } from "../../errors/advice.js";
import type { RoleAssignment, RoleDefinition } from "@azure/arm-authorization";
import { orRefused } from "../../azure/or-refused.js";
import { roleOf, type AssignedComponent, type ComponentRole, type RoleScope } from "../../domain/components.js";
import { namedApplication } from "../../domain/identity-names.js";
import { identitySetTag } from "../../domain/ownership.js";
import { sameId } from "../../domain/resource-id.js";
import { assignCommand } from "../../domain/role-assignment-command.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle, roleAssignmentTitle, scopeTitle } from "../../domain/role-assignment-title.js";
import type { Role } from "../../domain/roles.js";
import { tagValue } from "../../domain/tags.js";
import { assigns } from "../../steps/assignment-lists.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { firstOf, unlessFailed } from "../../verify/check-instance.js";
import { checkDenials } from "../../verify/denied-roles.js";
import type { RowKey } from "../../verify/row.js";
import { managedIdentity, federatedSignIn } from "./data-plane.js";
import { principal, signIn } from "./entra.js";
import { roleRow, type IdentityReads } from "./reads.js";
import { catchGroupNotFound, createOrPassAnother, infraOfRoles, namesOn, resourcesIn, scopesIn, unassign, type Scopes } from "./scopes.js";
import { sameText } from "../../text/same-text.js";

/** The scopes at which the role of a component is assigned, according to infra.json. */
interface Wanted {
  readonly infraId: string;
  readonly role: Role;
  readonly scopes: Scopes;
}

function wantedOf({ azure, chain: { infra, customHcpRoles } }: IdentityReads, { assigned }: AssignedComponent): Wanted {
  const scopes = infra === undefined ? {} : scopesIn(infra, azure.connection.subscriptionId);
  return { infraId: infra?.infraID ?? "", role: roleOf(assigned, customHcpRoles), scopes };
}

export const roleDefined = roleRow("role-defined", {}, async (_needs, reads, component): Promise<Finding<RoleDefinition>> => {
  const { role } = wantedOf(reads, component);
  const live = (await reads.builtInRoles()).find(({ name }) => name?.toLowerCase() === role.id);
  if (live) return passed(`${live.roleName ?? role.name} (${role.id})`, live);
  return failed(
    `tenant ${reads.azure.connection.tenantId} has no role ${role.id} (${role.name}): assignments fail with RoleDefinitionDoesNotExist`,
    role === component.assigned.hcpRole
      ? "omit --assign-custom-hcp-roles here and in create infra"
      : "ask Azure support for the built-in role in this cloud; HyperShift expects exactly this role",
  );
});

/** Its service principal, from the directory or from its token. */
const holder = firstOf<{ readonly id: string }, RowKey>(principal, managedIdentity, signIn, federatedSignIn);

export const roleAssigned = roleRow(
  "role-assigned",
  { role: roleDefined, infra: infraOfRoles, principal: unlessFailed(principal, managedIdentity), holder },
  ({ holder: { id } }, reads, component) =>
    catchGroupNotFound(
      () => checkAssignments(reads, component, id),
      (message) => failed(message, createOrPassAnother),
    ),
);

/** Skipped if role-assigned failed, because its advice already deletes the assignment that uses the name. */
export const roleNameFree = roleRow(
  "role-name-free",
  { infra: infraOfRoles, assigned: unlessFailed(roleAssigned), holder },
  ({ holder: { id } }, reads, component) => catchGroupNotFound(() => checkNames(reads, component, id), notChecked),
);

export const roleAllowed = roleRow(
  "role-allowed",
  { role: roleDefined, infra: infraOfRoles, assigned: unlessFailed(roleAssigned), holder },
  async ({ role: { permissions }, infra, holder: { id: objectId } }, reads, component) => {
    const { scopes } = wantedOf(reads, component);
    const given = knownScopes(component.assigned, scopes).map((scope) => ({ component: component.key, objectId, scope, permissions }));
    return checkDenials(await reads.denials(), given, resourcesIn(infra));
  },
);

async function checkAssignments(reads: IdentityReads, component: AssignedComponent, objectId: string): Promise<Finding<unknown>> {
  const { assignments: lists } = reads;
  const { infraId, role, scopes } = wantedOf(reads, component);
  const { assigned, key } = component;
  const known = knownScopes(assigned, scopes);
  const titleOn = (places: readonly string[]) => roleAssignmentTitle({ role: role.name, holder: key, scope: places.join(", ") });
  const seen = await Promise.all(
    known.map(async (scope) => {
      const reaching = (await lists.reaching(scope)).filter((live) => assigns(live, objectId, role));
      return { scope, live: reaching.find((live) => isOn(live, scope)) ?? reaching[0] };
    }),
  );
  const missing = seen.filter(({ live }) => live === undefined).map(({ scope }) => scope);
  if (missing.length === 0) {
    const places = seen.map(
      ({ scope, live }) => `${scopeTitle(scope)}${live && !isOn(live, scope) ? ` (inherited from ${live.scope ?? ""})` : ""}`,
    );
    return passed(`${titleOn(places)}${unknownScopes(assigned, scopes)}`);
  }
  const other = role === assigned.hcpRole ? assigned.role : assigned.hcpRole;
  const instead =
    other && (await Promise.all(missing.map(async (scope) => (await lists.on(scope)).some((live) => assigns(live, objectId, other)))));
  const note =
    other && instead?.every(Boolean)
      ? `; it has ${other.name} there, the role ${role === assigned.hcpRole ? "without" : "with"} --assign-custom-hcp-roles`
      : "";
  const needed = await Promise.all(
    missing.map(async (scope) => {
      const name = roleAssignmentName(infraId, assigned.hypershiftName, scope);
      const conflicting = (await lists.on(scope)).find((live) => live.name?.toLowerCase() === name);
      const commands = [...(conflicting ? [unassign([conflicting])] : []), assign(objectId, role, scope, name)];
      return { commands, otherAssignee: conflicting && (await otherOwner(reads, conflicting, objectId)) };
    }),
  );
  const others = needed.flatMap(({ otherAssignee }) => otherAssignee ?? []);
  return failed(
    [`no ${titleOn(missing.map(scopeTitle))} (object ID ${objectId}, role ${role.id})${note}`, ...others].join("; "),
    others.length > 0
      ? assignToEach
      : joinAdvice(
          needed.flatMap(({ commands }) => commands),
          "; ",
        ),
  );
}

/** A create replaces all assignments together; deleting one by hand could remove a role that another identity needs. */
const assignToEach =
  "rerun the `create infra` or `create all` that created the cluster, with these identities; it assigns each identity its own roles. Do not delete these assignments by hand";

/** Uses the name that `destroy infra` expects. */
function assign(objectId: string, role: Role, scope: string, name: string): ShellCommand {
  return assignCommand({ name, scope, role, objectId, principalType: "ServicePrincipal" });
}

/** HyperShift's `create infra` deletes an assignment with its name, even of another principal. */
async function checkNames(reads: IdentityReads, component: AssignedComponent, objectId: string): Promise<Finding<unknown>> {
  const { infraId, scopes } = wantedOf(reads, component);
  const found = await Promise.all(
    knownScopes(component.assigned, scopes).map(async (scope) => {
      const [live, names] = await Promise.all([reads.assignments.on(scope), namesOn(reads, scope, infraId, component)]);
      return live.filter(({ name }) => names.includes(name?.toLowerCase() ?? ""));
    }),
  );
  const named = found.flat();
  // Check role-assigned reports another role of the same principal.
  const foreign = named.filter(({ principalId = "" }) => !sameText(principalId, objectId));
  if (foreign.length === 0) return passed(`${plural(named.length, "name")} in use by its own role assignments, the others free`);
  const others = (await Promise.all(foreign.map((live) => otherOwner(reads, live, objectId)))).filter((other) => other !== undefined);
  return failed(
    foreign
      .map(({ name = "", principalId = "", roleDefinitionId = "", scope = "" }) => {
        return `${liveAssignmentTitle({ roleDefinitionId, scope }, principalTitle(principalId))} has the name ${name}, so create infra would delete it`;
      })
      .concat(others)
      .join("; "),
    others.length > 0 ? assignToEach : unassign(foreign),
  );
}

/** Each scope once: one resource group may serve as several scopes. */
function knownScopes({ scopes }: ComponentRole, known: Scopes): string[] {
  const ids = scopes.flatMap((scope) => known[scope] ?? []);
  return ids.filter((id, index) => ids.findIndex((other) => sameId(other, id)) === index);
}

const documentFields: Readonly<Record<RoleScope, string>> = {
  managed: "resourceGroupName",
  nsg: "securityGroupID",
  vnet: "vnetID",
  dns: "publicZoneID",
};

function unknownScopes({ scopes }: ComponentRole, known: Scopes): string {
  const names = scopes.filter((scope) => known[scope] === undefined).map((scope) => documentFields[scope]);
  return names.length === 0 ? "" : `; not checked, because infra.json has no ${names.join(", ")}`;
}

function isOn({ scope = "" }: RoleAssignment, id: string): boolean {
  return sameId(scope, id);
}

/** A description of an assignment whose principal is, or may be, another identity that aro-hcp created. */
async function otherOwner(
  reads: IdentityReads,
  { name = "", principalId = "" }: RoleAssignment,
  objectId: string,
): Promise<string | undefined> {
  if (sameText(principalId, objectId)) return undefined;
  const found = await orRefused(identityOf(reads, principalId));
  if (found === undefined) return `${name} belongs to ${principalId}, which cannot be looked up in the directory`;
  return found.ours === undefined ? undefined : `${name} belongs to ${found.ours}`;
}

/** `ours`: "file of set demo"; undefined if aro-hcp did not create it. */
async function identityOf({ azure, identities }: IdentityReads, objectId: string): Promise<{ readonly ours: string | undefined }> {
  const managed = (await orRefused(identities()))?.find(({ principalId }) => sameText(principalId, objectId));
  const tagged = tagValue(managed?.tags, identitySetTag);
  if (tagged !== undefined) return { ours: `${managed?.name ?? objectId} of set ${tagged}` };
  const directory = await azure.directory();
  const [principal] = await directory.principals([objectId]);
  const [application] = principal === undefined ? [] : await directory.applicationsOf([principal.appId]);
  const named = namedApplication(application?.uniqueName ?? "");
  return { ours: named && `${named.component} of set ${named.set.name}` };
}
