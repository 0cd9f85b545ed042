/** `local reset`, `local seed` and `local status` on the state of a directory; a running server sees the change at once. */
import { systemClock, type EmulatorClock } from "./clock.js";
import { openState } from "./open.js";
import { removeDamagedCertificates } from "./server/certificates.js";
import { seedStore, snapshotOfStore } from "./store-commands.js";
import type { StateSnapshot } from "./state/snapshot.js";
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
export function seedState(directory: string, document: unknown, clock = systemClock): Promise<void> {
  return seedStore(checkedStore(directory), document, clock);
}

/** The comparable snapshot, after all operations that are due have ended, and on request with the log of all writes. */
export async function stateSnapshot(
  directory: string,
  { clock = systemClock, ...options }: { readonly operationLog?: boolean; readonly clock?: EmulatorClock } = {},
): Promise<StateSnapshot> {
  return snapshotOfStore(checkedStore(directory), clock, options);
}

function checkedStore(directory: string): StateStore {
  const store = openState(directory);
  store.check();
  return store;
}
