/** Where simulated commands run: an emulator in memory, a directory for their files, and a schedule. */
import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { main } from "../../src/cli/main.js";
import { wellKnown } from "../../src/emulator/index.js";
import { createEmulator, type MemoryEmulator } from "../../src/emulator/memory-emulator.js";
import type { Random } from "../../src/azure/random.js";
import type { FaultRule } from "../../src/emulator/core/fault-rules.js";
import type { KeptState } from "../../src/emulator/state/kept-state.js";
import type { OnCommit } from "../../src/emulator/state/memory-copy.js";
import type { StateSnapshot } from "../../src/emulator/state/snapshot.js";
import type { AzureState } from "../../src/emulator/state/state.js";
import { directoryFiles } from "../../src/domain/directory-files.js";
import { throughGate } from "../../src/files/disk.js";
import { fakeProcess } from "../../test/harness/cli.js";
import { checkPrintedAdvice } from "../../test/harness/printed-advice.js";
import { wrongCodes, type CliResult } from "../cli-process.js";
import { writeDemoFiles, type Meanwhile } from "../demo-cluster.js";
import { createDirectory } from "../temporary-directory.js";
import { outputDirectory, type Command } from "./commands.js";
import { simulate } from "./globals.js";
import { Invariants, type Known } from "./invariants.js";
import { randomFrom, randomOf } from "./random.js";
import { epoch, RealTime, VirtualTime, type Schedule, type ScheduleOptions } from "./schedule.js";
import { privateKeyIn } from "./private-key.js";
import { snapshotOf, type Snapshot } from "./snapshot.js";

export interface PlaceOptions extends Omit<ScheduleOptions, "random"> {
  /** Determines the order of everything, and all random values. */
  readonly seed: string;
  readonly latency: "none" | "recorded";
  /** Whether the file `record` gets all traffic. */
  readonly isRecorded?: boolean;
  readonly onCommit?: OnCommit;
  /** Called after each change of a file. */
  readonly onFile?: () => void;
  /** In real time, without an order: by default virtual. */
  readonly isReal?: boolean;
}

/** What `restore` puts back: Azure, the files, and the time. */
export interface Kept {
  readonly azure: KeptState;
  /** By name. Drafts belong to it. */
  readonly files: ReadonlyMap<string, { readonly mode: number; readonly content: string }>;
  readonly nowMs: number;
  readonly known: Known;
}

export interface StartOptions {
  readonly faults?: readonly FaultRule[];
  readonly afterMs?: number;
  /** What others do when the command has shown its plan, before its next request. */
  readonly late?: Meanwhile | undefined;
}

/** What a simulation found. */
export interface Outcome {
  /** Of everything that happened, in its order. */
  readonly hash: string;
  /** How many requests, answers and sleeps went on. */
  readonly turns: number;
  readonly virtualMs: number;
  /** The faults of the requests that were sent. */
  readonly faults: readonly string[];
  /** Empty if there are none. */
  readonly problems: readonly string[];
}

const clientSecret = "the-secret-of-the-first-application";

/** The run that the code at hand belongs to. */
const currentRun = new AsyncLocalStorage<string>();

export class Place {
  readonly directory = createDirectory("simulation");
  readonly output = path.join(this.directory, outputDirectory);
  readonly record = path.join(this.directory, "traffic.ndjson");
  readonly schedule: Schedule;
  readonly emulator: MemoryEmulator;
  readonly latency: PlaceOptions["latency"];
  readonly #invariants = new Invariants();
  readonly #onFile: () => void;
  readonly #random: Random;
  readonly #kills = new Map<string, () => void>();
  readonly #requests = new Map<string, number>();

  constructor({ seed, latency, isRecorded = false, onCommit, onFile = () => undefined, isReal = false, ...schedule }: PlaceOptions) {
    this.schedule = isReal ? new RealTime() : new VirtualTime({ ...schedule, random: randomFrom(`order ${seed}`) });
    this.#random = randomOf(randomFrom(`values ${seed}`));
    if (!isReal) simulate({ schedule: this.schedule, random: this.#random, run: () => currentRun.getStore() ?? "" });
    this.#onFile = onFile;
    this.latency = latency;
    this.emulator = createEmulator({
      clock: this.schedule.clockOf("azure"),
      random: this.#random,
      latency,
      clientSecret,
      record: isRecorded ? this.record : undefined,
      onCommit: (state, changes) => {
        this.#invariants.afterCommit(currentRun.getStore() ?? "", state, changes);
        onCommit?.(state, changes);
      },
    });
    this.#invariants.seeded(new Set(), this.emulator.state());
    mkdirSync(this.output);
    writeDemoFiles(this.directory);
    writeFileSync(this.#credentialsFile, JSON.stringify({ ...credentialIds, clientSecret }), { mode: 0o600 });
  }

  get #credentialsFile(): string {
    return path.join(this.directory, "azure-creds.json");
  }

  /** What was found so far: the invariants that were violated, and these problems. */
  outcome(problems: readonly string[], faults: readonly string[] = []): Outcome {
    const { schedule } = this;
    const all = [...problems, ...this.problems];
    return { hash: schedule.hash(), turns: schedule.count, virtualMs: schedule.nowMs, faults, problems: all };
  }

  /** The invariants that were violated so far. */
  get problems(): readonly string[] {
    return this.#invariants.problems;
  }

  /** How many requests a run has sent. */
  requestsOf(run: string): number {
    return this.#requests.get(run) ?? 0;
  }

  /** Runs a command to its end, or to its death: its code is then SIGKILL. `run` is its name among those of this place. */
  run(run: string, command: Command, faults: readonly FaultRule[] = []): Promise<CliResult> {
    return this.schedule.until(this.start(run, command, { faults }));
  }

  /** The same, for several commands at once: the caller lets the schedule go on. */
  async start(run: string, command: Command, { faults = [], afterMs = 0, late }: StartOptions = {}): Promise<CliResult> {
    const args = command(this.directory);
    const env = { HOME: this.directory, NO_COLOR: "1" };
    const clock = this.schedule.clockOf(run);
    let isPlanned = false;
    const process = fakeProcess(args, { env, clock, random: this.#random, written: () => (isPlanned = true) });
    const planned = async () => {
      if (!isPlanned || late === undefined) return;
      const { seed } = late;
      late = undefined;
      await this.#seed(seed);
    };
    let isDead = false;
    const kill = (): void => {
      isDead = true;
      this.schedule.kill(run);
      process.port.kill();
    };
    this.#kills.set(run, kill);
    this.#invariants.started(run, args);
    const gate = {
      before: () => (isDead ? new Promise<void>(() => undefined) : Promise.resolve()),
      after: () => {
        if (isDead) return;
        this.#invariants.fileChanged(run, infraIdIn(this.output));
        this.#onFile();
      },
    };
    const work = async (): Promise<number | string> => {
      if (afterMs > 0) await clock.sleep(afterMs);
      const emulator = this.#connection(run, faults, { kill, planned });
      return main({ ...process.port, emulator }).finally(() => emulator.close());
    };
    const code = await currentRun.run(run, () => Promise.race([throughGate(gate, work), process.ended]));
    const result = { code, stdout: process.stdout(), stderr: process.stderr() };
    await this.#check(run, args, env, result);
    return result;
  }

  #connection(run: string, faults: readonly FaultRule[], { kill, planned }: { kill(): void; planned(): Promise<void> }) {
    const azure = this.emulator.connect(faults, kill);
    const { schedule } = this;
    return {
      credentialsFile: this.#credentialsFile,
      timeScale: 1,
      close: () => azure.close(),
      send: async (request: Parameters<typeof azure.send>[0]) => {
        const { pathname, search, host } = new URL(request.url);
        const label = `${request.method} ${host}${pathname}${search}`;
        await schedule.turn(run, label);
        this.#requests.set(run, this.requestsOf(run) + 1);
        await planned();
        try {
          const response = await azure.send(request);
          await schedule.turn(run, `${String(response.status)} ${label}`);
          return response;
        } catch (error) {
          await schedule.turn(run, `lost ${label}`);
          throw error;
        }
      },
    };
  }

  async #check(run: string, args: readonly string[], env: Record<string, string>, result: CliResult): Promise<void> {
    if (result.code === "SIGKILL") return;
    if (typeof result.code === "string" || wrongCodes.includes(result.code)) {
      this.#invariants.violated(`${run} ended in a way that is never right: ${String(result.code)}\n${result.stderr}`);
    }
    this.#invariants.ended(run, this.emulator.state(), result, privateKeyIn(this.output));
    await checkPrintedAdvice({ args, env, ...result }).catch((error: unknown) => {
      this.#invariants.violated(`${run} advises what cannot be done: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  kill(run: string): void {
    this.#kills.get(run)?.();
  }

  seed(document: unknown): Promise<void> {
    return this.schedule.until(this.#seed(document));
  }

  async #seed(document: unknown): Promise<void> {
    const before = idsIn(this.emulator.state());
    await this.emulator.seed(document);
    this.#invariants.seeded(before, this.emulator.state());
  }

  /** The emulator's state, with its random values. */
  azure(): Promise<StateSnapshot> {
    return this.schedule.until(this.emulator.snapshot());
  }

  snapshot(): Promise<Snapshot> {
    return this.schedule.until(snapshotOf(this.emulator, this.output));
  }

  keep(): Kept {
    const files = readdirSync(this.output).map((name) => {
      const file = path.join(this.output, name);
      return [name, { mode: statSync(file).mode & 0o777, content: readFileSync(file, "utf8") }] as const;
    });
    return { azure: this.emulator.keep(), files: new Map(files), nowMs: this.schedule.nowMs, known: this.#invariants.known };
  }

  /** Drafts of the run that ended there are old for the next one. */
  restore({ azure, files, nowMs, known }: Kept): void {
    this.#invariants.known = known;
    this.emulator.restore(azure);
    for (const name of readdirSync(this.output)) rmSync(path.join(this.output, name));
    for (const [name, { mode, content }] of files) {
      writeFileSync(path.join(this.output, name), content, { mode });
      utimesSync(path.join(this.output, name), epoch / 1000 - 3600, epoch / 1000 - 3600);
    }
    this.schedule.moveTo(nowMs);
  }

  close(): void {
    simulate(undefined);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** In the output file of an infrastructure, which may be half of nothing while it is written. */
function infraIdIn(output: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(path.join(output, directoryFiles.infra), "utf8")) as { readonly infraID?: string }).infraID;
  } catch {
    return undefined;
  }
}

function idsIn({ resources, roleAssignments, applications }: AzureState): ReadonlySet<string> {
  return new Set([resources, roleAssignments, applications].flatMap((all) => Object.keys(all)));
}

const { tenantId, subscriptionId, clientId } = wellKnown;
const credentialIds = { subscriptionId, tenantId, clientId };
