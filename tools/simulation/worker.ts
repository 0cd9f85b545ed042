/** Simulates a part of the jobs in this process, and reports each. */
import type { Meanwhile } from "../demo-cluster.js";
import { command, type Command, type CommandName } from "./commands.js";
import { crashStates, goOn, waysFrom } from "./crash-states.js";
import { installGlobals } from "./globals.js";
import { keyPairs } from "./keys.js";
import { live, undisturbedLife, type LifeOptions } from "./life.js";
import type { Outcome } from "./place.js";
import { lives, nameOf, type Life } from "./lives.js";
import { isOurs, type Part } from "./processes.js";
import { pairs } from "./pairs.js";
import { race } from "./race.js";
import { races } from "./races.js";
import { shrink } from "./shrink.js";
import type { Undisturbed } from "./storm.js";
import { tracks } from "./tracks.js";
import { warmUp } from "./warm-up.js";

export type Job =
  | {
      readonly kind: "life";
      readonly name: string;
      readonly seed: number;
      readonly faults: readonly string[] | undefined;
      readonly freeChoices: number | undefined;
    }
  | { readonly kind: "race"; readonly name: string; readonly seed: number }
  /** Without a rotation, every way on from every state. `states` are the titles of the only ones. */
  | {
      readonly kind: "crash";
      readonly name: string;
      readonly rotation: number | undefined;
      readonly states: readonly string[] | undefined;
    };

export interface Work extends Part {
  readonly jobs: readonly Job[];
  /** RSA keys as PEM. */
  readonly keys: readonly string[];
}

export interface Report {
  readonly title: string;
  /** The arguments that repeat it. */
  readonly repeat: string;
  readonly outcome: Outcome;
  /** Processor time. */
  readonly ms: number;
}

/** With a rotation, one of so many states goes on in the other ways, and one of so many pairs meets. One of four states goes on with its command. */
export const share = 8;

export async function work({ jobs, keys, ...part }: Work, report: (report: Report) => void): Promise<void> {
  const rsaKeys = keyPairs(keys);
  installGlobals(rsaKeys);
  const known = new Map<string, Undisturbed>();
  const wantedOf = async (life: Life): Promise<Undisturbed> => {
    const earlier = known.get(nameOf(life));
    if (earlier !== undefined) return earlier;
    const { seed, before = [], create, destroy } = life;
    await warmUp(seed, [...before, create, destroy].map(byName));
    const wanted = await undisturbedLife(life);
    known.set(nameOf(life), wanted);
    return wanted;
  };
  const timed = async (title: string, repeat: string, simulate: () => Promise<Outcome>): Promise<Outcome> => {
    const began = cpuMs();
    const outcome = await simulate().catch((error: unknown) => broken(error));
    report({ title, repeat, outcome, ms: cpuMs() - began });
    return outcome;
  };
  for (const [index, job] of jobs.entries()) {
    try {
      if (job.kind === "crash") await crashTrack(job);
      else if (isOurs(part, index)) await (job.kind === "race" ? oneRace(job) : oneLife(job));
    } catch (error) {
      report({ title: `${job.name}, undisturbed`, repeat: argumentsOf(job), outcome: broken(error), ms: 0 });
    }
  }

  async function oneLife(job: Job & { kind: "life" }): Promise<void> {
    const { name, seed, faults, freeChoices } = job;
    const life = named(lives, name, nameOf);
    const wanted = await wantedOf(life);
    const options = { seed, faults, freeChoices };
    const again = (changed: LifeOptions): Promise<Outcome> => live(life, wanted, changed).catch((error: unknown) => broken(error));
    const title = `${name}, seed ${String(seed)}`;
    const repeat = argumentsOf(job);
    const outcome = await timed(title, repeat, () => live(life, wanted, options));
    if (outcome.problems.length === 0 || faults !== undefined) return;
    const least = await shrink(options, outcome, again);
    const arguments_ = `${repeat} --faults "${least.faults?.join(",") ?? ""}" --choices ${String(least.freeChoices)}`;
    await timed(`${title}, shrunk`, arguments_, () => live(life, wanted, least));
  }

  async function oneRace(job: Job & { kind: "race" }): Promise<void> {
    const { name, seed } = job;
    const scenario = named([...races, ...pairs], name, (each) => each.name);
    const { before = [], racers, again, destroys } = scenario;
    await warmUp(scenario.seed, [...before, ...racers, ...again, ...destroys]);
    await timed(`${name}, seed ${String(seed)}`, argumentsOf(job), () => race(scenario, seed, rsaKeys));
  }

  async function crashTrack({ name, rotation, states: only }: Job & { kind: "crash" }): Promise<void> {
    const track = named(tracks, name, (each) => each.name);
    await warmUp(track.seed, [...(track.before ?? []), ...track.commands, track.undo].map(byName));
    const { states, left, close } = await crashStates(track);
    try {
      const taken = states.flatMap((state, index) =>
        waysFrom(state, track).flatMap((way) => {
          const every = rotation === undefined ? 1 : way === "again" ? 4 : share;
          const title = `${state.command} ${String(state.number)}, ${way}`;
          return index % every !== (rotation ?? 0) % every || only?.includes(title) === false ? [] : [{ state, way, title }];
        }),
      );
      // Counted among those that are taken: the states of one rotation are all odd or all even.
      for (const [index, { state, way, title }] of taken.entries()) {
        if (isOurs(part, index))
          await timed(title, `--crash all --track "${name}" --state "${title}"`, () => goOn(state, way, track, left));
      }
    } finally {
      close();
    }
  }
}

const byName = (each: CommandName | Meanwhile): Command | Meanwhile => (typeof each === "string" ? command(each) : each);

function named<T>(all: readonly T[], name: string, nameOfOne: (one: T) => string): T {
  const found = all.find((one) => nameOfOne(one) === name);
  if (found === undefined) throw new Error(`nothing is called ${name}`);
  return found;
}

function argumentsOf(job: Job): string {
  if (job.kind === "crash") return `--crash some --track "${job.name}"`;
  const seed = String(job.seed);
  if (job.kind === "life") return `--seeds ${seed} --life "${job.name}"`;
  return pairs.some(({ name }) => name === job.name) ? `--pairs ${seed} --pair "${job.name}"` : `--races ${seed} --race ${job.name}`;
}

function broken(error: unknown): Outcome {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { hash: "", turns: 0, virtualMs: 0, faults: [], problems: [text] };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
