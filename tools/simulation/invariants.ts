/** What must be true after every commit and every run of every simulation. Reads the state, and changes nothing. */
import type { CliResult } from "../cli-process.js";
import { plural } from "../../src/text/plural.js";
import type { Change } from "../../src/emulator/state/changes.js";
import type { AzureState, RoleAssignment, StoredResource } from "../../src/emulator/state/state.js";

/** What belongs to a state, and is kept with it. */
export interface Known {
  /** The resources of others, as they were. */
  readonly resources: ReadonlyMap<string, string>;
  /** The role assignments of others. */
  readonly assignments: ReadonlySet<string>;
  /** The applications of others, as they were. */
  readonly applications: ReadonlyMap<string, string>;
  /** Everything in the arguments of the commands so far: what an operator named. */
  readonly named: readonly string[];
}

export class Invariants {
  readonly #problems = new Set<string>();
  #privateKey: string | undefined;

  get problems(): readonly string[] {
    return [...this.#problems];
  }

  violated(problem: string): void {
    this.#problems.add(problem);
  }

  /** Replaced as a whole, so that it can be kept. */
  known: Known = { resources: new Map(), assignments: new Set(), applications: new Map(), named: [] };

  /** The arguments of each run. */
  readonly #runs = new Map<string, readonly string[]>();
  /** Whose the output file of an infrastructure is. */
  #infraFile: string | undefined;

  /** An operator runs a command. */
  started(run: string, args: readonly string[]): void {
    this.#runs.set(run, args);
    this.known = { ...this.known, named: [...this.known.named, ...args.map((arg) => arg.toLowerCase())] };
  }

  /** Somebody has created what was not there `before`. */
  seeded(before: ReadonlySet<string>, { resources, roleAssignments, applications }: AzureState): void {
    const fresh = Object.entries(resources).filter(([id]) => !before.has(id));
    const registered = Object.entries(applications).filter(([id]) => !before.has(id));
    this.known = {
      ...this.known,
      resources: new Map([...this.known.resources, ...fresh.map(([id, resource]) => [id, contentOf(resource)] as const)]),
      applications: new Map([...this.known.applications, ...registered.map(([id, one]) => [id, JSON.stringify(one)] as const)]),
      assignments: new Set([...this.known.assignments, ...Object.keys(roleAssignments).filter((id) => !before.has(id))]),
    };
  }

  /** `run` made the changes. */
  afterCommit(run: string, state: AzureState, changes: readonly Change[]): void {
    for (const { at } of changes) {
      const [collection, member = ""] = at;
      if (collection === "resources") this.#checkResource(state.resources[member], member);
      if (collection === "roleAssignments") {
        this.#checkAssignment(state.roleAssignments[member], member);
        if (state.roleAssignments[member] === undefined) this.#checkRemovedRole(run, state, member);
      }
      if (collection === "applications") {
        this.#checkApplications(state);
        const before = this.known.applications.get(member);
        if (before !== undefined && JSON.stringify(state.applications[member]) !== before)
          this.violated(`an application of others was changed or deleted: ${member}`);
      }
    }
  }

  /** `key` is the private key in the output directory. */
  ended(run: string, state: AzureState, { stdout, stderr }: CliResult, key: string | undefined): void {
    if (this.#privateKey !== undefined && key !== undefined && key !== this.#privateKey) this.violated(`${run} replaced the private key`);
    this.#privateKey = key ?? this.#privateKey;
    const secrets = Object.values(state.vaults ?? {}).flatMap(({ secrets: all }) =>
      Object.values(all).flatMap(({ versions }) => versions.map(({ value }) => value)),
    );
    const printed = `${stdout}\n${stderr}`;
    if ([...secrets, ...(key === undefined ? [] : [key])].some((secret) => secret.length > 8 && printed.includes(secret)))
      this.violated(`${run} printed a private value`);
    this.#checkTwice(state);
  }

  /** `infraId` is that in the output file: undefined if there is none. */
  fileChanged(run: string, infraId: string | undefined): void {
    const earlier = this.#infraFile;
    this.#infraFile = infraId ?? earlier;
    if (earlier !== undefined && infraId !== undefined && infraId !== earlier)
      this.violated(`${run} replaced the file of ${earlier} with that of ${infraId}`);
  }

  /** The roles on the groups of a cluster are its own. */
  #checkRemovedRole(run: string, { resources }: AzureState, id: string): void {
    const infraId = resources[id.split("/").slice(0, 5).join("/")]?.tags?.["aro-hcp-infra-id"];
    if (infraId !== undefined && this.#runs.get(run)?.includes(infraId) === false)
      this.violated(`${run} removed a role of cluster ${infraId}: ${id}`);
  }

  #checkResource(resource: StoredResource | undefined, id: string): void {
    const before = this.known.resources.get(id);
    if (before === undefined || this.#isInOurs(id)) return;
    if (this.known.named.includes("adopt") && this.#isNamed(id)) this.#adopted(id);
    else if (resource === undefined) this.violated(`a resource of others was deleted: ${id}`);
    else if (contentOf(resource) !== before) this.violated(`a resource of others was changed: ${id}\n${before}\n${contentOf(resource)}`);
  }

  /** From now on, it is ours. */
  #adopted(id: string): void {
    this.known = { ...this.known, resources: new Map([...this.known.resources].filter(([other]) => other !== id)) };
  }

  /** A destroy with --purge deletes what others have put into a resource of ours. */
  #isInOurs(id: string): boolean {
    const parent = id.slice(0, id.lastIndexOf("/providers/"));
    return this.known.named.includes("--purge") && parent.includes("/providers/") && !this.known.resources.has(parent);
  }

  #checkAssignment(assignment: RoleAssignment | undefined, id: string): void {
    if (this.known.assignments.has(id)) {
      if (assignment === undefined) this.violated(`a role assignment of others was deleted: ${id}`);
      return;
    }
    if (assignment === undefined) return;
    const scope = assignment.scope.toLowerCase();
    if (this.#isOfOthers(scope) && !this.#isNamed(scope))
      this.violated(`a role was given on a scope that no flag names: ${assignment.scope}`);
  }

  #checkTwice({ roleAssignments }: AzureState): void {
    const grants = new Set<string>();
    for (const grant of Object.values(roleAssignments).map(grantOf)) {
      if (grants.has(grant)) this.violated(`a role is assigned twice: ${grant}`);
      grants.add(grant);
    }
  }

  /** The scope, or the group that contains it, existed before. */
  #isOfOthers(scope: string): boolean {
    const group = scope.split("/").slice(0, 5).join("/");
    return this.known.resources.has(scope) || this.known.resources.has(group) || scope.split("/").length < 5;
  }

  /** A flag has its ID, its name, the name of its group, or the ID of what it is in. */
  #isNamed(id: string): boolean {
    const parts = id.split("/");
    const names = [parts.at(-1) ?? "", parts[4] ?? ""].filter((name) => name !== "");
    return this.known.named.some((arg) => names.includes(arg) || arg === id || (arg.includes("/providers/") && id.startsWith(`${arg}/`)));
  }

  /** A rotation has two for a time. */
  #checkApplications(state: AzureState): void {
    if (this.known.named.includes("rotate")) return;
    for (const { displayName, keyCredentials = [] } of Object.values(state.applications))
      if (keyCredentials.length > 1) this.violated(`the application ${displayName} has ${plural(keyCredentials.length, "key")}`);
  }
}

/** Azure's own bookkeeping changes with what refers to the resource. */
function contentOf({ tags, properties, location }: StoredResource): string {
  return JSON.stringify({ tags, properties, location });
}

function grantOf({ principalId, roleDefinitionId, scope }: RoleAssignment): string {
  return JSON.stringify([principalId, roleDefinitionId, scope]).toLowerCase();
}
