/** `create fleet`: sets and management clusters, and each cluster as soon as its set is created. */
import type { RunOther } from "../run/other-command.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { applyFleet } from "./apply-fleet.js";

const command = "create fleet";

/** `names`: of the members; all by default. */
export async function run(
  resolved: Resolved<typeof command>,
  port: ProcessPort,
  names: string | undefined,
  { runOther }: { readonly runOther: RunOther },
): Promise<number> {
  return applyFleet(command, resolved, port, names, runOther);
}
