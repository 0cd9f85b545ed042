/** Finds the server of another process, or loads the emulator and starts one in this process. */
import { request } from "node:https";
import type { EmulatorClock } from "./common/clock.js";
import { EmulatorInputError, EmulatorStateError } from "./common/emulator-error.js";
import { settingVariables, type Environment } from "./core/local-settings.js";
import type { Emulator, OpenOptions } from "./open.js";
import type { InProcessEmulator } from "./open-in-process.js";
import { agentFor } from "./listeners/agent.js";
import { readCredentials } from "./state/credentials.js";
import { isErrno, caFileOf, credentialsFileOf, servingFileOf, readOwnFile, removeOwn } from "./state/files.js";

export interface Serving {
  readonly pid: number;
  readonly port: number;
  readonly proxyPort: number;
  readonly timeScale: number;
  /** The `ARO_HCP_LOCAL_*` settings that the server was started with. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The server that another process runs for this directory; undefined if none runs.
 * @throws EmulatorInputError if a setting of this environment would have no effect on it, EmulatorStateError for a damaged state
 */
export async function joinEmulator(directory: string, environment: Environment = {}): Promise<Emulator | undefined> {
  const serving = await findServing(directory);
  if (serving === undefined) return undefined;
  for (const [variable, value] of Object.entries(settingsIn(environment))) {
    if (serving.settings[variable] === value) continue;
    throw new EmulatorInputError(
      `${variable} has no effect: process ${serving.pid} serves ${directory} with its own settings; set it there, or stop that process`,
    );
  }
  const { problem } = serving;
  if (problem !== undefined) throw new EmulatorStateError(problem);
  readCredentials(directory);
  const caFile = caFileOf(directory);
  return {
    port: serving.port,
    proxyPort: serving.proxyPort,
    ca: readOwnFile(caFile),
    caFile,
    isCaReplaced: false,
    credentialsFile: credentialsFileOf(directory),
    timeScale: serving.timeScale,
    close: () => Promise.resolve(),
  };
}

/** The server that runs for the directory; otherwise the emulator in this process, without one. `kill`: see `openInProcess`. */
export async function connectInProcess(
  options: Pick<OpenOptions, "directory" | "environment" | "clock" | "random">,
  kill: () => void,
): Promise<Emulator | InProcessEmulator> {
  const served = await joinEmulator(options.directory, options.environment);
  if (served !== undefined) return served;
  const { openInProcess } = await import("./open-in-process.js");
  return openInProcess(options, kill);
}

/** The server that runs for the directory; otherwise one in this process. */
export async function connectEmulator(directory: string, environment: Environment, clock?: EmulatorClock): Promise<Emulator> {
  const served = await joinEmulator(directory, environment);
  if (served !== undefined) return served;
  const { openEmulator } = await import("./open.js");
  return openEmulator({ directory, environment, ...(clock && { clock }) });
}

export function settingsIn(environment: Environment): Record<string, string> {
  const entries = settingVariables.map((variable) => [variable, environment[variable] ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** A server that answers, and why it cannot answer requests of clients. */
interface FoundServing extends Serving {
  readonly problem: string | undefined;
}

/** The content of the file if it is still true: the port must answer with this directory's certificate, as the process that wrote it. */
export async function findServing(directory: string): Promise<FoundServing | undefined> {
  const serving = readServing(directory);
  if (serving === undefined) return undefined;
  const answer = await askServer(serving.port, readOwnFile(caFileOf(directory)));
  return answer?.pid === serving.pid ? { ...serving, problem: answer.problem } : undefined;
}

/** A server in another process stays, but commands start their own. */
export function removeDamagedServing(directory: string): void {
  try {
    readServing(directory);
  } catch {
    removeOwn(servingFileOf(directory));
  }
}

/** Undefined if no process serves the directory. @throws EmulatorStateError */
function readServing(directory: string): Serving | undefined {
  const file = servingFileOf(directory);
  try {
    const serving = JSON.parse(readOwnFile(file)) as Partial<Serving> | null;
    readOwnFile(caFileOf(directory));
    if (isServing(serving)) return serving;
  } catch (error) {
    if (error instanceof EmulatorStateError) throw error;
    // If a folder of the path is a file, opening the state reports it.
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return undefined;
    throw new EmulatorStateError(`${file} cannot be read; remove it if nothing serves this directory`, { cause: error });
  }
  throw new EmulatorStateError(`${file} is damaged; remove it if nothing serves this directory`);
}

function isServing(found: Partial<Serving> | null): found is Serving {
  const isPort = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
  const { pid, port, proxyPort, timeScale, settings } = found ?? {};
  return (
    isPort(port) &&
    isPort(proxyPort) &&
    [pid, timeScale].every((value) => typeof value === "number") &&
    typeof settings === "object" &&
    (settings as unknown) !== null
  );
}

/** On a busy computer, another process answers late. A port that nothing serves is refused at once. */
const answerWithin = 10_000;

interface ServerAnswer {
  readonly pid: number;
  readonly problem?: string;
}

function askServer(port: number, ca: string): Promise<ServerAnswer | undefined> {
  const agent = agentFor({ port, ca });
  return new Promise<ServerAnswer | undefined>((resolve) => {
    const asked = request("https://localhost/", { agent, timeout: answerWithin }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve(parsedAnswer(text)));
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(undefined));
    asked.end();
  }).finally(() => agent.destroy());
}

function parsedAnswer(text: string): ServerAnswer | undefined {
  try {
    return (JSON.parse(text) as { emulator?: ServerAnswer }).emulator;
  } catch {
    return undefined;
  }
}
