/** Removes the infrastructure of the demo cluster in this process, as `destroy infra` does. */
import { expect } from "vitest";
import type { Azure } from "../../../src/azure/azure.js";
import { toFailure } from "../../../src/azure/to-failure.js";
import { removeAll } from "../../../src/engine/remove.js";
import { takeInventory } from "../../../src/removal/inventory.js";
import { removalsOf } from "../../../src/infra/removal/removals.js";
import { foreignRefusal, idsToRemove } from "../../../src/removal/selection.js";

const search = { cluster: { name: "demo", infraId: "demo-x7k2" }, existingGroup: undefined, recorded: true, otherSubscriptions: [] };
const options = { preserveGroups: false, deleteForeign: false };

/** Fails if the removal is refused, or if something is left. */
export async function nothingIsLeft(azure: Azure): Promise<void> {
  const inventory = await takeInventory(azure, search);
  expect(foreignRefusal(inventory, options)).toBeUndefined();
  const { ok } = await removeAll(removalsOf(azure, inventory, options), {
    ...{
      concurrency: 16,
      signal: new AbortController().signal,
      emit: () => undefined,
      now: () => new Date(),
      elapsedMs: () => performance.now(),
      toFailure,
      warn: () => undefined,
    },
    ...{ command: "destroy infra", subject: "demo-x7k2", infraId: "demo-x7k2" },
  });
  expect(ok).toBe(true);
  expect(idsToRemove(await takeInventory(azure, search), options)).toEqual([]);
}
