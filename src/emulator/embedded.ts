/** What `import … from "aro-hcp/emulator"` gives to tests: an Azure of their own, in a temporary directory. */
import { mkdtemp, rm } from "node:fs/promises";
import type { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmulatorInputError } from "./common/emulator-error.js";
import { MovableClock } from "./common/clock.js";
import { systemRandom } from "./common/random.js";
import { checkedFaultRules, type FaultRule } from "./core/fault-rules.js";
import { Faults } from "./core/faults.js";
import { agentFor } from "./listeners/agent.js";
import { openState } from "./open.js";
import { serveCore } from "./serving.js";
import { coreOf } from "./services/all-services.js";
import { seedStore, snapshotOfStore } from "./services/store-commands.js";
import { readCredentials } from "./state/credentials.js";
import type { KeptState } from "./state/kept-state.js";
import { freshState } from "./state/seed.js";

export interface EmulatorOptions {
  /** A seed document, as `aro-hcp local seed` reads it. `reset` adds it again. */
  readonly seed?: object;
  /** The rules that apply from the start, and again after `reset`: see `setFaults`. */
  readonly faults?: readonly object[];
  /** Whether operations take as long as on Azure, or end at once: the default. */
  readonly latency?: "none" | "recorded";
  /** How many seconds of Azure's clock pass in a real second: 1 by default. */
  readonly timeScale?: number;
}

/** A state of the emulator that `restore` puts back. */
export interface Snapshot {
  readonly takenAt: Date;
}

/** The members of each part are named by ID, or by name. */
export interface State {
  readonly resources: Readonly<Record<string, unknown>>;
  readonly roleAssignments: Readonly<Record<string, unknown>>;
  readonly applications: Readonly<Record<string, unknown>>;
  readonly [part: string]: unknown;
}

export interface Emulator {
  /** Variables that direct a process to it: this program, az, Terraform, and SDKs for JavaScript, Go and Python. */
  readonly environment: Readonly<Record<string, string>>;
  /** For clients of this process: `new SomeClient(credential, subscriptionId, { agent })`, or an option of `https.request`. */
  readonly agent: Agent;
  /** A service principal that owns the subscription. */
  readonly credentials: {
    readonly tenantId: string;
    readonly subscriptionId: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  /** Azure's clock: operations, replication, tokens and certificates follow it. */
  readonly clock: {
    now(): Date;
    /** @throws RangeError for less than 0 */
    advance(milliseconds: number): void;
  };
  /** Back to the start: the fresh state with the seed, the first fault rules, and the time of this computer. */
  reset(): Promise<void>;
  /** Adds a seed document. @throws Error that names the problem; then nothing is added */
  seed(document: object): Promise<void>;
  /** Milliseconds, whatever the state has in it. */
  snapshot(): Promise<Snapshot>;
  /** @throws Error for a snapshot of another emulator */
  restore(snapshot: Snapshot): Promise<void>;
  /** Replaces all fault rules, and counts requests from 1 again. @throws Error that names the rule */
  setFaults(rules: readonly object[]): void;
  /** All resources, role assignments and applications, as `aro-hcp local status --output json` prints them. */
  state(): Promise<State>;
  /** Stops it and removes its directory. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @throws Error for an invalid seed or fault rule */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const directory = await mkdtemp(join(tmpdir(), "aro-hcp-emulator-"));
  try {
    return await openIn(directory, options);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function openIn(directory: string, { seed, faults = [], latency = "none", timeScale = 1 }: EmulatorOptions): Promise<Emulator> {
  const clock = new MovableClock();
  const clockAndRandom = { clock, random: systemRandom };
  const store = openState(directory);
  const rules = new Faults(rulesFor(faults));
  const core = { ...coreOf(store, clockAndRandom, { latency, timeScale, record: undefined, faults: [] }), faults: rules };
  if (seed !== undefined) await seedStore(store, seed, clockAndRandom);
  const server = await serveCore(core, { directory, environment: {} });
  const agent = agentFor(server);
  const credentials = readCredentials(directory);
  const kept = new WeakMap<Snapshot, KeptState>();
  const close = async () => {
    agent.destroy();
    await server.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  return {
    environment: { ...server.ready.env, ARO_HCP_CLOUD: "local", ARO_HCP_LOCAL_DIR: directory },
    agent,
    credentials,
    clock: {
      now: () => clock.now(),
      advance: (milliseconds) => {
        clock.advance(milliseconds);
      },
    },
    async reset() {
      clock.reset();
      rules.replace(rulesFor(faults));
      store.replace(freshState(credentials.clientSecret));
      if (seed !== undefined) await seedStore(store, seed, clockAndRandom);
    },
    seed: (document) => seedStore(store, document, clockAndRandom),
    async snapshot() {
      const snapshot = { takenAt: clock.now() };
      kept.set(snapshot, await store.keep());
      return snapshot;
    },
    async restore(snapshot) {
      const state = kept.get(snapshot);
      if (state === undefined) throw new EmulatorInputError("this snapshot was not taken from this emulator");
      await store.restore(state);
    },
    setFaults(next) {
      rules.replace(rulesFor(next));
    },
    state: async () => ({ ...(await snapshotOfStore(store, clock)) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A rule that kills the server would kill the process of the tests. */
function rulesFor(rules: readonly object[]): FaultRule[] {
  const checked = checkedFaultRules(rules);
  const at = checked.findIndex(({ kill }) => kill === true);
  if (at >= 0) throw new EmulatorInputError(`rule ${String(at + 1)}: kill would end this process; use reset`);
  return checked;
}
