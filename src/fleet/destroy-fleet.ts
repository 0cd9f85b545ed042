/** `destroy fleet`: the clusters, and then the sets and management clusters that they used. */
import type { RunOther } from "../run/other-command.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { applyFleet } from "./apply-fleet.js";

const command = "destroy fleet";

/** `names`: of the members; all by default. */
export async function run(
  resolved: Resolved<typeof command>,
  port: ProcessPort,
  names: string | undefined,
  { runOther }: { readonly runOther: RunOther },
): Promise<number> {
  return applyFleet(command, resolved, port, names, runOther);
}
