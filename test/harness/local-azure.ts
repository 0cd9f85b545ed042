/** A fresh emulator for one test, and the real command line run against it as a process. */
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { stateSnapshot, resetState, seedState, type StateSnapshot } from "../../src/emulator/index.js";
import { plainEnvironment, program, startNode, type CliResult, type RunningCli } from "../../tools/cli-process.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { madeOnce } from "./made-once.js";

export type { CliResult, RunningCli };

/** One line of the traffic record. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseBody: unknown;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Rules for `ARO_HCP_LOCAL_FAULTS`. */
  readonly faults?: readonly unknown[];
}

export interface LocalAzure {
  readonly directory: string;
  /** Runs `aro-hcp` with `--cloud local` left to the caller. Never rejects for an exit code. */
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** The same, while it runs: to watch it and send it signals. Killed at the end of the test. */
  start(args: readonly string[], options?: CliOptions): Promise<RunningCli>;
  seed(document: unknown): Promise<void>;
  /** A comparable snapshot of the whole state. */
  snapshot(): Promise<StateSnapshot>;
  /** The exchanges between client and Azure since the last call. */
  traffic(): Promise<Exchange[]>;
  /** A path inside a folder that is removed with the state. */
  path(name: string): string;
}

/** A state with its certificates: creating keys takes longer than most tests. */
export function stateTemplate(): Promise<string> {
  return madeOnce("state", async (directory) => {
    const { openEmulator } = await import("../../src/emulator/index.js");
    await (await openEmulator({ directory, environment: {} })).close();
  });
}

/** Removed when the test ends; `atEnd` for one that several tests share. */
export async function localAzure(atEnd: (clean: () => Promise<void>) => void = onTestFinished): Promise<LocalAzure> {
  const root = await mkdtemp(join(tmpdir(), "aro-hcp-test-"));
  atEnd(() => rm(root, { recursive: true, force: true }));
  const directory = join(root, "azure");
  await cp(await stateTemplate(), directory, { recursive: true });
  resetState(directory);
  const record = join(process.env["ARO_HCP_TEST_RECORD"] ?? root, `${randomUUID()}.ndjson`);
  let returned = 0;

  const start = async (args: readonly string[], { env = {}, faults }: CliOptions = {}): Promise<RunningCli> => {
    const faultsFile = join(root, "faults.json");
    if (faults) await writeFile(faultsFile, JSON.stringify(faults));
    return startNode([program, ...args], {
      ...plainEnvironment(root),
      ARO_HCP_LOCAL_DIR: directory,
      ARO_HCP_LOCAL_RECORD: record,
      ...(faults && { ARO_HCP_LOCAL_FAULTS: faultsFile }),
      ...env,
    });
  };

  return {
    directory,
    path: (name) => join(root, name),
    cli: async (args, options) => (await start(args, options)).ended,
    async start(args, options) {
      const running = await start(args, options);
      onTestFinished(() => void running.process.kill("SIGKILL"));
      return running;
    },
    seed: (document) => seedState(directory, document),
    snapshot: () => stateSnapshot(directory),
    async traffic() {
      const lines = (await readFile(record, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
      const fresh = lines.slice(returned);
      returned = lines.length;
      return fresh.map((line) => JSON.parse(line) as Exchange);
    },
  };
}

/** The cluster most tests use, as flags. */
export const demo = clusterFlags;
export const demoDomain = domainFlags;

/** Requests that change something. Token requests and checks by POST are not writes. */
export function writes(traffic: readonly Exchange[]): Exchange[] {
  return traffic.filter(
    ({ method, url }) => !["GET", "HEAD"].includes(method) && !/\/oauth2\/|\/checkNameAvailability\?|\/checkPolicyRestrictions\?/.test(url),
  );
}
