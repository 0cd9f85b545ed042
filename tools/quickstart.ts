/** Runs the commands of one cluster's life on the emulator: check, create, verify, create again, destroy. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { stateSnapshot } from "../src/emulator/index.js";
import { program } from "./cli-process.js";
import { clusterFlags, setFlags, wholeFlags } from "./demo-cluster.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

/** In Azure, create takes more than a minute, and destroy takes longer. */
const timeScale = 15;

const { keep } = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values;
const directory = createDirectory("quickstart");
const state = path.join(directory, "azure");
const settings = { ARO_HCP_LOCAL_DIR: state, ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(timeScale) };
const environment = { ...withoutOurs(process.env), ...settings };

/** Removes the settings of a real cluster or of a signed-in user, which must not reach the emulator. */
function withoutOurs(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(inherited).filter(([variable]) => !/^(ARO_HCP|AZURE)_/.test(variable)));
}

function play(what: string, args: readonly string[]): void {
  console.log(`\n── ${what}\n$ node ${program} ${args.join(" ")}`);
  const { status, signal, error } = spawnSync(process.execPath, [program, ...args], { env: environment, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) throw new Error(`the command exited with ${String(signal ?? status)}, not 0`);
}

async function quickstart(): Promise<void> {
  const output = path.join(directory, "demo");
  const all = [...wholeFlags, "--output-dir", output];
  console.log(`This runs on the built-in Azure emulator with a time scale of ${String(timeScale)}. To run commands against it yourself:\n`);
  for (const [variable, value] of Object.entries(settings)) console.log(`export ${variable}=${value}`);

  // The first command creates the state. The last one must find the same state.
  play("Show what exists before", ["local", "status"]);
  const before = await stateSnapshot(state);
  play("Check the prerequisites", ["doctor", ...wholeFlags]);
  play("Create everything that a hosted cluster needs", ["create", "all", ...all, "--yes"]);
  const made = await stateSnapshot(state);
  console.log(`\n── The files for a HostedCluster\n${readdirSync(output).join("\n")}`);
  play("Show the identities", ["show", "identities", ...setFlags]);
  const verify = ["--cloud", "local", "--input-dir", output];
  play("Verify that each identity can do its work", ["verify", "identities", ...verify, "--report", path.join(output, "report.html")]);
  play("Verify the infrastructure", ["verify", "infra", ...verify]);
  play("Create again: nothing changes", ["create", "all", ...all, "--yes"]);
  expectSame("the second run changed something", made, await stateSnapshot(state));
  if (keep) return;
  play("Destroy everything, permanently", ["destroy", "all", ...clusterFlags, "--purge", "--yes"]);
  play("Show what is left: the same as before", ["local", "status"]);
  expectSame("the state after the destroy differs from the state before", before, await stateSnapshot(state));
  console.log("\n✓ Everything that was created is gone, and everything else is unchanged.");
}

/** Instructions to explore the kept cluster, or to keep one. */
function lastWords(): string {
  if (!keep) return "\nTo keep the cluster and explore it: npm run quickstart -- --keep";
  return `
${directory} is kept, with the files and report.html in demo/. Export the three variables above. Break something
and verify it. When you are done, destroy the cluster:
$ node ${program} local status
$ node ${program} verify identities --cloud local --input-dir ${path.join(directory, "demo")}
$ node ${program} destroy all ${clusterFlags.join(" ")} --purge
$ rm -r ${directory}`;
}

function expectSame(otherwise: string, wanted: unknown, found: unknown): void {
  if (!isDeepStrictEqual(wanted, found)) throw new Error(otherwise);
}

try {
  await quickstart();
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  if (!keep) await removeDirectory(directory);
  console.log(lastWords());
}
