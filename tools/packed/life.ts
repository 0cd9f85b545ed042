/** What an installation of the package must do on a version of Node.js: install, the life of a cluster, and a sign-in. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { lastLines, plainEnvironment } from "../cli-process.js";
import { clusterFlags, wholeFlags } from "../demo-cluster.js";

/** An installation in a prefix of its own. */
export interface Installation {
  readonly prefix: string;
  /** Runs a program of the prefix or of Node.js there. @throws Error with the end of its output if it fails */
  run(command: string, ...args: readonly string[]): Promise<string>;
  readonly environment: NodeJS.ProcessEnv;
}

/** Installs the package as the README says. `node` is the folder of a version of Node.js, `registry` the variables of the only registry. */
export async function installPackage(
  folder: string,
  { node, registry, spec }: { readonly node: string; readonly registry: Readonly<Record<string, string>>; readonly spec: string },
): Promise<Installation> {
  const prefix = path.join(folder, "prefix");
  mkdirSync(prefix, { recursive: true });
  const plain = plainEnvironment(folder);
  const environment = {
    ...plain,
    ...registry,
    PATH: [path.join(prefix, "bin"), path.join(node, "bin"), plain["PATH"]].join(path.delimiter),
    npm_config_prefix: prefix,
    ARO_HCP_LOCAL_DIR: path.join(folder, "azure"),
  };
  const run = async (command: string, ...args: readonly string[]): Promise<string> =>
    (await execute(command, args, folder, environment)).trim();
  await run("npm", "install", "--global", spec);
  return { prefix, run, environment };
}

async function execute(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`failed in ${cwd}: ${command} ${args.join(" ")}\n${lastLines(stderr + stdout)}`, { cause: error });
  }
}

/** Bytes of all files. */
export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

const output = "demo";

/** A cluster on the emulator. `verify all` signs in to it as to Azure. */
export async function liveThrough({ run, environment }: Installation): Promise<void> {
  await run("aro-hcp", "create", "all", ...wholeFlags, "--output-dir", output, "--yes");
  await besideServer(environment, async (signedIn) => {
    await execute("aro-hcp", ["verify", "all", "--input-dir", output], environment["HOME"] ?? "", signedIn);
  });
  await run("aro-hcp", "destroy", "all", ...clusterFlags, "--purge", "--yes");
}

/** `work` gets the variables of docs/using-the-emulator.md: a service principal with its secret, and the proxy that leads to the server. */
async function besideServer(env: NodeJS.ProcessEnv, work: (signedIn: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const server = spawn("aro-hcp", ["local", "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "close");
  try {
    const [line] = (await Promise.race([once(createInterface(server.stdout), "line"), ended])) as [unknown];
    if (typeof line !== "string") throw new Error("local serve ended before it was ready");
    const ready = JSON.parse(line) as { env: Record<string, string> };
    const creds = JSON.parse(readFileSync(path.join(env["ARO_HCP_LOCAL_DIR"] ?? "", "azure-creds.json"), "utf8")) as Record<string, string>;
    await work({
      ...env,
      ...ready.env,
      AZURE_TENANT_ID: creds["tenantId"],
      AZURE_CLIENT_ID: creds["clientId"],
      AZURE_CLIENT_SECRET: creds["clientSecret"],
      AZURE_SUBSCRIPTION_ID: creds["subscriptionId"],
    });
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}
