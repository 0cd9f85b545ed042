/** The points of the crash test: a command, one of its requests, and whether the kill comes before or after Azure handles the request. */
import fc from "fast-check";

/** The first two words are the command. The others tell apart its runs with different options. */
export const crashCommands = [
  "create infra",
  "destroy infra",
  "create infra with nat-gateway",
  "create infra with addresses",
  "create infra with prefix",
  "create infra with existing-gateway",
  "create infra with routing",
  "destroy infra with routing",
  "create all",
  "rotate credentials",
  "rotate encryption-key",
  "destroy encryption-key",
  "create encryption-key",
  "destroy all",
  "destroy identities",
  "rotate encryption-key with hsm",
  "destroy encryption-key with hsm",
  "create encryption-key with hsm",
  "destroy all with hsm",
  "create management-cluster",
  "destroy management-cluster",
  "create service-cluster",
  "destroy service-cluster",
  "create arc",
  "create arc-secrets",
  "create arc-extension",
  "destroy arc-extension",
  "destroy arc",
  "create iam",
  "destroy iam",
  "adopt iam",
  "create dns-zone",
  "create dns-zone with service-principal",
  "destroy dns-zone",
] as const;

/** Before and after the others of a track. They have no points, because a run of the same command has. */
type Preparation = "create identities" | "create all with hsm" | "destroy identities with hsm" | "destroy iam with adopted";

export type CrashCommand = (typeof crashCommands)[number] | Preparation;

export interface CrashPoint {
  readonly command: CrashCommand;
  /** The number of the request in the run, from 1. Token requests count. */
  readonly request: number;
  /** Before or after Azure handles the request. */
  readonly when: "before" | "after";
}

/** The form that `--only` takes: `create-all:17:after`. */
export function pointName({ command, request, when }: CrashPoint): string {
  return `${command.replaceAll(" ", "-")}:${String(request)}:${when}`;
}

/** @throws Error that shows an example of a point. */
export function parsePoint(text: string): CrashPoint {
  const [, words = "", request, when] = /^([a-z-]+):([1-9]\d*):(before|after)$/.exec(text) ?? [];
  const command = crashCommands.find((each) => each.replaceAll(" ", "-") === words);
  if (command === undefined) throw new Error(`"${text}" is not a point; an example is create-all:17:after`);
  return { command, request: Number(request), when: when as CrashPoint["when"] };
}

/** All points of a command that sends this number of requests. */
export function pointsOf(command: CrashCommand, requests: number): CrashPoint[] {
  return Array.from({ length: requests }, (_, index) => index + 1).flatMap((request) =>
    (["before", "after"] as const).map((when) => ({ command, request, when })),
  );
}

/** A sample of `count` points in random order. The seed determines both. */
export function samplePoints(points: readonly CrashPoint[], seed: number, count = points.length): readonly CrashPoint[] {
  const sampled = fc.sample(fc.shuffledSubarray([...points], { minLength: count, maxLength: count }), { seed, numRuns: 1 });
  return sampled[0] ?? [];
}
