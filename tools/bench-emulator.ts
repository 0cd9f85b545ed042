/** Measures the emulator, with few and with many resources, beside its targets: `npm run bench:emulator -- 100 10000 --baseline DIR`. */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { resetState } from "../src/emulator/index.js";
import { openState } from "../src/emulator/open.js";
import type { StateStore } from "../src/emulator/state/store.js";
import { plural } from "../src/text/plural.js";
import { median } from "./bench-usage.js";
import { clientArgument, measureServer, runClient, type ServerFigures } from "./emulator-server.js";
import { fillState, requestsOf, senderTo, type Send } from "./many-resources.js";

const warmUpRounds = 30;
const requestRounds = 60;
const resetRounds = 20;

interface Filled {
  readonly directory: string;
  readonly store: StateStore;
  readonly send: Send;
}

async function filled(directory: string, count: number): Promise<Filled> {
  const store = openState(directory);
  const send = await senderTo(store);
  await fillState(store, send, count);
  return { directory, store, send };
}

/** Medians of processor time in milliseconds, for each state. The states take turns, so that other load on the machine affects all. */
async function measureRequests(states: readonly Filled[], rounds: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[][]>();
  for (let round = 0; round < rounds; round++) {
    for (const [nth, { send }] of states.entries()) {
      for (const [name, requests] of Object.entries(requestsOf())) {
        const before = process.cpuUsage();
        for (const request of requests) await send(request);
        const { user, system } = process.cpuUsage(before);
        const all = times.get(name) ?? states.map(() => []);
        times.set(name, all);
        all[nth]?.push((user + system) / 1000);
      }
    }
  }
  return new Map([...times].map(([name, all]) => [name, all.map(median)]));
}

/** The best time in milliseconds. */
function measureReset({ directory }: Filled): number {
  const times = Array.from({ length: resetRounds }, () => {
    const began = performance.now();
    resetState(directory);
    return performance.now() - began;
  });
  return Math.min(...times);
}

/** The best times in milliseconds, of a snapshot and of its restore after a write. */
async function measureSnapshots({ store, send }: Filled): Promise<{ readonly keepMs: number; readonly restoreMs: number }> {
  const [keeps, restores]: [number[], number[]] = [[], []];
  for (let round = 0; round < resetRounds; round++) {
    const began = performance.now();
    const kept = await store.keep();
    keeps.push(performance.now() - began);
    for (const request of requestsOf()["PUT network"] ?? []) await send(request);
    const written = performance.now();
    await store.restore(kept);
    restores.push(performance.now() - written);
  }
  return { keepMs: Math.min(...keeps), restoreMs: Math.min(...restores) };
}

const print = (...cells: readonly string[]): void => {
  const row = cells.map((cell, column) => (column === 0 ? cell.padEnd(32) : cell.padStart(17))).join("");
  process.stdout.write(`${row.trimEnd()}\n`);
};

async function run(home: string): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { baseline: { type: "string" } } });
  const counts = positionals.length === 0 ? [100, 10_000] : positionals.map(Number);
  const states: Filled[] = [];
  for (const count of counts) states.push(await filled(join(home, `state-${String(count)}`), count));
  // What the first requests of a process pay for compilation is nobody's.
  await measureRequests(states, warmUpRounds);
  const times = await measureRequests(states, requestRounds);
  const columns = counts.map((count) => plural(count, "resource"));
  print("processor time of a request, ms", ...columns, "ratio", "at most");
  for (const [name, found] of times) {
    print(name, ...found.map((time) => time.toFixed(2)), ((found.at(-1) ?? 0) / (found[0] ?? 1)).toFixed(2), "1.50");
  }

  const servers: ServerFigures[] = [];
  for (const { directory } of states) servers.push(await measureServer(".", directory, home));
  const baseline = values.baseline === undefined ? [] : [await measureServer(values.baseline, join(home, "baseline"), home)];
  process.stdout.write(`\nload of the machine: ${loadavg()[0]?.toFixed(1) ?? ""}; the best of several runs\n`);
  print("server", ...columns, ...baseline.map(() => "baseline, empty"), "target");
  const line = (name: string, value: (figures: ServerFigures) => number | undefined, target: string, digits = 0): void =>
    print(name, ...[...servers, ...baseline].map((one) => value(one)?.toFixed(digits) ?? "unknown"), target);
  line("GET, 8 clients, each second", ({ gets }) => gets.perSecond, "at least 1000");
  line("its processor time, ms", ({ gets }) => gets.processorMs, "at most 1.00", 2);
  line("PUT, 8 clients, each second", ({ puts }) => puts.perSecond, "at least 500");
  line("its processor time, ms", ({ puts }) => puts.processorMs, "at most 2.00", 2);
  line("start to ready, ms", ({ start }) => start.wallMs, "at most 300");
  line("its processor time, ms", ({ start }) => start.processorMs, "");
  line("memory, MiB", ({ memoryMiB }) => memoryMiB, "");
  const snapshots: Awaited<ReturnType<typeof measureSnapshots>>[] = [];
  for (const state of states) snapshots.push(await measureSnapshots(state));
  const inProcess = (name: string, times: readonly number[], target: string): void =>
    print(`${name} in process, ms`, ...times.map((time) => time.toFixed(1)), ...baseline.map(() => ""), target);
  inProcess(
    "snapshot",
    snapshots.map(({ keepMs }) => keepMs),
    "",
  );
  inProcess(
    "restore",
    snapshots.map(({ restoreMs }) => restoreMs),
    "",
  );
  inProcess("reset", states.map(measureReset), "at most 5");
}

if (process.argv.includes(clientArgument)) await runClient();
else {
  const home = mkdtempSync(join(tmpdir(), "aro-hcp-bench-"));
  try {
    await run(home);
  } finally {
    rmSync(home, { recursive: true });
  }
}
