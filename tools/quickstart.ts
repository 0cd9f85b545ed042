/** Plays the life of all that a hosted cluster needs on the emulator: looked ahead of, made, verified, made again, destroyed. Every command is the real one. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { stateSnapshot } from "../src/emulator/index.js";
import { program } from "./cli-process.js";
import { clusterFlags, setFlags, wholeFlags } from "./demo-cluster.js";

/** Creating takes Azure more than a minute, destroying longer. */
const timeScale = 15;

const { keep } = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values;
const directory = mkdtempSync(path.join(tmpdir(), "aro-hcp-"));
const state = path.join(directory, "azure");
const settings = { ARO_HCP_LOCAL_DIR: state, ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(timeScale) };
const environment = { ...withoutOurs(process.env), ...settings };

/** Settings of a real cluster, or of a signed-in user, have no say here. */
function withoutOurs(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(inherited).filter(([variable]) => !/^(ARO_HCP|AZURE)_/.test(variable)));
}

function play(what: string, args: readonly string[]): void {
  console.log(`\n── ${what}\n$ node ${program} ${args.join(" ")}`);
  const { status, signal, error } = spawnSync(process.execPath, [program, ...args], { env: environment, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) throw new Error(`that ended with ${String(signal ?? status)}, not 0`);
}

async function quickstart(): Promise<void> {
  const output = path.join(directory, "demo");
  const all = [...wholeFlags, "--output-dir", output];
  console.log(`An Azure of our own, ${String(timeScale)} times as fast as the real one, on this computer only. To type along:\n`);
  for (const [variable, value] of Object.entries(settings)) console.log(`export ${variable}=${value}`);

  // The first command makes the world; what it finds there is to be found there in the end.
  play("What is there before", ["local", "status"]);
  const before = await stateSnapshot(state);
  play("Is there what it takes?", ["doctor", ...wholeFlags]);
  play("Make everything that a hosted cluster needs", ["create", "all", ...all, "--yes"]);
  const made = await stateSnapshot(state);
  console.log(`\n── The files that a HostedCluster is made from\n${readdirSync(output).join("\n")}`);
  play("Show the identities", ["show", "identities", ...setFlags]);
  const verify = ["--cloud", "local", "--input-dir", output];
  play("Does each identity reach what it works on?", ["verify", "identities", ...verify, "--report", path.join(output, "report.html")]);
  play("Is everything else as a hosted cluster needs it?", ["verify", "infra", ...verify]);
  play("Once more: there is nothing left to do", ["create", "all", ...all, "--yes"]);
  expectSame("the second run changed something", made, await stateSnapshot(state));
  if (keep) return;
  play("Remove it all, and for good", ["destroy", "all", ...clusterFlags, "--purge", "--yes"]);
  play("What is left: what was there before", ["local", "status"]);
  expectSame("what is left is not what was there before", before, await stateSnapshot(state));
  console.log("\n✓ Everything that was made is gone, and everything else is as it was.");
}

/** How to look around in what was made, or how to have it kept. */
function lastWords(): string {
  if (!keep) return "\nTo look around in what is made, and destroy it yourself: npm run quickstart -- --keep";
  return `
${directory} is kept: the files that were written, with report.html, in demo; the world in azure. Export the three variables above, look around,
break something, see what the verification says of it; then destroy it:
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
  if (!keep) rmSync(directory, { recursive: true, force: true });
  console.log(lastWords());
}
