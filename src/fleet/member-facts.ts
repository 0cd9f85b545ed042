/** The kinds of members of a fleet, and the commands that each is created, verified and destroyed with. */
import { optionsOf, type CommandName } from "../settings/commands.js";
import type { MemberKind } from "./domain/member-kinds.js";

interface KindFacts {
  readonly label: string;
  /** The keys that a member may have: the settings of its commands. */
  readonly keys: () => ReadonlySet<string>;
}

function kind(label: string, ...commands: readonly CommandName[]): KindFacts {
  let known: ReadonlySet<string> | undefined;
  return { label, keys: () => (known ??= keysOf(commands)) };
}

export const kinds: Readonly<Record<MemberKind, KindFacts>> = {
  sets: kind("identity set", "create oidc-issuer", "create identities", "destroy identities", "destroy oidc-issuer"),
  managementClusters: kind("management cluster", "create management-cluster", "verify management-cluster", "destroy management-cluster"),
  clusters: kind("cluster", "create all", "create infra", "verify all", "verify infra", "destroy all", "destroy infra"),
};

/** What a member is written to, and how a run is shown: the fleet decides that for all. */
const fleetKeys: ReadonlySet<string> = new Set(["inputDir", "dryRun", "config", "color", "plain", "only"]);
const allCommands = ["create all", "create infra", "create identities", "create management-cluster", "verify all"] as const;

export function isFleetKey(key: string): boolean {
  return (
    fleetKeys.has(key) ||
    allCommands.some((command) => optionsOf(command).some((option) => option.key === key && option.group === "output"))
  );
}

/** What a person confirms is not in a file. */
function keysOf(commands: readonly CommandName[]): ReadonlySet<string> {
  const options = commands.flatMap((command) => optionsOf(command)).filter(({ notInFile }) => notInFile !== true);
  return new Set(options.map(({ key }) => key));
}
