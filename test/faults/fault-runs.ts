/** What the fault tests share: the fast clock, the requests that rules match, and the state after an undisturbed run. */
import { exits } from "../cli/expectations.js";
import { demo, demoDomain, testEmulator, type CliOptions, type CliResult, type TestEmulator } from "../harness/test-emulator.js";
import type { FaultAnswer } from "./recorded-answers.js";

/** Makes waits of seconds take milliseconds. */
export const fast = { ARO_HCP_LOCAL_TIME_SCALE: "1000" } as const;

export interface FaultRule {
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly nth?: number;
  readonly times?: number;
  readonly when?: "before" | "after";
  readonly delay?: number;
  readonly answer?: FaultAnswer;
  readonly reset?: true;
}

/** More often than any retry policy retries. */
export const always = { times: 100_000 } as const;

export const put = {
  group: { method: "PUT", path: "/resourceGroups/[^/]+$" },
  nsg: { method: "PUT", path: "/networkSecurityGroups/[^/]+$" },
  vnet: { method: "PUT", path: "/virtualNetworks/[^/]+$" },
  address: { method: "PUT", path: "/publicIPAddresses/[^/]+$" },
  balancer: { method: "PUT", path: "/loadBalancers/[^/]+$" },
  zone: { method: "PUT", path: "/privateDnsZones/[^/]+$" },
  link: { method: "PUT", path: "/virtualNetworkLinks/[^/]+$" },
  assignment: { method: "PUT", path: "/roleAssignments/[^/]+$" },
} as const;

export const remove = {
  group: { method: "DELETE", path: "/resourceGroups/[^/]+$" },
  nsg: { method: "DELETE", path: "/networkSecurityGroups/[^/]+$" },
  vnet: { method: "DELETE", path: "/virtualNetworks/[^/]+$" },
  address: { method: "DELETE", path: "/publicIPAddresses/[^/]+$" },
  balancer: { method: "DELETE", path: "/loadBalancers/[^/]+$" },
  zone: { method: "DELETE", path: "/privateDnsZones/[^/]+$" },
} as const;

export const poll = {
  network: { method: "GET", path: "/locations/[^/]+/operations/" },
  privateDns: { method: "GET", path: "/privateDnsOperationStatuses/" },
  groupDeletion: { method: "GET", path: "/operationresults/" },
} as const;

export const create = ["create", "infra", ...demo, ...demoDomain] as const;
export const destroy = ["destroy", "infra", ...demo, "--yes"] as const;

/** Runs on the fast clock. If the exit code differs, the failure shows the output. */
export async function run(azure: TestEmulator, args: readonly string[], code: number, options: CliOptions = {}): Promise<CliResult> {
  return exits(await azure.cli(args, { ...options, env: { ...fast, ...options.env } }), code);
}

let undisturbed: ReturnType<TestEmulator["snapshot"]> | undefined;

/** The state after an undisturbed create. Created once. */
export function undisturbedState(): ReturnType<TestEmulator["snapshot"]> {
  undisturbed ??= (async () => {
    const azure = await testEmulator();
    await run(azure, create, 0);
    return azure.snapshot();
  })();
  return undisturbed;
}
