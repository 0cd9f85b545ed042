/** What all requests share: the agent, the clock, the random values, the request log and the current step. */
import type { Agent } from "node:https";
import type { SendRequest } from "@azure/core-rest-pipeline";
import type { Clock } from "./clock.js";
import type { EarlyRequests } from "./early-requests.js";
import type { Operation } from "./operation.js";
import type { Paced } from "./pacing.js";
import type { Random } from "./random.js";

export interface Transport {
  readonly clock: Clock;
  readonly random: Random;
  /** Set for the emulator only: connects to its listener under Azure's hostnames. */
  readonly agent?: Agent;
  /** Set for the emulator only: answers in this process, without a connection. */
  readonly send?: SendRequest;
  /** The contacts of the run, shared by all its requests. */
  readonly contact?: Contact;
  /** The operations of Azure that this run waits for. */
  readonly operations: Set<Operation>;
  readonly early: EarlyRequests;
  /** Set where several commands of this process share the limits of Azure. */
  readonly pacing?: Paced;
  /** Set for the emulator only: real milliseconds without a response after which a request has failed. */
  readonly responseLimitMs?: number;
  /** Set by `--debug`: receives one line for every request, without secrets. */
  readonly log?: (line: string) => void;
  /** Aborts when the run ends. Ends the requests that belong to several steps, such as sign-in. */
  readonly signal: AbortSignal;
  /** The step or command that sends a request, if known: it shows the waits, and its signal aborts the request. */
  readonly current: () => Sender | undefined;
}

/** The first contacts of a run: see first-contact.ts. */
export interface Contact {
  /** Whether any response has arrived in this run. */
  isMade: boolean;
  /** The hosts that have sent any response. */
  readonly hosts: Set<string>;
  /** The date of the first response: when the run began by Azure's clock. This computer's clock may be wrong. */
  since?: Date | undefined;
}

/** A step, or the command itself, which has no step ID. */
export interface Sender {
  readonly step?: string;
  readonly signal: AbortSignal;
  /** `reason` is the part of the text that stays the same while the same wait goes on. */
  note(text: string, reason?: string): void;
}
