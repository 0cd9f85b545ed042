/** A row of the table of infrastructure checks: the fault, the check that reports it, and how to follow the advice. */
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { groups } from "../../cli/demo-cluster.js";
import { changeResource, setProperties } from "../../harness/state-changes.js";
import { exits } from "../../cli/expectations.js";
import { shellWords } from "../../harness/shell-words.js";
import type { AdvisedState } from "../../verify/advice.js";
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

/** "first" runs the first command line of the advice as printed; "every" runs all of them. A function does what the advice says in words. */
type Fix = "first" | "every" | ((state: InfraState, row: Result) => Promise<unknown>);

export interface Row {
  readonly check: string;
  readonly subject: string;
  /** Completes the name of the test: "no-locks reports ...". */
  readonly fault: string;
  readonly state?: "warning";
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly breaks: (state: InfraState) => Promise<unknown>;
  readonly fix: Fix;
}

/** Infrastructure that is created once; each row breaks a copy of it. */
export interface Scenario {
  readonly title: string;
  /** Flags of create infra, which creates it unless `prepare` does. */
  readonly flags?: InfraFlags;
  readonly prepare?: (state: InfraState) => Promise<unknown>;
  readonly rows: readonly Row[];
}

/** The state as the runner of command lines needs it. */
export function advised({ azure, directory, cli }: InfraState): AdvisedState {
  return {
    azure,
    directory,
    // Whoever pastes it on a terminal answers the question.
    follow: async (line) => exits(await cli([...shellWords(line).slice(1), "--yes"], { env: { ARO_HCP_CLOUD: "local" } }), 0).stdout,
  };
}

/** Changes the location, which Azure itself never does. */
export function move(state: InfraState, id: string, location: string): Promise<void> {
  return changeResource(state, id, (stored) => {
    stored.location = location;
    // A group keeps the location that was sent.
    if (stored.beside?.["location"] !== undefined) stored.beside["location"] = location;
  });
}

/** Sets properties, bypassing ARM, and fixes the fault by setting them back. */
export function altered(id: string, wrong: Record<string, unknown>, right: Record<string, unknown>): Pick<Row, "breaks" | "fix"> {
  return { breaks: (state) => setProperties(state, id, wrong), fix: (state) => setProperties(state, id, right) };
}
