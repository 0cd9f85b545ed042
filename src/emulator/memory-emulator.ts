/** An emulator without files and without a server, for tests and simulations: its state is in the memory of this process. */
import { coreOf } from "./services/all-services.js";
import { inProcess, type InProcess } from "./listeners/in-process.js";
import { Faults } from "./core/faults.js";
import type { FaultRule } from "./core/fault-rules.js";
import type { KeptState } from "./state/kept-state.js";
import { MemoryCopy, type OnCommit } from "./state/memory-copy.js";
import type { Latency } from "./state/sampling.js";
import { freshState } from "./state/seed.js";
import type { StateSnapshot } from "./state/snapshot.js";
import type { AzureState } from "./state/state.js";
import { StateStore } from "./state/store.js";
import { seedStore, snapshotOfStore } from "./services/store-commands.js";
import type { ClockAndRandom } from "./common/random.js";

export interface MemoryEmulatorOptions extends ClockAndRandom {
  readonly latency: Latency;
  /** The secret of the first application: see `freshState`. */
  readonly clientSecret: string;
  /** The file that all traffic is appended to. */
  readonly record?: string | undefined;
  readonly onCommit?: OnCommit;
}

export interface MemoryEmulator {
  /** A way to it for one client, with faults of its own. `kill`: see `inProcess`. */
  connect(faults: readonly FaultRule[], kill: () => void): InProcess;
  reset(): void;
  seed(document: unknown): Promise<void>;
  /** What `restore` puts back. */
  keep(): KeptState;
  restore(kept: KeptState): void;
  /** The comparable snapshot, after all operations that are due have ended. */
  snapshot(): Promise<StateSnapshot>;
  /** The state itself, not to be changed. */
  state(): AzureState;
}

export function createEmulator({ clock, random, latency, clientSecret, record, onCommit }: MemoryEmulatorOptions): MemoryEmulator {
  const copy = new MemoryCopy(freshState(clientSecret), onCommit);
  const store = StateStore.inMemory(copy);
  const core = coreOf(store, { clock, random }, { latency, timeScale: 1, record, faults: [] });
  return {
    connect: (faults, kill) => inProcess({ ...core, faults: new Faults(faults) }, kill),
    reset: () => store.replace(freshState(clientSecret)),
    seed: (document) => seedStore(store, document, { clock, random }),
    keep: () => copy.keep(),
    restore: (kept) => copy.restore(kept),
    snapshot: () => snapshotOfStore(store, clock),
    state: () => copy.refresh(),
  };
}
