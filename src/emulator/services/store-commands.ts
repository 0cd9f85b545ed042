/** Seeds a store, and takes its snapshot. */
import { advance } from "../arm/operations.js";
import { emulatedTypes } from "../arm/types/index.js";
import type { EmulatorClock } from "../common/clock.js";
import type { ClockAndRandom } from "../common/random.js";
import { advanceCertificates } from "./key-vault/certificate-creation.js";
import { seedAgents, seedResources } from "./seed-resources.js";
import { rawOf } from "../state/draft.js";
import { sampleUuid } from "../state/sampling.js";
import { snapshotOf, type StateSnapshot } from "../state/snapshot.js";
import type { StateStore } from "../state/store.js";

/** In bytes: enough for a state of tens of thousands of resources. */
export const largestSeed = 256 * 1024 * 1024;

/** Adds a seed document, parsed from JSON or YAML. @throws EmulatorError that names the problem; then nothing is added. */
export async function seedStore(store: StateStore, document: unknown, { clock, random }: ClockAndRandom): Promise<void> {
  const { addSubscriptions, applySeed, parseSeedDocument } = await import("../state/seed-document.js");
  const parsed = parseSeedDocument(document);
  await store.transact(async (state) => {
    const now = clock.now().getTime();
    addSubscriptions(state, parsed);
    await seedResources(state, parsed.resources, { now, random });
    seedAgents(state, parsed.arcAgents, now);
    applySeed(state, parsed, now);
    return { value: undefined, commit: true };
  });
}

/** Ends all operations that are due first. On request, includes the log of all writes. */
export async function snapshotOfStore(
  store: StateStore,
  clock: EmulatorClock,
  { operationLog = false }: { readonly operationLog?: boolean } = {},
): Promise<StateSnapshot> {
  return store.transact((state) => {
    const now = clock.now().getTime();
    advance({ state, now, uuid: () => sampleUuid(state), types: emulatedTypes });
    advanceCertificates(Object.values(state.vaults ?? {}), now);
    return { value: snapshotOf(rawOf(state), now, { operationLog }), commit: false };
  });
}
