/** Where real processes of the built program run: an emulator's state in a directory, and the files of the commands beside it. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { seedState, stateSnapshot } from "../src/emulator/index.js";
import { openState } from "../src/emulator/open.js";
import type { FaultRule } from "../src/emulator/core/fault-rules.js";
import type { AzureState } from "../src/emulator/state/state.js";
import { besideServer, plainEnvironment, program, startNode, wrongCodes, type CliResult } from "./cli-process.js";
import { writeDemoFiles } from "./demo-cluster.js";
import { outputDirectory, type Command } from "./simulation/commands.js";
import { inFile } from "./simulation/faults.js";
import { Invariants } from "./simulation/invariants.js";
import { privateKeyIn } from "./simulation/private-key.js";
import { snapshotOf, type Snapshot } from "./simulation/snapshot.js";
import type { LifePlace } from "./simulation/storm.js";

export interface RealPlaceOptions {
  /** The directory of all places. */
  readonly root: string;
  /** Whether each command joins an emulator that another process serves: false by default. */
  readonly isServed?: boolean;
  readonly latency: "none" | "recorded";
}

export class RealPlace implements LifePlace {
  readonly #options: RealPlaceOptions;
  readonly #directory: string;
  readonly #invariants = new Invariants();

  constructor(options: RealPlaceOptions) {
    this.#options = options;
    this.#directory = mkdtempSync(path.join(options.root, "place-"));
    writeDemoFiles(this.#directory);
    mkdirSync(this.#path(outputDirectory));
  }

  get problems(): readonly string[] {
    return this.#invariants.problems;
  }

  /** The same state and files. */
  copy(): RealPlace {
    const copy = new RealPlace(this.#options);
    cpSync(this.#directory, copy.#directory, { recursive: true });
    return copy;
  }

  seed(document: unknown): Promise<void> {
    return seedState(this.#path("azure"), document);
  }

  async run(run: string, command: Command, faults: readonly FaultRule[] = []): Promise<CliResult> {
    const args = [program, ...command(this.#directory)];
    const client = {
      ...plainEnvironment(this.#directory),
      ARO_HCP_LOCAL_DIR: this.#path("azure"),
      // Real time: the other waits are shorter by the time scale.
      ARO_HCP_LOCAL_RESPONSE_LIMIT: "10",
    };
    const environment = { ...client, ...this.#settings(faults) };
    const result = this.#options.isServed
      ? await besideServer(environment, () => startNode(args, client).ended)
      : await startNode(args, environment).ended;
    const mayDie = faults.some(({ kill }) => kill);
    if (wrongCodes.includes(result.code) || (typeof result.code === "string" && !mayDie))
      this.#invariants.violated(`${run} ended in a way that is never right: ${String(result.code)}`);
    this.#invariants.ended(run, await this.#read(), result, privateKeyIn(this.#path(outputDirectory)));
    return result;
  }

  /** How many requests the last run sent. */
  requests(): number {
    return readFileSync(this.#path("traffic.ndjson"), "utf8").trimEnd().split("\n").length;
  }

  async snapshot(): Promise<Snapshot> {
    const state = await this.#read();
    return snapshotOf({ state: () => state, snapshot: () => stateSnapshot(this.#path("azure")) }, this.#path(outputDirectory));
  }

  /** Makes all files old: the next run treats those of a killed run as abandoned. */
  age(): void {
    for (const name of readdirSync(this.#path(outputDirectory))) utimesSync(path.join(this.#path(outputDirectory), name), 0, 0);
  }

  #path(name: string): string {
    return path.join(this.#directory, name);
  }

  #read(): Promise<AzureState> {
    return openState(this.#path("azure")).transact((state) => ({ value: state, commit: false }));
  }

  #settings(faults: readonly FaultRule[]): NodeJS.ProcessEnv {
    const file = this.#path("faults.json");
    writeFileSync(file, JSON.stringify(faults.map(inFile)));
    rmSync(this.#path("traffic.ndjson"), { force: true });
    return {
      ARO_HCP_LOCAL_TIME_SCALE: "1000",
      ARO_HCP_LOCAL_LATENCY: this.#options.latency,
      ARO_HCP_LOCAL_FAULTS: file,
      ARO_HCP_LOCAL_RECORD: this.#path("traffic.ndjson"),
    };
  }
}
