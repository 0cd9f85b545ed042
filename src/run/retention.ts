/** What Azure keeps of what a destroy deletes, and for how long. */
import { isIdOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Removal } from "../engine/step.js";

/** Undefined if Azure keeps nothing. */
export function retentionText(removals: readonly Removal[]): string | undefined {
  const hasVault = removals.some(({ resourceId = "" }) => isIdOf(resourceId, resourceTypes.keyVault.type));
  const has = (kind: string) => removals.some(({ id }) => id.startsWith(`${kind} `));
  const days = hasVault ? "" : " days";
  const kept = [
    ...(hasVault ? ["a deleted vault for 90 days"] : []),
    ...(has("key") ? ["a deleted key for 90 days"] : []),
    ...(has("application") ? [`applications for 30${days}`] : []),
  ];
  if (kept.length === 0) return undefined;
  const unless = hasVault ? ", but no vault with purge protection" : has("key") ? ", unless their vault or HSM has purge protection" : "";
  return `Azure keeps ${kept.join(" and ")}, with their names; --purge deletes them permanently${unless}`;
}
