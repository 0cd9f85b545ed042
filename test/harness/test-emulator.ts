/** A new emulator for one test. The program runs against it in the process of the test or in a separate one. */
import { existsSync, readFileSync, watch } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { EmulatorClock } from "../../src/emulator/common/clock.js";
import type { SystemClock } from "../../src/azure/clock.js";
import type { Random } from "../../src/azure/random.js";
import { serve, openEmulator, stateSnapshot, seedState, type StateSnapshot } from "../../src/emulator/index.js";
import { plainEnvironment, program, startNode, type CliResult, type RunningCli } from "../../tools/cli-process.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { cli, startCli, type RunningCli as RunningInProcess } from "./cli.js";
import { madeOnce } from "./made-once.js";
import { checkPrintedAdvice } from "./printed-advice.js";
import { checkPrintedDocuments } from "./printed-document.js";
import { temporaryDirectory } from "./temporary-directory.js";

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
  /** Rules for `ARO_HCP_LOCAL_FAULTS`. With a rule that kills, `cli` starts a process. */
  readonly faults?: readonly unknown[];
  /** Of the program, if it runs in this process. */
  readonly clock?: SystemClock;
  readonly random?: Random;
  /** Of the terminal of `startCli`. */
  readonly size?: { readonly columns: number; readonly rows: number };
}

export interface TestEmulator {
  readonly directory: string;
  /** Runs `aro-hcp` in this process. The caller passes `--cloud local`. Never rejects because of an exit code. */
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Starts `aro-hcp` in this process on a terminal, to watch it and type input. */
  startCli(args: readonly string[], options?: CliOptions): Promise<RunningInProcess>;
  /** Runs `aro-hcp` in a separate process, to test the bundle or the start of Node.js. */
  spawn(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Starts a separate process, to watch it, send it signals and kill it. It ends with the test at the latest. */
  start(args: readonly string[], options?: CliOptions): Promise<RunningCli>;
  /** Serves the state in this process, with the clock of the test, until the end. Commands with the same options use this server. */
  serve(clock: EmulatorClock, options?: CliOptions): ReturnType<typeof serve>;
  seed(document: unknown): Promise<void>;
  /** A comparable snapshot of the state. */
  snapshot(): Promise<StateSnapshot>;
  /** The exchanges between client and Azure since the last call. */
  traffic(): Promise<Exchange[]>;
  /** Waits until the exchanges since the last call of `traffic` meet the condition. */
  recorded(condition: (exchanges: readonly Exchange[]) => boolean): Promise<void>;
  /** A path inside a folder that is removed with the state. */
  path(name: string): string;
}

export interface TestEmulatorOptions {
  /** Removes the emulator. By default, at the end of the test; if several tests share it, `afterAll`. */
  readonly atEnd?: (clean: () => Promise<void>) => void;
  /** The directory of another state to copy. */
  readonly prepared?: string | undefined;
  /** For every command and server; their own options come later. */
  readonly env?: CliOptions["env"];
}

/** The pauses that the program makes for Azure's limits take no time. */
const withoutPauses = { ARO_HCP_LOCAL_TIME_SCALE: "100" } as const;
/** For a test that compares dates of Azure with those of this computer, or sets a limit in real time. */
export const realTime = { ARO_HCP_LOCAL_TIME_SCALE: "1" } as const;

/** Directory with credentials and certificates, because creating keys takes longer than most tests. The first use adds a fresh state. */
export function stateTemplate(): Promise<string> {
  return madeOnce("state", async (directory) => {
    await (await openEmulator({ directory, environment: {} })).close();
    await rm(join(directory, "state"), { recursive: true });
  });
}

/** A folder of its own: `recorded` watches it, and would otherwise look at the record again after each request of any test. */
async function recordFolder(root: string): Promise<string> {
  const folder = process.env["ARO_HCP_TEST_RECORD"];
  return folder === undefined ? root : mkdtemp(join(folder, "test-"));
}

function passed({ clock, random }: CliOptions = {}) {
  return { ...(clock && { clock }), ...(random && { random }) };
}

export async function testEmulator({
  atEnd = onTestFinished,
  prepared,
  env: common = {},
}: TestEmulatorOptions = {}): Promise<TestEmulator> {
  const { path: root } = temporaryDirectory(atEnd);
  const directory = join(root, "azure");
  await cp(prepared ?? (await stateTemplate()), directory, { recursive: true });
  const record = join(await recordFolder(root), "traffic.ndjson");
  let returned = 0;
  /** The commands in this process that have not ended. */
  const running = new Set<Promise<CliResult>>();

  const environment = async ({ env = {}, faults }: CliOptions = {}): Promise<NodeJS.ProcessEnv> => {
    const faultsFile = join(root, "faults.json");
    if (faults) await writeFile(faultsFile, JSON.stringify(faults));
    return {
      ...plainEnvironment(root),
      ARO_HCP_LOCAL_DIR: directory,
      ARO_HCP_LOCAL_RECORD: record,
      ...withoutPauses,
      ...common,
      ...(faults && { ARO_HCP_LOCAL_FAULTS: faultsFile }),
      // Otherwise each of them takes a minute.
      ...(faults?.some(hangs) && { ARO_HCP_LOCAL_RESPONSE_LIMIT: "5" }),
      ...env,
    };
  };
  /** The exchanges since the last call of `traffic`; a line may be incomplete while a process writes it. */
  const exchanges = (): Exchange[] => {
    const text = existsSync(record) ? readFileSync(record, "utf8") : "";
    const lines = text.split("\n").slice(0, -1);
    return lines.slice(returned).map((line) => JSON.parse(line) as Exchange);
  };
  const start = async (args: readonly string[], options?: CliOptions): Promise<RunningCli> => {
    const env = await environment(options);
    const { process, ended } = startNode([program, ...args], env);
    const checked = async () => {
      const result = await ended;
      await checkPrintedAdvice({ args, env, ...result });
      checkPrintedDocuments({ args, ...result });
      return result;
    };
    return { process, ended: checked() };
  };
  const spawn = async (args: readonly string[], options?: CliOptions) => (await start(args, options)).ended;

  return {
    directory,
    path: (name) => join(root, name),
    async cli(args, options) {
      if (options?.faults?.some(kills)) return spawn(args, options);
      const ending = environment(options).then((env) => cli(args, { ...passed(options), env }));
      running.add(ending);
      return ending.finally(() => running.delete(ending));
    },
    startCli: async (args, options) =>
      startCli(args, { ...passed(options), env: { ...(await environment(options)), TERM: "xterm" }, tty: options?.size ?? true }),
    spawn,
    async start(args, options) {
      const running = await start(args, options);
      onTestFinished(async () => {
        running.process.kill("SIGKILL");
        await running.ended;
      });
      return running;
    },
    async serve(clock, options) {
      const server = await serve({ directory, environment: await environment(options), clock });
      atEnd(() => server.close());
      return server;
    },
    seed: (document) => seedState(directory, document),
    snapshot: () => stateSnapshot(directory),
    traffic() {
      const fresh = exchanges();
      returned += fresh.length;
      return Promise.resolve(fresh);
    },
    recorded: (condition) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!condition(exchanges())) return;
          watcher.close();
          resolve();
        };
        const watcher = watch(dirname(record), check);
        onTestFinished(() => watcher.close());
        check();
        if (running.size > 0) {
          void Promise.all(running).then((results) => {
            const ended = results.map(({ code, stderr }) => `${String(code)}\n${stderr}`).join("\n");
            if (!condition(exchanges())) reject(new Error(`every command ended before that request, with exit code ${ended}`));
          }, reject);
        }
      }),
  };
}

function kills(rule: unknown): boolean {
  return (rule as { readonly kill?: boolean }).kill === true;
}

function hangs(rule: unknown): boolean {
  const { hang = false, delay = 0 } = rule as { readonly hang?: boolean; readonly delay?: number };
  return hang || delay >= 10_000;
}

/** The flags of the cluster that most tests use. */
export const demo = clusterFlags;
export const demoDomain = domainFlags;

/** Requests that change something: no token requests, and no checks or reads of credentials by POST. */
export function writes(traffic: readonly Exchange[]): Exchange[] {
  return traffic.filter(
    ({ method, url }) =>
      !["GET", "HEAD"].includes(method) &&
      !/\/oauth2\/|\/checkNameAvailability\?|\/checkPolicyRestrictions\?|\/listCluster\w*Credential\?|\/listAdminCredentials\?|\/GetLatestHelmPackagePath\?/.test(
        url,
      ),
  );
}
