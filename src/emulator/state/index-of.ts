/**
 * Indexes of the members of a collection of the state, by keys that follow from each member.
 *
 * An index is built when it is first used, for the collection as it is without the changes of a transaction, and follows its commits.
 * What a running transaction has touched is looked at again at every use. A collection that is not part of a store is searched.
 */
import { sourceOf } from "./draft.js";

export interface Index<T> {
  /** The members with this key, in the order in which they got it. */
  find(collection: Readonly<Record<string, T>>, key: string): T[];
  /** The names of these members. */
  namesOf(collection: Readonly<Record<string, T>>, key: string): string[];
  /** How many they are. */
  count(collection: Readonly<Record<string, T>>, key: string): number;
  /** The keys that any member may have. */
  keys(collection: Readonly<Record<string, T>>): string[];
}

class Entries<T> {
  readonly #collection: Readonly<Record<string, T>>;
  readonly #keysOf: (member: T, name: string) => readonly string[];
  readonly byKey = new Map<string, Set<string>>();
  readonly #held = new Map<string, readonly string[]>();
  /** Not read since they changed. */
  readonly #stale: Set<string>;

  constructor(collection: Readonly<Record<string, T>>, keysOf: (member: T, name: string) => readonly string[]) {
    this.#collection = collection;
    this.#keysOf = keysOf;
    this.#stale = new Set(Object.keys(collection));
  }

  /** A new member is behind all others, also if one with its name was there before. */
  changed(name: string, isNew: boolean): void {
    if (isNew) {
      for (const key of this.#held.get(name) ?? []) this.#remove(key, name);
      this.#held.delete(name);
      this.#stale.delete(name);
    }
    this.#stale.add(name);
  }

  /** Reads what has changed, except for what a transaction has touched. */
  update(touched: ReadonlySet<string>): void {
    for (const name of this.#stale) {
      if (touched.has(name)) continue;
      this.#stale.delete(name);
      const before = this.#held.get(name) ?? [];
      const after = Object.hasOwn(this.#collection, name) ? this.#keysOf(this.#collection[name] as T, name) : [];
      for (const key of before) if (!after.includes(key)) this.#remove(key, name);
      for (const key of after) this.byKey.set(key, (this.byKey.get(key) ?? new Set()).add(name));
      if (after.length > 0) this.#held.set(name, after);
      else this.#held.delete(name);
    }
  }

  #remove(key: string, name: string): void {
    const names = this.byKey.get(key);
    names?.delete(name);
    if (names?.size === 0) this.byKey.delete(key);
  }
}

/** The indexes of each collection of a store. */
const indexes = new WeakMap<object, Map<Index<never>, Entries<never>>>();

/** A commit has changed the member, or something in it. */
export function memberChanged(collection: object, name: string, isNew: boolean): void {
  for (const entries of indexes.get(collection)?.values() ?? []) entries.changed(name, isNew);
}

export function indexOf<T>(keysOf: (member: T, name: string) => readonly string[]): Index<T> {
  const index: Index<T> = {
    find: (collection, key) => index.namesOf(collection, key).map((name) => collection[name] as T),
    namesOf(collection, key) {
      const hasKey = (name: string): boolean => has(collection, name, key);
      const source = sourceOf(collection);
      if (source === undefined) return Object.keys(collection).filter(hasKey);
      const { touched, added } = source;
      const indexed = entriesOf(source.raw, touched).byKey.get(key) ?? new Set<string>();
      if (touched.size === 0) return [...indexed];
      return [
        ...[...indexed].filter((name) => !added.has(name) && (!touched.has(name) || hasKey(name))),
        ...[...touched].filter((name) => !added.has(name) && !indexed.has(name) && hasKey(name)),
        ...[...added].filter(hasKey),
      ];
    },
    count(collection, key) {
      const source = sourceOf(collection);
      if (source === undefined) return index.namesOf(collection, key).length;
      const indexed = entriesOf(source.raw, source.touched).byKey.get(key);
      let count = indexed?.size ?? 0;
      for (const name of source.touched) count += Number(has(collection, name, key)) - Number(indexed?.has(name) ?? false);
      return count;
    },
    keys(collection) {
      const source = sourceOf(collection);
      const members =
        source === undefined ? Object.keys(collection) : [...source.touched].filter((name) => Object.hasOwn(collection, name));
      const ofMembers = members.flatMap((name) => keysOf(collection[name] as T, name));
      return [...new Set([...(source ? entriesOf(source.raw, source.touched).byKey.keys() : []), ...ofMembers])];
    },
  };
  return index;

  function has(collection: Readonly<Record<string, T>>, name: string, key: string): boolean {
    return Object.hasOwn(collection, name) && keysOf(collection[name] as T, name).includes(key);
  }

  function entriesOf(raw: object, touched: ReadonlySet<string>): Entries<T> {
    const ofCollection = indexes.get(raw) ?? new Map<Index<never>, Entries<never>>();
    indexes.set(raw, ofCollection);
    const known = ofCollection.get(index as unknown as Index<never>) as unknown as Entries<T> | undefined;
    const entries = known ?? new Entries(raw as Readonly<Record<string, T>>, keysOf);
    if (known === undefined) ofCollection.set(index as unknown as Index<never>, entries as unknown as Entries<never>);
    entries.update(touched);
    return entries;
  }
}
