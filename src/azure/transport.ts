/** What all requests have in common, whoever sends them: the way to Azure, its pace, and who is told. */
import type { Agent } from "node:https";
import type { Clock } from "./clock.js";

export interface Transport {
  readonly clock: Clock;
  /** Set for the emulator only: dials its door under Azure's own host names. */
  readonly agent?: Agent;
  /** Set by `--debug`: told of every request in one line, without secrets. */
  readonly log?: (line: string) => void;
  /** On whose behalf a request is sent, where that is known: told of waits, and its signal ends the request. */
  readonly current: () => Sender | undefined;
}

/** A step, or the command itself, which has no step's id. */
export interface Sender {
  readonly step?: string;
  readonly signal: AbortSignal;
  note(text: string): void;
}
