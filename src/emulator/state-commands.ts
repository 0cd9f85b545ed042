/** What `local reset`, `local seed` and `local status` do to the world of a directory; a door that is open on it sees it at once. */
import { advance } from "./arm/operations.js";
import { systemClock, type EmulatorClock } from "./clock.js";
import { openState } from "./open.js";
import { advanceCertificates } from "./services/key-vault/certificate-creation.js";
import { seedResources } from "./seed-resources.js";
import { sampleUuid } from "./state/sampling.js";
import { snapshotOf, type StateSnapshot } from "./state/snapshot.js";
import { ensureCredentials, freshState } from "./state/seed.js";

/** Back to a fresh world. Credentials and certificates stay. */
export function resetState(directory: string): void {
  openState(directory).replace(freshState(ensureCredentials(directory).clientSecret));
}

/** Adds what a seed document, parsed from JSON or YAML, holds. @throws EmulatorError naming what is wrong; the world is left alone then. */
export async function seedState(directory: string, document: unknown, clock = systemClock): Promise<void> {
  const { applySeed, parseSeedDocument } = await import("./state/seed-document.js");
  const parsed = parseSeedDocument(document);
  await openState(directory).transact(async (state) => {
    const now = clock.now().getTime();
    await seedResources(state, parsed.resources, now);
    applySeed(state, parsed, now);
    return { value: undefined, commit: true };
  });
}

/** The comparable picture, with what has ended by the clock ended, and with the ledger of all writes where asked for. */
export async function stateSnapshot(
  directory: string,
  options: { readonly operationLog?: boolean; readonly clock?: EmulatorClock } = {},
): Promise<StateSnapshot> {
  const { operationLog = false, clock = systemClock } = options;
  return openState(directory).transact((state) => {
    const now = clock.now().getTime();
    advance({ state, now, uuid: () => sampleUuid(state) });
    advanceCertificates(Object.values(state.vaults ?? {}), now);
    return { value: snapshotOf(state, now, { operationLog }), commit: false };
  });
}
