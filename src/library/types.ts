/** What types settings, results, events and failures. The build publishes generated types in place of these. */
import type { FailureJson } from "../errors/format.js";

/** What a command takes, by the keys of a configuration file, and what it results in. */
export type Commands = Readonly<Record<string, { readonly settings: Readonly<Record<string, unknown>>; readonly result: unknown }>>;

/** An event of docs/events.md. */
export type Event = Readonly<Record<string, unknown>>;

export type Failure = FailureJson;
