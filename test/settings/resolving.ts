/** Resolves settings like the command line, and returns the reported problems. */
import { Failure, type Problem } from "../../src/errors/failure.js";
import { readDocument } from "../../src/files/read.js";
import type { CommandName } from "../../src/settings/commands.js";
import { resolveSettings, type Sources } from "../../src/settings/resolve.js";
import type { Resolved } from "../../src/settings/settings.js";

type Flags = Sources["flags"];

/** The required settings of create infra. */
export const required: Flags = { name: "demo", infraId: "demo-x7k2", baseDomain: "hcp.example.com" };

export const subscription = "11111111-1111-1111-1111-111111111111";
export const vnetId = `/subscriptions/${subscription}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/corp`;
export const subnetId = `${vnetId}/subnets/nodes`;
export const nsgId = `/subscriptions/${subscription}/resourceGroups/net/providers/Microsoft.Network/networkSecurityGroups/corp`;

export function resolve<C extends CommandName>(command: C, flags: Flags, environment: Sources["environment"] = {}): Promise<Resolved<C>> {
  return resolveSettings(command, { flags, environment, readConfig: readDocument });
}

export function create(flags: Flags = {}, environment: Sources["environment"] = {}): Promise<Resolved<"create infra">> {
  return resolve("create infra", { ...required, ...flags }, environment);
}

/** The reported problems; empty if the settings are valid. */
export async function problemsOf(run: Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await run;
    return [];
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "ARO-USAGE-001") throw error;
    return error.problems;
  }
}
