/** What to do after the create of a connected cluster. The commands work as printed; only secrets and versions are left open. */
import { advise, aroHcp, type Advice } from "../errors/advice.js";

/** `areInstalled`: whether the run installed the agents. */
export function afterCreateArc(
  { name, resourceGroupName }: { name: string; resourceGroupName?: string | undefined },
  areInstalled: boolean,
): Advice[] {
  const settings = { name, resourceGroupName };
  const first = areInstalled ? "wait until the agents are connected" : "install the agents as below, and wait until they are connected";
  return [
    advise`${first}: ${aroHcp("wait arc", settings)}`,
    advise`check it: ${aroHcp("verify arc", settings)}`,
    advise`disconnect it: ${aroHcp("destroy arc", settings)}`,
  ];
}
