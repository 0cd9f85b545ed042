/** Checks of the roles that the identities hold on the cluster's resource groups. */
import { advise, aroHcp, joinAdvice, shell, type ShellCommand } from "../../errors/advice.js";
import type { RoleAssignment, RoleDefinition } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
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
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle, roleAssignmentTitle, scopeTitle } from "../../domain/role-assignment-title.js";
import type { Role } from "../../domain/roles.js";
import { gives, listedAssignments, type AssignmentLists } from "../../steps/assignment-lists.js";
import { broken, holds, notChecked, notCheckedFor, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import type { IdentityChain } from "./chain.js";
import { identityChecks } from "./checks.js";
import { danglingCheckInstances, unassign } from "./dangling.js";
import { objectIdOf, type Acting } from "./entra.js";
import type { AssigneeLookup } from "./assignees.js";
import { makeOrGiveAnother, namesOn, scopesIn, spellingsOf, unlessGone, type Scopes, type Spellings } from "./scopes.js";

/** An identity that must hold roles. */
export interface RoleHolder {
  readonly component: AssignedComponent;
  readonly principal: CheckInstance<{ readonly id: string }>;
  /** Tells the object id, too, where the directory does not. */
  readonly signIn: CheckInstance<Acting>;
}

export interface RoleLinks {
  readonly instances: readonly CheckInstance[];
  /** One for each holder that is to hold a role. */
  readonly held: readonly HeldRole[];
}

export interface HeldRole {
  readonly holder: RoleHolder;
  readonly role: CheckInstance<RoleDefinition>;
  readonly assigned: CheckInstance;
}

/** What a holder is to hold: its role, and the groups as far as they are known. */
interface Wanted {
  readonly infraId: string;
  readonly component: AssignedComponent;
  readonly role: Role;
  readonly scopes: Scopes;
}

export function roleCheckInstances(
  azure: Azure,
  chain: IdentityChain,
  holders: readonly RoleHolder[],
  holderOf: AssigneeLookup,
): RoleLinks {
  const { infra, customHcpRoles, disabledCapabilities } = chain;
  const needed = holders.filter(({ component }) => isEnabled(component, disabledCapabilities));
  const scopes = infra === undefined ? {} : scopesIn(infra, azure.connection.subscriptionId);
  const lists = listedAssignments(azure);
  const spellings = spellingsOf(azure);
  const definitions = builtInRoles(azure);
  const rows = needed.map((holder) => {
    const { component, principal, signIn } = holder;
    const subject = component.key;
    const wanted: Wanted = { infraId: infra?.infraID ?? "", component, role: roleOf(component.assigned, customHcpRoles), scopes };
    const role = checkInstance(identityChecks["role-defined"], subject, {}, () => checkDefinition(azure, definitions, wanted));
    const assigned = checkInstance(
      identityChecks["role-assigned"],
      subject,
      { role },
      (_up, results) => {
        if (infra === undefined) return notChecked("no --infra-json is given, so the resource groups are not known");
        if (results.principal.result.state === "failed") return notCheckedFor(results.principal.result);
        const objectId = objectIdOf(results);
        if (objectId === undefined) return notCheckedFor(results.principal.result);
        return unlessGone(
          () => checkAssignments(lists, wanted, objectId, holderOf),
          (said) => broken(said, makeOrGiveAnother),
        );
      },
      { principal, signIn },
    );
    const free = checkInstance(
      identityChecks["role-name-free"],
      subject,
      {},
      (_up, results) => {
        if (infra === undefined) return notChecked("no --infra-json is given, so the resource groups are not known");
        // Its advice takes away what holds a name that it needs: told twice, it would be taken away again.
        if (results.assigned.result.state === "failed") return notCheckedFor(results.assigned.result);
        const objectId = objectIdOf(results);
        if (objectId === undefined) return notCheckedFor(results.principal.result);
        return unlessGone(() => checkNames(lists, spellings, wanted, objectId, holderOf), notChecked);
      },
      { principal, signIn, assigned },
    );
    return { holder, role, assigned, instances: [role, assigned, free] };
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

/** All built-in roles are listed in one request, which costs less than to ask for each. */
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
  if (live) return holds(`${live.roleName ?? role.name} (${role.id})`, live);
  return broken(
    `tenant ${connection.tenantId} has no role ${role.id} (${role.name}): Azure answers RoleDefinitionDoesNotExist`,
    role === component.assigned.hcpRole
      ? advise`run without --assign-custom-hcp-roles, here and with ${aroHcp("create infra")}`
      : "ask Azure support for the built-in role in this cloud; HyperShift expects exactly this role",
  );
}

async function checkAssignments(
  lists: AssignmentLists,
  { infraId, component, role, scopes }: Wanted,
  objectId: string,
  holderOf: AssigneeLookup,
): Promise<Finding<unknown>> {
  const { assigned, key } = component;
  const known = knownScopes(assigned, scopes);
  const titleOn = (places: readonly string[]) => roleAssignmentTitle({ role: role.name, holder: key, scope: places.join(", ") });
  const seen = await Promise.all(
    known.map(async (scope) => {
      const reaching = (await lists.reaching(scope)).filter((live) => gives(live, objectId, role));
      return { scope, live: reaching.find((live) => isOn(live, scope)) ?? reaching[0] };
    }),
  );
  const missing = seen.filter(({ live }) => live === undefined).map(({ scope }) => scope);
  if (missing.length === 0) {
    const places = seen.map(
      ({ scope, live }) => `${scopeTitle(scope)}${live && !isOn(live, scope) ? ` (inherited from ${live.scope ?? ""})` : ""}`,
    );
    return holds(`${titleOn(places)}${untold(assigned, scopes)}`);
  }
  const other = role === assigned.hcpRole ? assigned.role : assigned.hcpRole;
  const instead =
    other && (await Promise.all(missing.map(async (scope) => (await lists.on(scope)).some((live) => gives(live, objectId, other)))));
  const note =
    other && instead?.every(Boolean)
      ? `; it has ${other.name} there, as ${role === assigned.hcpRole ? "without" : "with"} --assign-custom-hcp-roles`
      : "";
  const needed = await Promise.all(
    missing.map(async (scope) => {
      const name = roleAssignmentName(infraId, assigned.component, scope);
      const inTheWay = (await lists.on(scope)).find((live) => live.name?.toLowerCase() === name);
      const commands = [...(inTheWay ? [unassign([inTheWay])] : []), assign(objectId, role, scope, name)];
      return { commands, mate: inTheWay && (await mateAt(inTheWay, objectId, holderOf)) };
    }),
  );
  const mates = needed.flatMap(({ mate }) => mate ?? []);
  return broken(
    [`no ${titleOn(missing.map(scopeTitle))} (object ${objectId}, role ${role.id})${note}`, ...mates].join("; "),
    mates.length > 0
      ? giveEachItsOwn
      : joinAdvice(
          needed.flatMap(({ commands }) => commands),
          "; ",
        ),
  );
}

/** Replaces what is under each name in one go: a deletion alone could take from another identity what it needs. */
const giveEachItsOwn =
  "rerun the `create infra` or `create all` that created the cluster, with these identities: it assigns each its own roles; do not delete these assignments by hand";

/** An assignment whose holder is, or may be, another identity of ours, in words. */
async function mateAt(
  { name = "", principalId = "" }: RoleAssignment,
  objectId: string,
  holderOf: AssigneeLookup,
): Promise<string | undefined> {
  if (principalId.toLowerCase() === objectId.toLowerCase()) return undefined;
  const holder = await holderOf(principalId);
  if (holder === "none of ours") return undefined;
  return `${name} is held by ${holder === "not known" ? `${principalId}, which the directory does not let us look up` : holder.ours}`;
}

/** Under its own name, so that `destroy infra` finds it. */
function assign(objectId: string, role: Role, scope: string, name: string): ShellCommand {
  return shell`az role assignment create --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --role ${role.id} --scope ${scope} --name ${name}`;
}

/** HyperShift's `create infra` deletes what it finds under its name, whoever it is of. */
async function checkNames(
  lists: AssignmentLists,
  spellings: Spellings,
  { infraId, component, scopes }: Wanted,
  objectId: string,
  holderOf: AssigneeLookup,
): Promise<Finding<unknown>> {
  const found = await Promise.all(
    knownScopes(component.assigned, scopes).map(async (scope) => {
      const [live, names] = await Promise.all([lists.on(scope), namesOn(scope, spellings, infraId, component)]);
      return live.filter(({ name }) => names.includes(name?.toLowerCase() ?? ""));
    }),
  );
  const named = found.flat();
  // Another role of its own is for the check of its roles to tell.
  const foreign = named.filter(({ principalId = "" }) => principalId.toLowerCase() !== objectId.toLowerCase());
  if (foreign.length === 0) return holds(`${String(named.length)} of them are its own, the others free`);
  const mates = (await Promise.all(foreign.map((live) => mateAt(live, objectId, holderOf)))).filter((mate) => mate !== undefined);
  return broken(
    foreign
      .map(({ name = "", principalId = "", roleDefinitionId = "", scope = "" }) => {
        return `${liveAssignmentTitle({ roleDefinitionId, scope }, principalTitle(principalId))} has the name ${name}: create infra would delete it`;
      })
      .concat(mates)
      .join("; "),
    mates.length > 0 ? giveEachItsOwn : unassign(foreign),
  );
}

/** One group may be several scopes. */
function knownScopes({ scopes }: ComponentRole, known: Scopes): string[] {
  const ids = scopes.flatMap((scope) => known[scope] ?? []);
  return ids.filter((id, index) => ids.findIndex((other) => sameId(other, id)) === index);
}

const untoldNames: Readonly<Record<RoleScope, string>> = {
  managed: "resourceGroupName",
  nsg: "securityGroupID",
  vnet: "vnetID",
  dns: "publicZoneID",
};

function untold({ scopes }: ComponentRole, known: Scopes): string {
  const names = scopes.filter((scope) => known[scope] === undefined).map((scope) => untoldNames[scope]);
  return names.length === 0 ? "" : `; not looked at, for infra.json does not tell them: ${names.join(", ")}`;
}

function isOn({ scope = "" }: RoleAssignment, id: string): boolean {
  return sameId(scope, id);
}
