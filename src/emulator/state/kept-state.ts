/** A state that is kept in memory, to be put back, and what a commit must change to put it back. */
import type { Change } from "./changes.js";
import { isContainer, plainCopy, putOwn } from "./plain-copy.js";
import type { AzureState } from "./state.js";

/** It never changes. */
export interface KeptState {
  readonly state: AzureState;
  /** The content files that the state names. */
  readonly content: ReadonlyMap<string, Buffer>;
}

/** The state with other names of content files. */
export function withNames<T>(value: T, names: ReadonlyMap<string, string>): T {
  if (names.size === 0) return value;
  if (typeof value === "string") return (names.get(value) ?? value) as T;
  if (Array.isArray(value)) return value.map((held: unknown) => withNames(held, names)) as T;
  if (!isContainer(value)) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, held] of Object.entries(value)) putOwn(renamed, key, withNames(held, names));
  return renamed as T;
}

/** What makes `after` of `before`. Members of a collection are in the order of `after` then: lists have it. */
export function changesBetween(before: AzureState, after: AzureState): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as ReadonlySet<keyof AzureState>;
  // Copied: a commit makes what it writes part of the state.
  return [...keys].flatMap((key) => (key in after ? plainCopy(changesOf(key, before[key], after[key])) : [{ at: [key] }]));
}

function changesOf(key: string, before: unknown, after: unknown): readonly Change[] {
  const whole: readonly Change[] = [{ at: [key], value: after }];
  if (!isRecord(before) || !isRecord(after)) return isEqual(before, after) ? [] : whole;
  const names = Object.keys(after);
  const stay = Object.keys(before).filter((name) => Object.hasOwn(after, name));
  const ordered = [...stay, ...names.filter((name) => !Object.hasOwn(before, name))];
  if (!isEqual(names, ordered)) return whole;
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = names.filter((name) => !isEqual(before[name], after[name]));
  if (gone.length + changed.length > names.length) return whole;
  return [...gone.map((name) => ({ at: [key, name] })), ...changed.map((name) => ({ at: [key, name], value: after[name] }))];
}

/** Compares the order of members too. */
function isEqual(left: unknown, right: unknown): boolean {
  if (!isContainer(left) || !isContainer(right)) return Object.is(left, right);
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [names, others] = [Object.keys(left), Object.keys(right)];
  if (names.length !== others.length) return false;
  return names.every((name, at) => name === others[at] && isEqual((left as Held)[name], (right as Held)[name]));
}

type Held = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Held {
  return isContainer(value) && !Array.isArray(value);
}
