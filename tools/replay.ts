/**
 * Replays recordings of the real Azure against the emulator, and fails below the floor in replay-floor.json. The recordings and the
 * program that replays them are in a directory of their own, `../shared` or the argument; without it, the run is skipped.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import floor from "./replay-floor.json" with { type: "json" };
import { belowFloor, figuresOf } from "./replay-figures.js";
import { plural } from "../src/text/plural.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

const shared = path.resolve(process.argv[2] ?? "../shared");
const replayer = path.join(shared, "tools", "azure-replay");

function missing(): string | undefined {
  if (!existsSync(replayer)) return "shared folder absent";
  return spawnSync("python3", [path.join(replayer, "replay.py"), "--help"]).status === 0
    ? undefined
    : "needs Python 3 with PyYAML and urllib3";
}

/** The standard output of one of the replayer's programs. */
function python(program: string, ...args: readonly string[]): string {
  const { status, stdout, error } = spawnSync("python3", [path.join(replayer, program), ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw error ?? new Error(`${program} exited with ${String(status)}`);
  return stdout;
}

function compare(directory: string): string[] {
  const results = path.join(directory, "results.jsonl");
  const all = readdirSync(path.join(shared, "recordings"), { recursive: true, encoding: "utf8" });
  const recordings = all.filter((file) => file.endsWith(".yaml")).map((file) => path.join(shared, "recordings", file));
  python("replay.py", "--checkout", ".", "--dir", path.join(directory, "azure"), "--out", results, ...recordings.sort());
  const table = python("table.py", results);
  console.log(table);
  const figures = figuresOf(table);
  console.log(`${String(figures.agreeing)} % of the answers agree; not served: ${plural(figures.notServed, "request")}`);
  return belowFloor(figures, floor);
}

const reason = missing();
if (reason === undefined) {
  const directory = createDirectory("replay");
  try {
    for (const problem of compare(directory)) {
      console.error(problem);
      process.exitCode = 1;
    }
  } finally {
    await removeDirectory(directory);
  }
} else {
  console.log(`skipped: azure-replay (${reason})`);
}
