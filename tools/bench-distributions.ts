/** The figures of a command over many seeds, as distributions, and its targets. */
import type { MeasuredRun } from "./simulation/measure.js";

export interface Distribution {
  readonly median: number;
  readonly p90: number;
  readonly worst: number;
}

/** In the order of the table. A run that changes nothing has no critical path. */
const measures = {
  "wall time": ({ wall }: MeasuredRun) => wall,
  "critical path": ({ path }: MeasuredRun) => (path > 0 ? path : undefined),
  "over path": ({ wall, path }: MeasuredRun) => (path > 0 ? wall / path : undefined),
  "one after another": ({ serial }: MeasuredRun) => (serial > 0 ? serial : undefined),
  requests: ({ reads, polls, writes, tokens }: MeasuredRun) => reads + polls + writes + tokens,
  polls: ({ polls }: MeasuredRun) => polls,
  "429s": ({ throttled }: MeasuredRun) => throttled,
} as const satisfies Readonly<Record<string, (run: MeasuredRun) => number | undefined>>;

type Measure = keyof typeof measures;

export type CommandFigures = Readonly<Partial<Record<Measure, Distribution>>>;

export function distributionOf(values: readonly number[]): Distribution | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  const [median, p90, worst] = [at(0.5), at(0.9), at(1)];
  return median === undefined || p90 === undefined || worst === undefined ? undefined : { median, p90, worst };
}

export function figuresOf(runs: readonly MeasuredRun[]): CommandFigures {
  const of = (measure: (run: MeasuredRun) => number | undefined) => distributionOf(runs.flatMap((run) => measure(run) ?? []));
  const figures = Object.entries(measures).flatMap(([name, measure]) => {
    const distribution = of(measure);
    return distribution === undefined ? [] : [[name, distribution] as const];
  });
  return Object.fromEntries(figures);
}

/** Its head and its rows. */
export function shownFigures(figures: ReadonlyMap<string, CommandFigures>): [string[], string[][]] {
  const names = Object.keys(measures) as Measure[];
  const rows = [...figures].map(([title, its]) => [title, ...names.map((name) => shown(its[name]))]);
  return [["command", ...names], rows];
}

function shown(distribution: Distribution | undefined): string {
  if (distribution === undefined) return "";
  const { median, p90, worst } = distribution;
  const number = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1));
  return [median, p90, worst].map(number).join(" ");
}

const most = { overPath: 1.1, requestsOfVerify: 70 } as const;

/** Here `create identities` writes no files, so a rerun proves its nine applications by the vault and their secrets there. */
const proofs = (title: string): number => (title === "second create identities" ? 10 : 0);

/** The targets of docs/internals/benchmarks.md that the runs of a command miss. */
export function missedTargets(runs: readonly MeasuredRun[]): string[] {
  const overPath = distributionOf(runs.flatMap((run) => (run.isShort ? [] : (measures["over path"](run) ?? []))))?.median ?? 0;
  const unless = (isMet: (run: MeasuredRun) => boolean, target: string) => (runs.every(isMet) ? [] : [target]);
  return [
    ...(overPath > most.overPath ? [`over path at most ${String(most.overPath)} at the median`] : []),
    ...unless(({ throttled }) => throttled === 0, "no 429"),
    ...unless(({ kind, changes }) => kind === "first" || changes === 0, "it changes nothing"),
    ...unless(
      ({ title, isShort, reads, steps }) => isShort || !title.startsWith("second create") || reads <= steps + proofs(title),
      "at most one read for each resource",
    ),
    ...unless(
      (run) => run.kind !== "verify" || measures.requests(run) <= most.requestsOfVerify,
      `requests: at most ${String(most.requestsOfVerify)}`,
    ),
  ];
}
