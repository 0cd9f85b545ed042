/** What to do after the create of the infrastructure. The commands work as printed; only secrets and versions are left open. */
import { advise, aroHcp, type Advice } from "../errors/advice.js";
import type { Settings } from "../settings/settings.js";

export function afterCreateInfra({ name, infraId, resourceGroupName, outputFile: infraJson }: Settings<"create infra">): Advice[] {
  return [
    ...(infraJson === undefined ? [] : [advise`check it: ${aroHcp("verify infra", { infraJson })}`]),
    advise`destroy it: ${aroHcp("destroy infra", { name, infraId, resourceGroupName })}`,
  ];
}
