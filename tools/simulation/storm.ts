/** What happens in a life: its commands run one after another, and each is repeated under other faults until it succeeds. */
import type { CliResult } from "../cli-process.js";
import type { FaultRule } from "../../src/emulator/core/fault-rules.js";
import { command, type Command, type CommandName } from "./commands.js";
import type { Life } from "./lives.js";
import { failed, headed } from "./problems.js";
import { differences, withoutProtected, type Snapshot } from "./snapshot.js";

/** Where its commands run: in this process, or in processes of their own. */
export interface LifePlace {
  /** The invariants that were violated so far. */
  readonly problems: readonly string[];
  /** `run` is its name among those of this place. */
  run(run: string, command: Command, faults?: readonly FaultRule[]): Promise<CliResult>;
  seed(document: unknown): Promise<void>;
  snapshot(): Promise<Snapshot>;
}

export interface Undisturbed {
  readonly created: Snapshot;
  readonly destroyed: Snapshot["state"];
}

/** A user repeats a failed command; more often than this, the program has failed. */
const mostRuns = 4;

export async function withoutFaults(place: LifePlace, life: Life): Promise<Undisturbed> {
  await prepare(place, life);
  await succeed(place, life.create);
  const created = await place.snapshot();
  await succeed(place, life.destroy);
  return { created, destroyed: withoutProtected((await place.snapshot()).state) };
}

export async function prepare(place: LifePlace, { seed = {}, before = [] }: Life): Promise<void> {
  await place.seed(seed);
  for (const each of before) await (typeof each === "string" ? succeed(place, each) : place.seed(each.seed));
}

/** @throws Error with the output of the command if it fails */
export async function succeed(place: Pick<LifePlace, "run">, name: CommandName): Promise<void> {
  const { code, stderr } = await place.run(`before: ${name}`, command(name));
  if (code !== 0) throw new Error(`an undisturbed ${name} exited with ${String(code)}\n${stderr}`);
}

/** Stops at the first command with a problem. `faultsOf` returns the faults of each run in turn. */
export async function underFaults(
  place: LifePlace,
  life: Life,
  { created, destroyed }: Undisturbed,
  faultsOf: (run: string) => readonly FaultRule[],
): Promise<string[]> {
  await prepare(place, life);
  const { create, destroy } = life;
  const checks = [
    { name: create, title: create },
    { name: create, title: `the second ${create}` },
    { name: destroy, title: destroy },
  ];
  for (const { name, title } of checks) {
    const problems = await untilSuccess(name, title);
    if (problems.length > 0) return problems;
    const found = await place.snapshot();
    const different = name === create ? differences(found, created) : differences(withoutProtected(found.state), destroyed);
    if (different.length > 0) return headed(`${title} left differences:`, different);
  }
  return [];

  async function untilSuccess(name: CommandName, title: string): Promise<string[]> {
    for (let runs = 1; ; runs++) {
      const run = `${title}, run ${String(runs)}`;
      const ended = await place.run(run, command(name), faultsOf(run));
      const isRight = typeof ended.code === "number" && place.problems.length === 0;
      if (ended.code === 0 || !isRight || runs === mostRuns) return failed(`run ${String(runs)} of ${title}`, ended);
    }
  }
}
