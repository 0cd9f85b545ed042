/** A door that a process of its own keeps open, and how others find it: `serving.json` in the world's directory. */
import { readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { agentFor } from "./server/agent.js";
import type { EmulatorClock } from "./clock.js";
import { caFileOf } from "./server/certificates.js";
import { EmulatorError, EmulatorInputError } from "./emulator-error.js";
import { settingVariables, type Environment } from "./local-settings.js";
import { openEmulator, type Emulator, type OpenOptions } from "./open.js";
import { isErrno, replaceFile } from "./state/file-writing.js";
import { credentialsFileOf } from "./state/seed.js";

/** What `local serve` prints as one line of JSON when it is ready. */
export interface ReadyLine {
  /** `https://127.0.0.1:<port>` */
  readonly https: string;
  /** `http://127.0.0.1:<port>` */
  readonly proxy: string;
  readonly caFile: string;
  readonly credentialsFile: string;
  /** What a client's environment needs: JavaScript, Go, Python, az and curl. Empty ones are to be unset. */
  readonly env: Readonly<Record<string, string>>;
}

interface Serving {
  readonly pid: number;
  readonly port: number;
  readonly proxyPort: number;
  readonly timeScale: number;
  /** The `ARO_HCP_LOCAL_*` settings the door was opened with. */
  readonly settings: Readonly<Record<string, string>>;
}

const servingFileOf = (directory: string): string => join(directory, "serving.json");

/** Opens door and proxy, and tells others of this directory. @throws EmulatorInputError where another process serves it already. */
export async function serve(options: Omit<OpenOptions, "proxy">): Promise<Emulator & { readonly ready: ReadyLine }> {
  const { directory, environment } = options;
  const other = await findServing(directory);
  if (other !== undefined) throw new EmulatorInputError(`process ${other.pid} already serves ${directory} on port ${other.port}`);
  const server = await openEmulator({ ...options, proxy: true });
  const proxyPort = server.proxyPort ?? 0;
  const { port, timeScale, caFile, credentialsFile } = server;
  const serving: Serving = { pid: process.pid, port, proxyPort, timeScale, settings: settingsIn(environment) };
  replaceFile(servingFileOf(directory), JSON.stringify(serving), 0o600);
  const proxy = `http://127.0.0.1:${proxyPort}`;
  return {
    ...server,
    ready: {
      https: `https://127.0.0.1:${port}`,
      proxy,
      caFile,
      credentialsFile,
      env: {
        HTTPS_PROXY: proxy,
        NO_PROXY: "",
        NODE_EXTRA_CA_CERTS: caFile,
        SSL_CERT_FILE: caFile,
        SSL_CERT_DIR: "",
        REQUESTS_CA_BUNDLE: caFile,
        CURL_CA_BUNDLE: caFile,
      },
    },
    close: async () => {
      rmSync(servingFileOf(directory), { force: true });
      await server.close();
    },
  };
}

/**
 * The door that another process serves for this directory; undefined where there is none.
 * @throws EmulatorInputError where a setting of this environment would have no effect on it.
 */
export async function joinEmulator(directory: string, environment: Environment = {}): Promise<Emulator | undefined> {
  const serving = await findServing(directory);
  if (serving === undefined) return undefined;
  for (const [variable, value] of Object.entries(settingsIn(environment))) {
    if (serving.settings[variable] === value) continue;
    throw new EmulatorInputError(
      `${variable} has no effect: process ${serving.pid} serves ${directory} with settings of its own; set it there, or stop that process`,
    );
  }
  const caFile = caFileOf(directory);
  return {
    port: serving.port,
    proxyPort: serving.proxyPort,
    ca: readFileSync(caFile, "utf8"),
    caFile,
    credentialsFile: credentialsFileOf(directory),
    timeScale: serving.timeScale,
    close: () => Promise.resolve(),
  };
}

/** The door that is served for the directory, else one in this process. */
export async function connectEmulator(directory: string, environment: Environment, clock?: EmulatorClock): Promise<Emulator> {
  return (await joinEmulator(directory, environment)) ?? (await openEmulator({ directory, environment, ...(clock && { clock }) }));
}

function settingsIn(environment: Environment): Record<string, string> {
  const entries = settingVariables.map((variable) => [variable, environment[variable] ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** What the file says, if it is still true: the port must answer with this directory's certificate, and as the process that wrote it. */
async function findServing(directory: string): Promise<Serving | undefined> {
  let serving: Serving;
  let ca: string;
  try {
    serving = JSON.parse(readFileSync(servingFileOf(directory), "utf8")) as Serving;
    ca = readFileSync(caFileOf(directory), "utf8");
  } catch (error) {
    // Where a folder of the path is a file, opening the world says so.
    if (isErrno(error, "ENOENT") || isErrno(error, "ENOTDIR")) return undefined;
    throw new EmulatorError(`${servingFileOf(directory)} cannot be read; remove it if nothing serves this directory`, {
      cause: error,
    });
  }
  return (await pidBehind(serving.port, ca)) === serving.pid ? serving : undefined;
}

const answerWithin = 2000;

function pidBehind(port: number, ca: string): Promise<number | undefined> {
  const agent = agentFor({ port, ca });
  return new Promise<number | undefined>((resolve) => {
    const asked = request("https://localhost/", { agent, timeout: answerWithin }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve(parsePid(text)));
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(undefined));
    asked.end();
  }).finally(() => agent.destroy());
}

function parsePid(text: string): number | undefined {
  try {
    return (JSON.parse(text) as { emulator?: { pid?: number } }).emulator?.pid;
  } catch {
    return undefined;
  }
}
