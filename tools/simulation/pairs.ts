/** Every pair of commands that change the same names, beside each other: races that follow from the commands. */
import { arcAgentsReport, egressSeed, type Meanwhile } from "../demo-cluster.js";
import { command, type CommandName } from "./commands.js";
import type { Race } from "./races.js";

interface Family {
  readonly name: string;
  readonly seed?: unknown;
  /** Run before, and again afterwards. */
  readonly create: readonly (CommandName | Meanwhile)[];
  readonly destroy: CommandName;
  readonly commands: readonly CommandName[];
}

const families: readonly Family[] = [
  {
    name: "cluster",
    create: ["create all"],
    destroy: "destroy all",
    commands: [
      "create all",
      "create infra with nat-gateway",
      "create identities",
      "create encryption-key",
      "rotate credentials",
      "rotate encryption-key",
      "destroy encryption-key",
      "destroy identities",
      "destroy infra",
      "destroy all",
    ],
  },
  {
    name: "egress",
    seed: egressSeed(),
    create: ["create infra with addresses"],
    destroy: "destroy infra",
    commands: [
      "create infra with nat-gateway",
      "create infra with addresses",
      "create infra with prefix",
      "create infra with existing-gateway",
      "create infra with routing",
      "destroy infra",
    ],
  },
  {
    name: "arc",
    create: ["create arc", arcAgentsReport],
    destroy: "destroy arc",
    commands: ["create arc", "create arc secrets", "create arc extension", "destroy arc extension", "destroy arc"],
  },
  {
    name: "zone",
    create: ["create dns-zone with workload-identity"],
    destroy: "destroy dns-zone",
    commands: ["create dns-zone with workload-identity", "create dns-zone with service-principal", "destroy dns-zone"],
  },
];

/** Either may fail, if it says why; the create then makes everything right. */
function pairsOf({ name, seed, create, destroy, commands }: Family): Race[] {
  const creates = create.map((each) => (typeof each === "string" ? command(each) : each));
  return commands.flatMap((first, index) =>
    commands.slice(index).map((second): Race => ({
      name: `${name}: ${first} beside ${second}`,
      seed,
      before: creates,
      racers: [command(first), command(second)],
      mayConflict: true,
      again: creates,
      destroys: [command(destroy)],
    })),
  );
}

export const pairs: readonly Race[] = families.flatMap(pairsOf);
