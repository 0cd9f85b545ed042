/**
 * Every state in which a command can leave Azure and its files: after each commit and after each change of a file of one undisturbed run. From each
 * of them, the same command must end as the undisturbed run did, its opposite must restore the beginning, and another choice must end.
 */
import { isDeepStrictEqual } from "node:util";
import { lastLines } from "../cli-process.js";
import { command, type CommandName } from "./commands.js";
import { Place, type Kept, type Outcome } from "./place.js";
import { failed, headed } from "./problems.js";
import { differences, withoutProtected, type Snapshot } from "./snapshot.js";
import { commandWith, type Track } from "./tracks.js";

export interface CrashState {
  readonly command: CommandName;
  /** From 1. */
  readonly number: number;
  readonly kept: Kept;
  /** After the undisturbed run. */
  readonly after: Snapshot;
}

export interface CrashStates {
  readonly states: readonly CrashState[];
  /** The state after the track's last command. */
  readonly left: Snapshot["state"];
  close(): void;
}

/** Runs the commands of a track undisturbed. @throws Error with the output of one that fails */
export async function crashStates({ name, seed = {}, before = [], commands, undo }: Track): Promise<CrashStates> {
  let reached = (): void => undefined;
  const place = new Place({ seed: `track ${name}`, latency: "none", onCommit: () => reached(), onFile: () => reached() });
  const states: CrashState[] = [];
  await place.seed(seed);
  const left = (await place.snapshot()).state;
  for (const each of before) await undisturbed(place, each);
  for (const each of commands) {
    if (typeof each !== "string") {
      await place.seed(each.seed);
      continue;
    }
    const kept: Kept[] = [];
    reached = () => {
      const now = place.keep();
      if (!isSame(kept.at(-1), now)) kept.push(now);
    };
    await undisturbed(place, each);
    reached = () => undefined;
    const after = await place.snapshot();
    states.push(...kept.map((state, index) => ({ command: each, number: index + 1, kept: state, after })));
  }
  const problems = [...differences(withoutProtected((await place.snapshot()).state), left), ...place.problems];
  if (problems.length > 0) throw new Error([`undisturbed runs of ${name}, to ${undo}, left differences:`, ...problems].join("\n"));
  return { states, left, close: () => place.close() };
}

async function undisturbed(place: Place, name: CommandName): Promise<void> {
  const { code, stderr } = await place.run(`undisturbed ${name} ${String(place.schedule.count)}`, command(name));
  if (code !== 0) throw new Error(`an undisturbed ${name} exited with ${String(code)}\n${stderr}`);
}

/** Requests that read also commit: that a role has reached a vault, for example. */
function isSame(one: Kept | undefined, other: Kept): boolean {
  return one !== undefined && isDeepStrictEqual({ ...one, nowMs: 0 }, { ...other, nowMs: 0 });
}

export type Way = "again" | "undo" | "otherwise";

/** The ways on from a state. `undo` is meaningless for the track's undo itself, and an unfinished adoption is refused. */
export function waysFrom({ command: name }: CrashState, { undo, otherwise = {} }: Track): Way[] {
  return [
    "again",
    ...(name === undo || name.startsWith("destroy") || name === "adopt iam" ? [] : (["undo"] as const)),
    ...(otherwise[name] === undefined ? [] : (["otherwise"] as const)),
  ];
}

export async function goOn(state: CrashState, way: Way, track: Track, left: Snapshot["state"]): Promise<Outcome> {
  const place = new Place({ seed: `${track.name} ${state.command} ${String(state.number)} ${way}`, latency: "none" });
  try {
    place.restore(state.kept);
    const problems = await { again, undo, otherwise }[way](place, state, track, left);
    return place.outcome(problems);
  } finally {
    place.close();
  }
}

async function again(place: Place, { command: name, after }: CrashState): Promise<string[]> {
  const problems = failed(`the rerun of ${name}`, await place.run("again", command(name)));
  return problems.length > 0 ? problems : headed("the rerun left differences:", differences(await place.snapshot(), after));
}

async function undo(place: Place, _state: CrashState, track: Track, left: Snapshot["state"]): Promise<string[]> {
  const problems = failed(track.undo, await place.run("undo", command(track.undo)));
  return problems.length > 0
    ? problems
    : headed(`${track.undo} left differences:`, differences(withoutProtected((await place.snapshot()).state), left));
}

/** The other choice may be refused, for a reason that has a code. */
async function otherwise(place: Place, state: CrashState, track: Track, left: Snapshot["state"]): Promise<string[]> {
  const other = commandWith(state.command, track.otherwise?.[state.command] ?? []);
  const { code, stderr } = await place.run("otherwise", other);
  if (code !== 0 && !/\[ARO-[A-Z]+-\d{3}\]/.test(stderr)) return [`the other choice exited with ${String(code)}\n${lastLines(stderr)}`];
  if (code === 0) {
    const made = (await place.snapshot()).state;
    const problems = failed("the other choice, again", await place.run("otherwise again", other));
    if (problems.length > 0) return problems;
    const changed = differences((await place.snapshot()).state, made);
    if (changed.length > 0) return headed("the other choice, again, changed something:", changed);
  }
  return undo(place, state, track, left);
}
