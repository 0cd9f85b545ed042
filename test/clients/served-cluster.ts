/** What `create all` makes, on a served emulator, and how a program that knows nothing of it is run there. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { systemClock } from "../../src/emulator/clock.js";
import { wellKnown } from "../../src/emulator/index.js";
import { plainEnvironment } from "../../tools/cli-process.js";
import { wholeFlags } from "../../tools/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { testEmulator, type CliResult } from "../harness/test-emulator.js";

export interface ServedCluster {
  /** The members of azure-creds.json, which a client signs in with. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The environment that `local serve` prints, `PATH`, and a home directory of its own. */
  readonly environment: NodeJS.ProcessEnv;
  /** A path inside a folder that is removed at the end. */
  path(name: string): string;
}

export async function serveCluster(atEnd: (clean: () => Promise<void>) => void): Promise<ServedCluster> {
  const azure = await testEmulator(atEnd);
  const { ready, credentialsFile } = await azure.serve(systemClock);
  exits(await azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes"]), 0);
  const given = Object.entries(ready.env).filter(([, value]) => value !== "");
  const credentials = JSON.parse(readFileSync(credentialsFile, "utf8")) as Record<string, string>;
  const signIn = {
    AZURE_TENANT_ID: credentials["tenantId"],
    AZURE_CLIENT_ID: credentials["clientId"],
    AZURE_CLIENT_SECRET: credentials["clientSecret"],
    AZURE_SUBSCRIPTION_ID: wellKnown.subscriptionId,
  };
  return { credentials, environment: { ...plainEnvironment(azure.path(".")), ...Object.fromEntries(given), ...signIn }, path: azure.path };
}

/** Never rejects: a program that cannot be started has no exit code, but the name of the error. */
export function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Promise<CliResult> {
  return new Promise((resolve) => {
    execFile(program, args, { env, cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? 1), stdout, stderr });
    });
  });
}

/** Why a program is absent, for the name of a skipped test. */
export const absent = (what: string): string => `skipped: ${what}`;
