/** An emulator in memory, whose states are kept and put back: for tests with many small changes of one large state. No wait takes time. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { createEmulator } from "../../src/emulator/memory-emulator.js";
import type { KeptState } from "../../src/emulator/state/kept-state.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import { main } from "../../src/cli/main.js";
import { systemRandom } from "../../src/azure/random.js";
import { systemClock } from "../../src/azure/clock.js";
import type { CliResult } from "../../tools/cli-process.js";
import { writeDemoFiles } from "../../tools/demo-cluster.js";
import { fakeProcess } from "./cli.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** The pauses that the program makes for Azure's limits take no time. */
const timeScale = 1000;

export interface MemoryAzure {
  readonly directory: string;
  /** `planned` runs once, when the program has shown its plan, before its next request. */
  run(args: readonly string[], planned?: () => Promise<unknown>): Promise<CliResult>;
  seed(document: unknown): Promise<void>;
  /** Changes the state directly, without the checks of a service. */
  change(change: (state: AzureState) => unknown): void;
  keep(): KeptState;
  restore(kept: KeptState): void;
}

/** A command that closed it would end the waits of others that share it. */
function ownedByCaller(): never {
  throw new Error("a command closed an emulator that it was given");
}

export function memoryAzure(): MemoryAzure {
  const { path: directory } = temporaryDirectory(afterAll);
  const clientSecret = "the-secret-of-the-first-application";
  const emulator = createEmulator({ clock: systemClock, random: systemRandom, latency: "none", clientSecret });
  const credentialsFile = join(directory, "azure-creds.json");
  mkdirSync(directory, { recursive: true });
  const { subscriptionId, tenantId, clientId } = wellKnown;
  writeFileSync(credentialsFile, JSON.stringify({ subscriptionId, tenantId, clientId, clientSecret }), { mode: 0o600 });
  writeDemoFiles(directory);
  return {
    directory,
    async run(args, planned) {
      let isPlanned = false;
      let due = planned;
      const process = fakeProcess(args, { env: { HOME: directory, NO_COLOR: "1" }, written: () => (isPlanned = true) });
      const azure = emulator.connect([], process.port.kill);
      const send: typeof azure.send = async (request) => {
        if (isPlanned && due !== undefined) {
          const change = due;
          due = undefined;
          await change();
        }
        return azure.send(request);
      };
      const code = await Promise.race([
        main({ ...process.port, emulator: { credentialsFile, timeScale, close: ownedByCaller, send } }).finally(() => azure.close()),
        process.ended,
      ]);
      return { code, stdout: process.stdout(), stderr: process.stderr() };
    },
    seed: (document) => emulator.seed(document),
    change(change) {
      const kept = emulator.keep();
      const state = structuredClone(kept.state);
      change(state);
      emulator.restore({ ...kept, state });
    },
    keep: () => emulator.keep(),
    restore: (kept) => emulator.restore(kept),
  };
}
