/**
 * Virtual time, and the order of everything that waits. All that a simulated run waits for is a sleep or a turn. When nothing runs any more, the
 * schedule lets one turn go on, which the seed chooses. When no turn is left, time jumps to the next sleep that ends.
 */
import { createHash } from "node:crypto";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { untilIdle, untilQuiet } from "./quiet.js";
import type { Fraction } from "./random.js";

/** The moment at which every simulation begins. */
export const epoch = Date.UTC(2026, 0, 5, 9);

interface Turn {
  /** What goes on: equal in two runs of one seed, whatever order the thread pool had. */
  readonly label: string;
  readonly run: string;
  go(): void;
}

interface Sleep extends Turn {
  readonly endMs: number;
}

export interface ScheduleOptions {
  readonly random: Fraction;
  /** After this number of choices, the turn that waits longest goes on: all of them are free by default. */
  readonly freeChoices?: number;
  /** Called before each turn. May kill a run. */
  readonly onTurn?: (turn: number) => void;
}

export interface Schedule {
  /** Milliseconds since the beginning. */
  readonly nowMs: number;
  /** How many turns went on. */
  readonly count: number;
  /** Of everything that happened so far, in its order. */
  hash(): string;
  /** The clock of a run. */
  clockOf(run: string): SystemClock;
  /** Resolves when the schedule lets it go on; never for a run that was killed. */
  turn(run: string, label: string): Promise<void>;
  /** Of a killed run, nothing goes on. */
  kill(run: string): void;
  /** Continues at a later moment. */
  moveTo(ms: number): void;
  /** Lets everything go on until `work` ends. @throws Error if nothing is left to wait for, and what `work` throws */
  until<T>(work: Promise<T>): Promise<T>;
}

/** Everything goes on at once, in real time. */
export class RealTime implements Schedule {
  readonly nowMs = 0;
  readonly count = 0;
  readonly hash = () => "";
  readonly clockOf = () => systemClock;
  readonly turn = () => Promise.resolve();
  readonly kill = () => undefined;
  readonly moveTo = () => undefined;
  readonly until = <T>(work: Promise<T>) => work;
}

export class VirtualTime implements Schedule {
  readonly #options: ScheduleOptions;
  readonly #trace = createHash("sha256");
  readonly #dead = new Set<string>();
  #turns: Turn[] = [];
  readonly #sleeps = new Set<Sleep>();
  #nowMs = 0;
  #count = 0;
  /** Its command has ended: see whether that was the last one, before anything goes on. */
  #wasKilled = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get count(): number {
    return this.#count;
  }

  hash(): string {
    return this.#trace.copy().digest("hex").slice(0, 16);
  }

  clockOf(run: string): SystemClock {
    return {
      now: () => new Date(epoch + this.#nowMs),
      elapsedMs: () => this.#nowMs,
      sleep: (ms, signal) => this.#sleep(run, ms, signal),
      after: (ms, act) => {
        const stop = new AbortController();
        this.#sleep(run, ms, stop.signal).then(act, () => undefined);
        return () => stop.abort();
      },
      turn: async () => {
        await untilIdle();
      },
    };
  }

  turn(run: string, label: string): Promise<void> {
    return new Promise((go) => this.#turns.push({ run, label, go }));
  }

  kill(run: string): void {
    if (this.#dead.has(run)) return;
    this.#dead.add(run);
    this.#wasKilled = true;
  }

  moveTo(ms: number): void {
    this.#nowMs = ms;
  }

  async until<T>(work: Promise<T>): Promise<T> {
    let hasEnded = false;
    const end = () => void (hasEnded = true);
    work.then(end, end);
    for (;;) {
      await untilQuiet();
      if (hasEnded) return work;
      this.#options.onTurn?.(this.#count + 1);
      if (this.#wasKilled) this.#wasKilled = false;
      else if (!this.#goOn()) throw new Error("nothing is left to wait for, but the commands have not ended");
    }
  }

  /** False if nothing waits. */
  #goOn(): boolean {
    this.#turns = this.#turns.filter(({ run }) => !this.#dead.has(run));
    if (this.#turns.length === 0) this.#wake();
    if (this.#turns.length === 0) return false;
    const turn = this.#next();
    this.#count++;
    this.#trace.update(`${String(this.#nowMs)} ${turn.run} ${turn.label}\n`);
    turn.go();
    return true;
  }

  #next(): Turn {
    const { random, freeChoices = Infinity } = this.#options;
    // What began at the same time is ordered by what it says.
    if (this.#count >= freeChoices) return this.#turns.shift() as Turn;
    const ordered = this.#turns.toSorted((one, other) => compare(one.run, other.run) || compare(one.label, other.label));
    const chosen = ordered[Math.floor(random() * ordered.length)] as Turn;
    this.#turns.splice(this.#turns.indexOf(chosen), 1);
    return chosen;
  }

  /** Moves the time to the end of the next sleep. */
  #wake(): void {
    let endMs = Infinity;
    for (const sleep of this.#sleeps) {
      if (this.#dead.has(sleep.run)) this.#sleeps.delete(sleep);
      else endMs = Math.min(endMs, sleep.endMs);
    }
    if (endMs === Infinity) return;
    this.#nowMs = Math.max(this.#nowMs, endMs);
    for (const sleep of this.#sleeps) {
      if (sleep.endMs > endMs) continue;
      this.#sleeps.delete(sleep);
      this.#turns.push(sleep);
    }
  }

  #sleep(run: string, ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return void reject(reasonOf(signal));
      const sleep: Sleep = {
        run,
        label: `slept ${String(Math.round(ms))}`,
        endMs: this.#nowMs + Math.max(0, ms),
        go() {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      const abort = (): void => {
        this.#sleeps.delete(sleep);
        this.#turns = this.#turns.filter((each) => each !== sleep);
        if (signal) reject(reasonOf(signal));
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#sleeps.add(sleep);
    });
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException("aborted", "AbortError");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
