/** `local reset`, `local seed` and `local status` on the state of a directory; a running server sees the change at once. */
import { advance } from "./arm/operations.js";
import { emulatedTypes } from "./arm/types/index.js";
import { systemClock, type EmulatorClock } from "./clock.js";
import { openState } from "./open.js";
import { removeDamagedCertificates } from "./server/certificates.js";
import { advanceCertificates } from "./services/key-vault/certificate-creation.js";
import { seedAgents, seedResources } from "./seed-resources.js";
import { sampleUuid } from "./state/sampling.js";
import { snapshotOf, type StateSnapshot } from "./state/snapshot.js";
import { removeDamagedServing } from "./joining.js";
import { renewDamagedCredentials } from "./state/credentials.js";
import { freshState } from "./state/seed.js";
import { StateStore } from "./state/store.js";

/** Starts over with a fresh state. Credentials and certificates stay, unless they are damaged. Files of others stay in any case. */
export function resetState(directory: string): void {
  StateStore.removeOlder(directory);
  const fresh = () => freshState(renewDamagedCredentials(directory).clientSecret);
  StateStore.open(directory, fresh).replace(fresh());
  removeDamagedCertificates(directory);
  removeDamagedServing(directory);
}

/** Adds a seed document, parsed from JSON or YAML. @throws EmulatorError that names the problem; then nothing is added. */
export async function seedState(directory: string, document: unknown, clock = systemClock): Promise<void> {
  const { applySeed, parseSeedDocument } = await import("./state/seed-document.js");
  const parsed = parseSeedDocument(document);
  const store = openState(directory);
  store.check();
  await store.transact(async (state) => {
    const now = clock.now().getTime();
    await seedResources(state, parsed.resources, now);
    seedAgents(state, parsed.arcAgents, now);
    applySeed(state, parsed, now);
    return { value: undefined, commit: true };
  });
}

/** The comparable snapshot, after all operations that are due have ended, and on request with the log of all writes. */
export async function stateSnapshot(
  directory: string,
  options: { readonly operationLog?: boolean; readonly clock?: EmulatorClock } = {},
): Promise<StateSnapshot> {
  const { operationLog = false, clock = systemClock } = options;
  const store = openState(directory);
  store.check();
  return store.transact((state) => {
    const now = clock.now().getTime();
    advance({ state, now, uuid: () => sampleUuid(state), types: emulatedTypes });
    advanceCertificates(Object.values(state.vaults ?? {}), now);
    return { value: snapshotOf(state, now, { operationLog }), commit: false };
  });
}
