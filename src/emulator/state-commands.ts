/** `local reset`, `local seed` and `local status` on the state of a directory; a running server sees the change at once. */
import { systemClock } from "./common/clock.js";
import { openState, type OpenOptions } from "./open.js";
import { systemRandom, type EmulatorRandom } from "./common/random.js";
import { removeDamagedCertificates } from "./listeners/server-certificates.js";
import { seedStore, snapshotOfStore } from "./services/store-commands.js";
import type { StateSnapshot } from "./state/snapshot.js";
import { removeDamagedServing } from "./joining.js";
import { renewDamagedCredentials } from "./state/credentials.js";
import { freshState } from "./state/seed.js";
import { StateStore } from "./state/store.js";

type Given = Pick<OpenOptions, "clock" | "random">;

/** Starts over with a fresh state. Credentials and certificates stay, unless they are damaged. Files of others stay in any case. */
export function resetState(directory: string, random = systemRandom): void {
  StateStore.removeUnreadable(directory);
  const fresh = () => freshState(renewDamagedCredentials(directory, random).clientSecret);
  StateStore.open(directory, fresh).replace(fresh());
  removeDamagedCertificates(directory);
  removeDamagedServing(directory);
}

/** Adds a seed document, parsed from JSON or YAML. @throws EmulatorError that names the problem; then nothing is added. */
export async function seedState(directory: string, document: unknown, options: Given = {}): Promise<void> {
  const { clock = systemClock, random = systemRandom } = options;
  return seedStore(checkedStore(directory, random), document, { clock, random });
}

/** The comparable snapshot, after all operations that are due have ended, and on request with the log of all writes. */
export async function stateSnapshot(
  directory: string,
  { clock = systemClock, random = systemRandom, ...options }: { readonly operationLog?: boolean } & Given = {},
): Promise<StateSnapshot> {
  return snapshotOfStore(checkedStore(directory, random), clock, options);
}

function checkedStore(directory: string, random: EmulatorRandom): StateStore {
  const store = openState(directory, random);
  store.check();
  return store;
}
