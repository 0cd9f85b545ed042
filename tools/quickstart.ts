/**
 * Takes one cluster through its life on the emulator: check, create, verify, create again, destroy. It prints what a reader needs, and writes every
 * line of each command to a log.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual, parseArgs, stripVTControlCharacters } from "node:util";
import { stateSnapshot } from "../src/emulator/index.js";
import { plural } from "../src/text/plural.js";
import { buildIfStale } from "./bundle/build.js";
import { program } from "./cli-process.js";
import { clusterFlags, wholeFlags } from "./demo-cluster.js";
import { createFolder } from "./folded-output.js";
import { removeDirectory } from "./temporary-directory.js";

/** In Azure, create takes more than a minute, and destroy takes longer. */
const timeScale = 15;

/** In the current directory, where the reader finds it. The next quickstart replaces it. */
const directory = "quickstart";
const log = path.join(directory, "log.txt");
const output = path.join(directory, "demo");
const report = path.join(directory, "report.html");
const state = path.join(directory, "azure");
const settings = { ARO_HCP_LOCAL_DIR: path.resolve(state), ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(timeScale) };

const { keep } = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values;
const isTerminal = process.stdout.isTTY;
const folder = createFolder();

/** Without the settings of a real cluster or of a signed-in user, which must not reach the emulator. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([variable]) => !/^(ARO_HCP|AZURE)_/.test(variable))),
  ...settings,
  ...(isTerminal && { ARO_HCP_COLOR: "always" }),
};

/** @throws Error if the command fails */
async function play(what: string, args: readonly string[]): Promise<void> {
  const head = `\n── ${what}\n$ aro-hcp ${args.join(" ")}`;
  console.log(head);
  appendFileSync(log, `${head}\n`);
  // One pipe for both streams keeps their lines in order.
  const child = spawn("sh", ["-c", 'exec "$0" "$@" 2>&1', process.execPath, program, ...args], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  for await (const line of createInterface({ input: child.stdout })) {
    appendFileSync(log, `${stripVTControlCharacters(line)}\n`);
    const shown = folder.add(line);
    print(shown);
    if (!shown.includes(line)) showInPlace(line);
  }
  print(folder.end());
  const [code, signal] = await closed;
  if (code !== 0) throw new Error(`the command exited with ${String(signal ?? code)}, not 0; ${log} has all of its output`);
}

function print(lines: readonly string[]): void {
  if (lines.length === 0) return;
  showInPlace("");
  for (const line of lines) console.log(line);
}

/** Shows that the command still works, on a line that the next one replaces. */
function showInPlace(line: string): void {
  if (isTerminal) process.stdout.write(`\r\x1b[K${stripVTControlCharacters(line).slice(0, process.stdout.columns - 1)}\r`);
}

/** @throws Error if the directory is not that of an earlier quickstart */
async function replaceDirectory(): Promise<void> {
  if (existsSync(directory)) {
    if (!existsSync(log)) throw new Error(`${directory} exists, and is not that of an earlier quickstart; move it`);
    await removeDirectory(directory);
  }
  mkdirSync(directory);
  writeFileSync(log, "");
}

async function quickstart(): Promise<void> {
  console.log(`This takes one cluster through its life on the built-in Azure emulator, ${plural(timeScale, "time")} as fast as Azure.`);
  console.log("It needs no Azure account and no network, and takes less than two minutes.");
  await buildIfStale();
  await replaceDirectory();

  const all = [...wholeFlags, "--output-dir", output];
  await play("Check the prerequisites", ["doctor", ...wholeFlags]);
  // The last command must find the state that the first one found.
  const before = await stateSnapshot(state);
  await play("Create everything that a hosted cluster needs", ["create", "all", ...all, "--yes"]);
  const made = await stateSnapshot(state);
  console.log(`\n── The files for a HostedCluster, in ${output}\n${readdirSync(output).join("  ")}`);
  const verify = ["--cloud", "local", "--input-dir", output];
  await play("Verify that each identity can do its work", ["verify", "identities", ...verify, "--output-report", report]);
  await play("Verify the infrastructure", ["verify", "infra", ...verify]);
  await play("Create again: nothing changes", ["create", "all", ...all, "--yes"]);
  expectSame("the second run changed something", made, await stateSnapshot(state));
  if (keep) return;
  await play("Destroy everything, permanently", ["destroy", "all", ...clusterFlags, "--purge", "--yes"]);
  expectSame("the state after the destroy differs from the state before", before, await stateSnapshot(state));
  console.log("\n✓ Everything that was created is gone, and everything else is as it was before.");
}

function expectSame(otherwise: string, wanted: unknown, found: unknown): void {
  if (!isDeepStrictEqual(wanted, found)) throw new Error(otherwise);
}

const firstCluster = "  Create a cluster on Azure          docs/first-cluster.md";

const next = [
  "Next",
  "  Keep the cluster and explore it    npm run quickstart -- --keep",
  "  Type the commands yourself         docs/first-run.md",
  firstCluster,
];

/** How to look at the kept cluster, break it, and destroy it. */
const explore = [
  "The cluster is kept. To run commands against it:",
  "",
  ...Object.entries(settings).map(([variable, value]) => `export ${variable}=${value}`),
  `node ${program} local status`,
  `node ${program} verify identities --cloud local --input-dir ${output}`,
  `node ${program} destroy all ${clusterFlags.join(" ")} --purge`,
  "",
  "Next",
  "  Break something, and find it       docs/first-run.md#break-something",
  firstCluster,
];

try {
  await quickstart();
  const kept = [`The report    ${report}: open it in a browser`, `The files     ${output}`, `Every line    ${log}`];
  console.log(["", ...kept, "", ...(keep ? explore : next)].join("\n"));
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
