/**
 * Replays recordings of the real Azure against the emulator, and fails below the floor in replay-floor.json. The recordings and the
 * program that replays them are in a directory of their own, `../shared` or the argument; without it, the run is skipped. With
 * `--differences`, it lists what differs; with `--witnesses`, it writes which operations recordings and specifications attest.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import floor from "./replay-floor.json" with { type: "json" };
import { agrees, belowFloor, figuresOf, percent, type ReplayFigures } from "./replay-figures.js";
import { operationOf } from "./fidelity-operations.js";
import { specifiedOperations } from "./specified-operations.js";
import { lostWitnesses, writeWitnesses } from "./witnesses.js";
import { isForeign, isNoise, repeatable } from "./replay-noise.js";
import type { ReplayRow } from "./replay-rows.js";
import { plural } from "../src/text/plural.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

const shared = path.resolve(process.argv.slice(2).find((one) => !one.startsWith("--")) ?? "../shared");
const replayer = path.join(shared, "tools", "azure-replay");

function missing(): string | undefined {
  if (!existsSync(replayer)) return "shared folder absent";
  return spawnSync("python3", [path.join(replayer, "replay.py"), "--help"]).status === 0
    ? undefined
    : "needs Python 3 with PyYAML and urllib3";
}

/** The standard output of Python in the replayer's directory, whose modules it then finds. */
function python(...args: readonly string[]): string {
  const { status, stdout, error } = spawnSync("python3", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONPATH: replayer },
  });
  if (status !== 0) throw error ?? new Error(`python3 ${args[0] ?? ""} exited with ${String(status)}`);
  return stdout;
}

function replay(directory: string): ReplayRow[] {
  const results = path.join(directory, "results.jsonl");
  const recordings = ["recordings", "recordings-2"].flatMap((folder) => {
    const all = readdirSync(path.join(shared, folder), { recursive: true, encoding: "utf8" });
    return all.filter((file) => file.endsWith(".yaml")).map((file) => path.join(shared, folder, file));
  });
  python(
    path.join(replayer, "replay.py"),
    "--checkout",
    ".",
    "--dir",
    path.join(directory, "azure"),
    "--out",
    results,
    ...recordings.sort(),
  );
  return python("tools/replay-rows.py", results)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ReplayRow);
}

function print({ families, ...whole }: ReplayFigures): void {
  for (const [name, share] of [...Object.entries(families), ["all", whole] as const]) {
    console.log(
      `${name.padEnd(20)}${percent(share).toFixed(1).padStart(6)} % of ${String(share.compared).padStart(5)}   not served: ${String(share.notServed)}`,
    );
  }
  console.log(
    `${String(percent(whole))} % of the answers in ${plural(whole.recordings, "recording")} agree; not served: ${plural(whole.notServed, "request")}`,
  );
}

/** A refusal attests no operation. */
function attestedBy(rows: readonly ReplayRow[]): ReadonlySet<string> {
  const served = rows.filter((row) => row.recorded < 400 && agrees(row));
  return new Set(served.flatMap(({ method, url }) => operationOf(method, new URL(url).pathname) ?? []));
}

/** What differs or is not served, the most frequent first. */
function printDifferences(rows: readonly ReplayRow[]): void {
  const counts = new Map<string, number>();
  for (const line of rows.flatMap(differencesOf)) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const [line, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(4)}  ${line}`);
}

function differencesOf(row: ReplayRow): string[] {
  const { kind, method, outcome, stripped = [], differences = [] } = row;
  if (outcome === "not-served") return [`${method} ${kind}: not served`];
  if (outcome !== "differs") return [];
  return [
    ...stripped.map((member) => `${method} ${kind}: refuses ${member.replace(/\.\d+(?=\.|$)/g, "[]")}`),
    ...differences
      .filter((one) => !isNoise(row, one))
      .map(([as, at, azure, here]) => `${method} ${kind}: ${as} ${at}: ${azure ?? "-"} -> ${here ?? "-"}`),
  ];
}

const reason = missing();
if (reason === undefined) {
  const directory = createDirectory("replay");
  try {
    const all = replay(directory);
    const rows = repeatable(all).filter((row) => !isForeign(row));
    if (process.argv.includes("--differences")) printDifferences(rows);
    const figures = figuresOf(rows);
    print(figures);
    console.log(`left out: ${plural(all.filter(isForeign).length, "request")} for what the product does not touch`);
    const attested = attestedBy(rows);
    if (process.argv.includes("--witnesses")) {
      writeWitnesses({ recording: attested, specification: specifiedOperations(path.join(shared, "azure-rest-api-specs")) });
    }
    for (const problem of [...belowFloor(figures, floor), ...lostWitnesses("recording", attested)]) {
      console.error(problem);
      process.exitCode = 1;
    }
  } finally {
    await removeDirectory(directory);
  }
} else {
  console.log(`skipped: azure-replay (${reason})`);
}
