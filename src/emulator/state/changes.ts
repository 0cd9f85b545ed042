/** What a commit changed, as JSON: the same list makes the new state from the old one in every process. */
import { isContainer, putOwn } from "./plain-copy.js";

/** Keys from the root of the state down. */
export type Path = readonly string[];

export type Change =
  /** Sets the member; deletes it if `value` is absent. With `again`, deletes it first, so that it is behind its siblings. */
  | { readonly at: Path; readonly value?: unknown; readonly again?: true }
  /** Replaces the entries of an array from `from` on. */
  | { readonly at: Path; readonly from: number; readonly items: readonly unknown[] };

export interface Watcher {
  /** Called for each change with what it has taken away and what it has put there. */
  replaced(change: Change, before: unknown, after: unknown): void;
}

/** The changes do not fit the state. */
export class MisfitChange extends Error {}

export function applyChanges(root: object, changes: readonly Change[], watcher?: Watcher): void {
  for (const change of changes) {
    const before = valueBefore(root, change);
    if ("items" in change) {
      const array = find(root, change.at) as unknown[];
      array.length = change.from;
      for (const item of change.items) array.push(item);
      watcher?.replaced(change, before, change.items);
      continue;
    }
    const [parent, key] = placeOf(root, change.at);
    if (change.again || !("value" in change)) Reflect.deleteProperty(parent, key);
    if ("value" in change) putOwn(parent, key, change.value);
    watcher?.replaced(change, before, change.value);
  }
}

/** Whether it leaves everything as it is. */
export function isIdle(root: object, change: Change): boolean {
  if ("again" in change) return false;
  const after = "items" in change ? change.items : change.value;
  return JSON.stringify(valueBefore(root, change)) === JSON.stringify(after);
}

function valueBefore(root: object, change: Change): unknown {
  if ("items" in change) {
    const array = find(root, change.at);
    if (!Array.isArray(array) || array.length < change.from) throw new MisfitChange(change.at.join(" "));
    return array.slice(change.from);
  }
  const [parent, key] = placeOf(root, change.at);
  return Object.hasOwn(parent, key) ? (parent as Record<string, unknown>)[key] : undefined;
}

function placeOf(root: object, at: Path): [parent: object, key: string] {
  const key = at.at(-1);
  if (key === undefined) throw new MisfitChange("no path");
  return [find(root, at.slice(0, -1)), key];
}

function find(root: object, at: Path): object {
  let found: unknown = root;
  for (const key of at) {
    found = isContainer(found) && Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined;
  }
  if (!isContainer(found)) throw new MisfitChange(at.join(" "));
  return found;
}
