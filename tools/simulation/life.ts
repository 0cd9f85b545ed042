/**
 * A life: a create, the same create again, and the destroy, while one of five requests fails. Each command is repeated under other faults until it
 * succeeds, and the result must be that of an undisturbed run.
 */
import { lastLines } from "../cli-process.js";
import { command, type CommandName } from "./commands.js";
import { stormFaults } from "./faults.js";
import type { Life } from "./lives.js";
import { Place } from "./place.js";
import { differences, type Snapshot } from "./snapshot.js";

export interface LifeOptions {
  readonly seed: number;
  /** The faults that happen, as `Outcome.faults` names them: all of the seed by default. */
  readonly faults?: readonly string[] | undefined;
  /** See `ScheduleOptions`. */
  readonly freeChoices?: number | undefined;
}

/** What a simulation found. */
export interface Outcome {
  /** Of everything that happened, in its order. */
  readonly hash: string;
  /** How many requests, answers and sleeps went on. */
  readonly turns: number;
  readonly virtualMs: number;
  /** The faults of the requests that were sent. */
  readonly faults: readonly string[];
  /** Empty if there are none. */
  readonly problems: readonly string[];
}

export interface Undisturbed {
  readonly created: Snapshot;
  readonly destroyed: Snapshot["state"];
}

/** A user repeats a failed command; more often than this, the program has failed. */
const mostRuns = 4;

export async function undisturbedLife(life: Life): Promise<Undisturbed> {
  const place = new Place({ seed: "undisturbed", latency: "none" });
  try {
    await prepare(place, life);
    await succeed(place, life.create);
    const created = await place.snapshot();
    await succeed(place, life.destroy);
    return { created, destroyed: (await place.snapshot()).state };
  } finally {
    place.close();
  }
}

async function prepare(place: Place, { seed = {}, before = [] }: Life): Promise<void> {
  await place.seed(seed);
  for (const each of before) await (typeof each === "string" ? succeed(place, each) : place.seed(each.seed));
}

/** @throws Error with the output of the command if it fails */
async function succeed(place: Place, name: CommandName): Promise<void> {
  const { code, stderr } = await place.run(`before: ${name}`, command(name));
  if (code !== 0) throw new Error(`an undisturbed ${name} exited with ${String(code)}\n${stderr}`);
}

export async function live(life: Life, wanted: Undisturbed, { seed, faults, freeChoices }: LifeOptions): Promise<Outcome> {
  const place = new Place({
    seed: String(seed),
    latency: seed % 2 === 0 ? "none" : "recorded",
    ...(freeChoices !== undefined && { freeChoices }),
  });
  try {
    await prepare(place, life);
    const storm = new Storm(place, seed, faults);
    const problems = await storm.problemsOf(life, wanted);
    const { schedule } = place;
    return {
      hash: schedule.hash(),
      turns: schedule.count,
      virtualMs: schedule.nowMs,
      faults: storm.struck,
      problems: [...problems, ...place.problems],
    };
  } finally {
    place.close();
  }
}

class Storm {
  readonly struck: string[] = [];
  readonly #place: Place;
  readonly #seed: number;
  readonly #only: ReadonlySet<string> | undefined;
  #runs = 0;

  constructor(place: Place, seed: number, only: readonly string[] | undefined) {
    this.#place = place;
    this.#seed = seed;
    this.#only = only && new Set(only);
  }

  /** Stops at the first command with a problem. */
  async problemsOf({ create, destroy }: Life, { created, destroyed }: Undisturbed): Promise<string[]> {
    const checks = [
      { name: create, title: create },
      { name: create, title: `the second ${create}` },
      { name: destroy, title: destroy },
    ];
    for (const { name, title } of checks) {
      const problems = await this.#untilSuccess(name, title);
      if (problems.length > 0) return problems;
      const found = await this.#place.snapshot();
      const different = name === create ? differences(found, created) : differences(found.state, destroyed);
      if (different.length > 0) return [[`${title} left differences:`, ...different].join("\n")];
    }
    return [];
  }

  async #untilSuccess(name: CommandName, title: string): Promise<string[]> {
    for (let runs = 1; ; runs++) {
      const { code, stderr } = await this.#run(name, `${title}, run ${String(runs)}`);
      if (code === 0) return [];
      const isRight = typeof code === "number" && this.#place.problems.length === 0;
      if (!isRight || runs === mostRuns) return [`run ${String(runs)} of ${title} exited with ${String(code)}\n${lastLines(stderr)}`];
    }
  }

  /** The name of a fault is the number of the run, and that of its request. */
  async #run(name: CommandName, title: string) {
    const run = ++this.#runs;
    const nameOf = (request = 0): string => `${String(run)}.${String(request)}`;
    const rules = stormFaults(String(this.#seed), title).filter(({ request }) => this.#only?.has(nameOf(request)) ?? true);
    const ended = await this.#place.run(title, command(name), rules);
    const requests = this.#place.requestsOf(title);
    this.struck.push(...new Set(rules.filter(({ request = 0 }) => request <= requests).map(({ request }) => nameOf(request))));
    return ended;
  }
}
