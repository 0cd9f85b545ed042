/** The points of the crash test: which request of which command, on which side of it. */
import fc from "fast-check";

export const crashCommands = ["create infra", "destroy infra", "create all", "rotate credentials", "destroy all"] as const;

export type CrashCommand = (typeof crashCommands)[number];

export interface CrashPoint {
  readonly command: CrashCommand;
  /** Which of the requests of one run it is, counted from 1, tokens included. */
  readonly request: number;
  /** Whether Azure has done what the request asks. */
  readonly when: "before" | "after";
}

/** `create-all:17:after`, as `--only` takes it. */
export function pointName({ command, request, when }: CrashPoint): string {
  return `${command.replace(" ", "-")}:${String(request)}:${when}`;
}

/** @throws Error saying what a point looks like. */
export function parsePoint(text: string): CrashPoint {
  const [, words = "", request, when] = /^([a-z-]+):([1-9]\d*):(before|after)$/.exec(text) ?? [];
  const command = crashCommands.find((each) => each.replace(" ", "-") === words);
  if (command === undefined) throw new Error(`"${text}" is not a point such as create-all:17:after`);
  return { command, request: Number(request), when: when as CrashPoint["when"] };
}

/** Every point of a command that sends so many requests. */
export function pointsOf(command: CrashCommand, requests: number): CrashPoint[] {
  return Array.from({ length: requests }, (_, index) => index + 1).flatMap((request) =>
    (["before", "after"] as const).map((when) => ({ command, request, when })),
  );
}

/** `count` of the points, drawn by the seed, in an order drawn by it too. */
export function samplePoints(points: readonly CrashPoint[], seed: number, count = points.length): readonly CrashPoint[] {
  const sampled = fc.sample(fc.shuffledSubarray([...points], { minLength: count, maxLength: count }), { seed, numRuns: 1 });
  return sampled[0] ?? [];
}
