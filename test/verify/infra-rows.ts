/** What a row of the tables of infrastructure checks is: how its resource is broken, what is told of it, and how the advice is followed. */
import { openState } from "../../src/emulator/open.js";
import type { StoredResource } from "../../src/emulator/state/state.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { groups } from "../cli/demo-cluster.js";
import { setProperties } from "../harness/state-changes.js";
import { exits } from "../cli/expectations.js";
import { shellWords } from "../harness/shell-words.js";
import type { AdvisedState } from "./advice.js";
import type { InfraFlags, InfraState } from "./infra-state.js";

export const subjects = {
  managed: `resource group ${groups.managed}`,
  vnetGroup: `resource group ${groups.vnet}`,
  nsg: "network security group demo-demo-x7k2-nsg",
  vnet: "virtual network demo-demo-x7k2",
  publicZone: "public DNS zone hcp.example.com",
  zone: "private DNS zone demo-azurecluster.hcp.example.com",
  link: "virtual network link demo-demo-x7k2",
  ip: "public IP address demo-x7k2",
  balancer: "load balancer demo-x7k2",
  cluster: "cluster demo-x7k2",
} as const;

/** "first": the first command line of the advice is run as it is printed; "every": all of them. A function does what it says in words. */
type Mend = "first" | "every" | ((state: InfraState, row: Result) => Promise<unknown>);

export interface Row {
  readonly check: string;
  readonly subject: string;
  readonly state?: "warning";
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly make: (state: InfraState) => Promise<unknown>;
  readonly mend: Mend;
}

/** What is made once; each row breaks a copy of it. */
export interface Scenario {
  readonly title: string;
  /** Of create infra, which makes it unless `prepare` says otherwise. */
  readonly flags?: InfraFlags;
  readonly prepare?: (state: InfraState) => Promise<unknown>;
  readonly rows: readonly Row[];
}

/** Where the lines of advices are run: our own by the command line. */
export function advised({ azure, directory, cli }: InfraState): AdvisedState {
  return {
    azure,
    directory,
    follow: async (line) => exits(await cli(shellWords(line).slice(1), { env: { ARO_HCP_CLOUD: "local" } }), 0).stdout,
  };
}

/** Changes what is stored, behind ARM's back. */
export async function store(state: InfraState, id: string, change: (stored: StoredResource) => unknown): Promise<void> {
  await openState(state.directory).transact(({ resources }) => {
    const stored = resources[id.toLowerCase()];
    if (stored === undefined) throw new Error(`${id} is not there`);
    change(stored);
    return { value: undefined, commit: true };
  });
}

/** To another location, as Azure itself never does. */
export function move(state: InfraState, id: string, location: string): Promise<void> {
  return store(state, id, (stored) => {
    stored.location = location;
    // Of a group as it was sent.
    if (stored.beside?.["location"] !== undefined) stored.beside["location"] = location;
  });
}

/** A fault of a property that is set behind ARM's back, and set back. */
export function altered(id: string, wrong: Record<string, unknown>, right: Record<string, unknown>): Pick<Row, "make" | "mend"> {
  return { make: (state) => setProperties(state, id, wrong), mend: (state) => setProperties(state, id, right) };
}
