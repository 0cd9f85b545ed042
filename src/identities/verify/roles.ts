/** Checks of the identities' roles on the cluster's resource groups. */
import { joinAdvice, type ShellCommand } from "../../errors/advice.js";
import type { RoleAssignment, RoleDefinition } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import type { DenyAssignmentResponse } from "../../azure/arm-responses.js";
import { listDenyAssignments } from "../../azure/deny-assignments.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { all } from "../../azure/pages.js";
import {
  assignedComponents,
  isEnabled,
  roleOf,
  type AssignedComponent,
  type ComponentRole,
  type RoleScope,
} from "../../domain/components.js";
import { sameId, subscriptionScope } from "../../domain/resource-id.js";
import { assignCommand } from "../../domain/role-assignment-command.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle, roleAssignmentTitle, scopeTitle } from "../../domain/role-assignment-title.js";
import type { Role } from "../../domain/roles.js";
import { assigns, listedAssignments, type AssignmentLists } from "../../steps/assignment-lists.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, notCheckedFor, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { checkDenials } from "../../verify/denied-roles.js";
import { danglingCheckInstances, unassign } from "./dangling.js";
import { objectIdOf, type Acting } from "./entra.js";
import type { AssigneeLookup } from "./assignees.js";
import {
  createOrPassAnother,
  namesOn,
  resourcesIn,
  scopesIn,
  spellingsOf,
  catchGroupNotFound,
  type Scopes,
  type Spellings,
} from "./scopes.js";
import { sameText } from "../../text/same-text.js";

/** An identity that needs a role. */
export interface RoleHolder {
  readonly component: AssignedComponent;
  readonly principal: CheckInstance<{ readonly id: string }>;
  /** Also provides the object ID, if the directory does not. */
  readonly signIn: CheckInstance<Acting>;
}

export interface RoleLinks {
  readonly instances: readonly CheckInstance[];
  /** One for each identity that needs a role. */
  readonly held: readonly HeldRole[];
}

export interface HeldRole {
  readonly holder: RoleHolder;
  readonly role: CheckInstance<RoleDefinition>;
  readonly assigned: CheckInstance;
}

/** The required assignments: the role, and the known resource groups. */
interface Wanted {
  readonly infraId: string;
  readonly component: AssignedComponent;
  readonly role: Role;
  readonly scopes: Scopes;
}

export function roleCheckInstances(
  azure: Azure,
  chain: IdentityChain,
  roleIdentities: readonly RoleHolder[],
  assigneeOf: AssigneeLookup,
): RoleLinks {
  const { infra, customHcpRoles, disabledCapabilities } = chain;
  const needed = roleIdentities.filter(({ component }) => isEnabled(component, disabledCapabilities));
  const scopes = infra === undefined ? {} : scopesIn(infra, azure.connection.subscriptionId);
  const lists = listedAssignments(azure);
  const spellings = spellingsOf(azure);
  const definitions = builtInRoles(azure);
  const denials = denialsIn(azure, infra?.subscriptionID);
  const rows = needed.map((holder) => {
    const { component, principal, signIn } = holder;
    const subject = component.key;
    const wanted: Wanted = { infraId: infra?.infraID ?? "", component, role: roleOf(component.assigned, customHcpRoles), scopes };
    const role = checkInstance(identityChecks["role-defined"], subject, {}, () => checkDefinition(azure, definitions, wanted));
    const assigned = checkInstance(
      identityChecks["role-assigned"],
      subject,
      { role },
      (_outputs, results) => {
        if (infra === undefined) return notChecked("--infra-file is not specified, so the resource groups are unknown");
        if (results.principal.result.state === "failed") return notCheckedFor(results.principal.result);
        const objectId = objectIdOf(results);
        if (objectId === undefined) return notCheckedFor(results.principal.result);
        return catchGroupNotFound(
          () => checkAssignments(lists, wanted, objectId, assigneeOf),
          (message) => failed(message, createOrPassAnother),
        );
      },
      { principal, signIn },
    );
    const free = checkInstance(
      identityChecks["role-name-free"],
      subject,
      {},
      (_outputs, results) => {
        if (infra === undefined) return notChecked("--infra-file is not specified, so the resource groups are unknown");
        // The advice of role-assigned already deletes the assignment that uses the name; do not advise it twice.
        if (results.assigned.result.state === "failed") return notCheckedFor(results.assigned.result);
        const objectId = objectIdOf(results);
        if (objectId === undefined) return notCheckedFor(results.principal.result);
        return catchGroupNotFound(() => checkNames(lists, spellings, wanted, objectId, assigneeOf), notChecked);
      },
      { principal, signIn, assigned },
    );
    const allowed = checkInstance(
      identityChecks["role-allowed"],
      subject,
      { role },
      async ({ role: { permissions } }, results) => {
        if (infra === undefined) return notChecked("--infra-file is not specified, so the resource groups are unknown");
        if (results.assigned.result.state === "failed") return notCheckedFor(results.assigned.result);
        const objectId = objectIdOf(results);
        if (objectId === undefined) return notCheckedFor(results.principal.result);
        const given = knownScopes(component.assigned, scopes).map((scope) => ({ component: subject, objectId, scope, permissions }));
        return checkDenials(await denials(), given, resourcesIn(infra));
      },
      { principal, signIn, assigned },
    );
    return { holder, role, assigned, instances: [role, assigned, free, allowed] };
  });
  const ownNames = async (scope: string) => {
    const names = assignedComponents.map((component) => namesOn(scope, spellings, infra?.infraID ?? "", component));
    return new Set((await Promise.all(names)).flat());
  };
  return {
    instances: [...rows.flatMap(({ instances }) => instances), ...danglingCheckInstances(azure, lists, scopes, ownNames)],
    held: rows,
  };
}

/** Lists the deny assignments once, in the subscription of the cluster. */
function denialsIn(azure: Azure, subscriptionId = azure.connection.subscriptionId): () => Promise<readonly DenyAssignmentResponse[]> {
  const lists = oncePerKey<readonly DenyAssignmentResponse[]>();
  return () => lists.get("all", () => listDenyAssignments(azure, subscriptionId));
}

/** Lists all built-in roles in one request, instead of one request per role. */
function builtInRoles(azure: Azure): () => Promise<readonly RoleDefinition[]> {
  const lists = oncePerKey<readonly RoleDefinition[]>();
  const list = async () => {
    const { roleDefinitions } = await azure.authorization();
    return all(roleDefinitions.list(subscriptionScope(azure.connection.subscriptionId), { filter: "type eq 'BuiltInRole'" }));
  };
  return () => lists.get("built-in", list);
}

async function checkDefinition(
  { connection }: Azure,
  definitions: () => Promise<readonly RoleDefinition[]>,
  { role, component }: Wanted,
): Promise<Finding<RoleDefinition>> {
  const live = (await definitions()).find(({ name }) => name?.toLowerCase() === role.id);
  if (live) return passed(`${live.roleName ?? role.name} (${role.id})`, live);
  return failed(
    `tenant ${connection.tenantId} has no role ${role.id} (${role.name}): assignments fail with RoleDefinitionDoesNotExist`,
    role === component.assigned.hcpRole
      ? "omit --assign-custom-hcp-roles here and in create infra"
      : "ask Azure support for the built-in role in this cloud; HyperShift expects exactly this role",
  );
}

async function checkAssignments(
  lists: AssignmentLists,
  { infraId, component, role, scopes }: Wanted,
  objectId: string,
  assigneeOf: AssigneeLookup,
): Promise<Finding<unknown>> {
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
      return { commands, otherAssignee: conflicting && (await otherAssigneeOf(conflicting, objectId, assigneeOf)) };
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

/** A description of an assignment whose principal is, or may be, another identity that aro-hcp created. */
async function otherAssigneeOf(
  { name = "", principalId = "" }: RoleAssignment,
  objectId: string,
  assigneeOf: AssigneeLookup,
): Promise<string | undefined> {
  if (sameText(principalId, objectId)) return undefined;
  const assignee = await assigneeOf(principalId);
  if (assignee === "other") return undefined;
  return `${name} belongs to ${assignee === "unknown" ? `${principalId}, which cannot be looked up in the directory` : assignee.ownIdentity}`;
}

/** Uses the name that `destroy infra` expects. */
function assign(objectId: string, role: Role, scope: string, name: string): ShellCommand {
  return assignCommand({ name, scope, role, objectId, principalType: "ServicePrincipal" });
}

/** HyperShift's `create infra` deletes an assignment with its name, even of another principal. */
async function checkNames(
  lists: AssignmentLists,
  spellings: Spellings,
  { infraId, component, scopes }: Wanted,
  objectId: string,
  assigneeOf: AssigneeLookup,
): Promise<Finding<unknown>> {
  const found = await Promise.all(
    knownScopes(component.assigned, scopes).map(async (scope) => {
      const [live, names] = await Promise.all([lists.on(scope), namesOn(scope, spellings, infraId, component)]);
      return live.filter(({ name }) => names.includes(name?.toLowerCase() ?? ""));
    }),
  );
  const named = found.flat();
  // Check role-assigned reports another role of the same principal.
  const foreign = named.filter(({ principalId = "" }) => !sameText(principalId, objectId));
  if (foreign.length === 0) return passed(`${plural(named.length, "name")} in use by its own role assignments, the others free`);
  const others = (await Promise.all(foreign.map((live) => otherAssigneeOf(live, objectId, assigneeOf)))).filter(
    (other) => other !== undefined,
  );
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

/** Without duplicates: one resource group may serve as several scopes. */
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
