/** What `create all` makes, and a management and a service cluster, on a served emulator; how a program that knows nothing of it is run there. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { systemClock } from "../../src/emulator/common/clock.js";
import { wellKnown } from "../../src/emulator/index.js";
import { plainEnvironment } from "../../tools/cli-process.js";
import { createManagementFlags, createServiceFlags, managementSeed, serviceSeed, wholeFlags } from "../../tools/demo-cluster.js";
import type { AksClusterOutput } from "../../src/files/aks-cluster-output.js";
import { exits } from "../cli/expectations.js";
import { testEmulator, type CliResult, type TestEmulator } from "../harness/test-emulator.js";

export interface ServedCluster {
  /** The members of azure-creds.json, which a client signs in with. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The environment that `local serve` prints, `PATH`, and a home directory of its own. */
  readonly environment: NodeJS.ProcessEnv;
  /** A path inside a folder that is removed at the end. */
  path(name: string): string;
}

export async function serveCluster(atEnd: (clean: () => Promise<void>) => void): Promise<ServedCluster> {
  return served(await testEmulator({ atEnd }));
}

export interface ServedClusters extends ServedCluster {
  readonly management: AksClusterOutput;
  readonly service: AksClusterOutput;
}

/** With both clusters on AKS, and the files that their creates wrote. */
export async function serveClusters(atEnd: (clean: () => Promise<void>) => void): Promise<ServedClusters> {
  const azure = await testEmulator({ atEnd });
  await azure.seed(managementSeed());
  await azure.seed(serviceSeed());
  const management = await created(azure, "management-cluster", createManagementFlags);
  const service = await created(azure, "service-cluster", createServiceFlags);
  return { ...(await served(azure)), management, service };
}

async function created(azure: TestEmulator, kind: string, flags: readonly string[]): Promise<AksClusterOutput> {
  const file = azure.path(`${kind}.json`);
  // In Azure, operations on an AKS cluster take minutes.
  const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
  exits(await azure.cli(["create", kind, ...flags, "--output-file", file, "--yes"], faster), 0);
  return JSON.parse(readFileSync(file, "utf8")) as AksClusterOutput;
}

async function served(azure: TestEmulator): Promise<ServedCluster> {
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
export function runProgram(
  program: string,
  args: readonly string[],
  { env, cwd, input = "" }: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly input?: string },
): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { env, cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? 1), stdout, stderr });
    });
    // A program that cannot be started, or that has ended, reads nothing.
    child.stdin?.on("error", () => undefined).end(input);
  });
}

/** The Python that has a package: the one in `PATH`, or the system's, for which packages of a distribution are. */
export async function pythonWith(name: string, imports: string): Promise<{ readonly program?: string; readonly lack: string }> {
  for (const program of ["python3", "/usr/bin/python3"]) {
    const { code } = await runProgram(program, ["-c", imports], { env: process.env });
    if (code === 0) return { program, lack: "" };
  }
  return { lack: absent(`${name} is not installed`) };
}

/** In CI, which installs all clients. */
export const areRequired = process.env["ARO_HCP_TEST_REQUIRE_CLIENTS"] === "1";

/** Why a program is absent, for the name of a skipped test. @throws Error if clients are required */
export function absent(why: string): string {
  if (areRequired) throw new Error(`${why}, and ARO_HCP_TEST_REQUIRE_CLIENTS is 1`);
  return `skipped: ${why}`;
}
