/** The protections of what others own, each switched off, and the simulation that notices it. */
export interface Mutant {
  readonly name: string;
  /** The end of the path of the source. */
  readonly file: string;
  readonly code: string;
  readonly instead: string;
  /** The arguments of `npm run simulate`. */
  readonly simulation: readonly string[];
  /** What an invariant or a comparison then says, as a regular expression. */
  readonly notices: string;
}

const race = (name: string) => ["--races", "1..3", "--race", name];

export const mutants: readonly Mutant[] = [
  {
    name: "the ownership of a group, when it is decided",
    file: "src/removal/emptied-group.ts",
    code: "if (!ownsGroup(owner, { name: group.name, tags: live.tags }))",
    instead: "if (owner === undefined)",
    simulation: ["--crash", "some", "--track", "adopted iam"],
    notices: "resources \\S+demo-iam is missing",
  },
  {
    name: "what is new in a group, right before its deletion",
    file: "src/removal/new-resources.ts",
    code: "if (fresh.length > 0) throw",
    instead: "if (fresh.length < 0) throw",
    simulation: race("late-in-infra"),
    notices: "a resource of others was deleted: \\S+routetables/theirs",
  },
  {
    name: "what is new in the group of a set, right before its deletion",
    file: "src/removal/emptied-group.ts",
    code: "if (left.length === 0) return;",
    instead: "return;",
    simulation: race("late-in-identities"),
    notices: "a resource of others was deleted: \\S+routetables/theirs",
  },
  {
    name: "the clusters that use a set",
    file: "src/removal/set-in-use.ts",
    code: "export function clustersUsing<",
    instead: "export function clustersUsing() { return []; }\nexport function unusedClustersUsing<",
    simulation: race("destroy-one-on-one-set"),
    notices: "removed a role of cluster green-x1",
  },
  {
    name: "whose an application is",
    file: "src/azure/application-ownership.ts",
    code: "if (isEmpty(found)) return undefined;",
    instead: "if (!isEmpty(found)) return undefined;",
    simulation: race("planted-application"),
    notices: "an application of others was changed or deleted",
  },
  {
    name: "what others encrypt with",
    file: "src/removal/users-elsewhere.ts",
    code: "if (first === undefined) return undefined;",
    instead: "if (first !== null) return undefined;",
    simulation: race("key-of-others"),
    notices: "a role assignment of others was deleted",
  },
  {
    name: "whose word decides where roles go",
    file: "src/run/rights-settings.ts",
    code: "if (found.length > 0) throw",
    instead: "if (found.length < 0) throw",
    simulation: race("planted-link"),
    notices: "a role was given on a scope that no flag names: \\S+/theirs",
  },
  {
    name: "whether other identities are asked for",
    file: "src/infra/inputs/infra-spec.ts",
    code: "replace: create?.changeIdentities ?? true",
    instead: "replace: true",
    simulation: race("other-identities"),
    notices: "a command that must be refused changed something:\\n +roleAssignments \\S+",
  },
  {
    name: "whose an output file is",
    file: "src/files/output-file.ts",
    code: 'if (existing === undefined || typeof existing === "string") return existing;',
    instead: "if (existing !== null) return undefined;",
    simulation: race("one-file-of-two-clusters"),
    notices: "replaced the file of \\S+ with that of",
  },
];
