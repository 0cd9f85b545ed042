/** Runs a server for a directory until it is closed, announced in its `serving.json`. */
import { readFileSync } from "node:fs";
import { clientVariables } from "./client-variables.js";
import { EmulatorServedError } from "./common/emulator-error.js";
import { findServing, settingsIn, type Serving } from "./joining.js";
import type { Core } from "./core/reaction.js";
import { openCore, openServer, type Emulator, type OpenOptions } from "./open.js";
import { createFileOnce, isErrno, takeAway, servingFileOf } from "./state/files.js";

/** What `local serve` prints as one line of JSON when it is ready. */
export interface ReadyLine {
  /** `https://127.0.0.1:<port>` */
  readonly https: string;
  /** `http://127.0.0.1:<port>` */
  readonly proxy: string;
  readonly caFile: string;
  readonly credentialsFile: string;
  /** See `clientVariables`. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts server and proxy, and registers them in the directory. @throws EmulatorServedError if another process serves it already. */
export async function serve(options: Omit<OpenOptions, "proxy">): Promise<Served> {
  await requireUnserved(options.directory);
  return serveCore(await openCore(options), options);
}

export type Served = Emulator & { readonly ready: ReadyLine };

/** The same of what is already open, in a directory that nobody serves. */
export async function serveCore(core: Omit<Core, "fetch">, options: Omit<OpenOptions, "proxy">): Promise<Served> {
  const { directory, environment } = options;
  const server = await openServer(core, { ...options, proxy: true });
  const proxyPort = server.proxyPort ?? 0;
  const { port, timeScale, caFile, credentialsFile } = server;
  const serving: Serving = { pid: process.pid, port, proxyPort, timeScale, settings: settingsIn(environment) };
  const registered = JSON.stringify(serving);
  try {
    await register(directory, registered);
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    ...server,
    ready: {
      https: `https://127.0.0.1:${port}`,
      proxy: `http://127.0.0.1:${proxyPort}`,
      caFile,
      credentialsFile,
      env: clientVariables(proxyPort, caFile),
    },
    close: async () => {
      takeAway(servingFileOf(directory), (text) => text === registered);
      await server.close();
    },
  };
}

async function requireUnserved(directory: string): Promise<void> {
  const other = await findServing(directory);
  if (other !== undefined)
    throw new EmulatorServedError(other.pid, `process ${other.pid} already serves ${directory} on port ${other.port}`);
}

/** If two processes start at the same time, one registers. @throws EmulatorServedError in the other one */
async function register(directory: string, serving: string): Promise<void> {
  const file = servingFileOf(directory);
  while (!createFileOnce(file, serving, 0o600)) {
    const left = textIn(file);
    await requireUnserved(directory);
    // Nobody serves as this file says. Another process may replace it first.
    takeAway(file, (text) => text === left);
  }
}

/** Undefined if it is gone. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}
