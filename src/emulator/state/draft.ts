/**
 * A draft of the state: reads and writes the state itself, and can report its changes or take them back.
 *
 * At the start, the state is a tree. Its edges are the members of objects and the entries of arrays. What is at the end of a written edge
 * belongs to the changes as a whole. Any other edge still leads to the same object. So each object of the tree has one path or is part
 * of a written value, wherever else the transaction has put it.
 *
 * An object under a written edge is a new one, or a proxy of one of the tree. It needs no proxy of its own: it is as new as the edge.
 * A deletion that is taken back puts the member behind its siblings.
 */
import { isIdle, type Change, type Path } from "./changes.js";
import { isContainer, putOwn } from "./plain-copy.js";

export interface Draft<T> {
  readonly state: T;
  /** Takes all writes back and returns what they changed; after that, the draft cannot be used. */
  finish(): Change[];
  /** Takes all writes back; after that, the draft cannot be used. Does nothing after `finish`. */
  undo(): void;
}

/** An object of the tree that the transaction reached. */
interface Node {
  readonly raw: object;
  readonly proxy: object;
  readonly parent: Node | undefined;
  readonly key: string;
  /** The written edges. */
  written: Set<string> | undefined;
  /** The members that were added or added again, in their order. */
  added: Set<string> | undefined;
  /** The members that were there and deleted. */
  deleted: Set<string> | undefined;
  /** Everything in an array from here on counts as written. */
  from: number;
}

/** What `sourceOf` knows about a proxy, for indexes. */
export interface Source {
  readonly raw: object;
  /** The members that the transaction has changed or changed something in. */
  readonly touched: ReadonlySet<string>;
  /** Those of them that it has added, or deleted and added again. */
  readonly added: ReadonlySet<string>;
}

/** The member of a proxy that leads to the object behind it. */
const behind = Symbol("behind");

interface Behind {
  readonly raw: object;
  readonly draft: Recorder;
}

const nothing: ReadonlySet<string> = new Set();

/** The object behind a proxy of a member of the root; undefined for any other object. */
export function sourceOf(collection: object): Source | undefined {
  const source = behindOf(collection);
  if (source === undefined) return undefined;
  const { raw, draft } = source;
  return { raw, touched: draft.touched.get(raw) ?? nothing, added: draft.addedTo(raw) };
}

/** The object behind a proxy, with all writes of its transaction. To read most of a state, proxies take ten times as long. */
export function rawOf<T extends object>(value: T): T {
  return (behindOf(value)?.raw ?? value) as T;
}

/** The members that the transaction changes from now on, as they were before. */
export function membersBefore<T>(collection: Readonly<Record<string, T>>): ReadonlyMap<string, T | undefined> {
  const source = behindOf(collection);
  const before = source?.draft.before.get(source.raw) ?? new Map<string, unknown>();
  source?.draft.before.set(source.raw, before);
  return before as ReadonlyMap<string, T | undefined>;
}

export function openDraft<T extends object>(root: T): Draft<T> {
  const recorder = new Recorder(root);
  return {
    state: recorder.root.proxy as T,
    finish() {
      try {
        const changes = JSON.parse(JSON.stringify(recorder.changes())) as Change[];
        recorder.undo();
        return changes.filter((change) => !isIdle(root, change));
      } finally {
        recorder.undo();
      }
    },
    undo: () => recorder.undo(),
  };
}

class Recorder implements ProxyHandler<object> {
  readonly root: Node;
  /** The changed members of each member of the root, by that member. */
  readonly touched = new Map<object, Set<string>>();
  /** What `membersBefore` asked for. */
  readonly before = new Map<object, Map<string, unknown>>();
  readonly #nodes = new Map<object, Node>();
  readonly #undo: (() => void)[] = [];
  #hasEnded = false;

  constructor(root: object) {
    this.root = this.#reach(root, undefined, "");
  }

  get(target: object, key: string | symbol): unknown {
    if (key === behind) return { raw: target, draft: this } satisfies Behind;
    this.#requireOpen();
    return this.#shown(target, key, Reflect.get(target, key));
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, key);
    return descriptor && { ...descriptor, value: this.#shown(target, key, descriptor.value) };
  }

  set(target: object, key: string | symbol, value: unknown): boolean {
    return this.#write(target, key, value);
  }

  defineProperty(target: object, key: string | symbol, descriptor: PropertyDescriptor): boolean {
    if (!("value" in descriptor)) throw new Error(`the state cannot have an accessor ${String(key)}`);
    return this.#write(target, key, descriptor.value);
  }

  deleteProperty(target: object, key: string | symbol): boolean {
    this.#requireOpen();
    if (typeof key === "symbol" || !Object.hasOwn(target, key)) return true;
    const before = (target as Record<string, unknown>)[key];
    const node = this.#mark(target, key);
    if (node && !node.added?.delete(key)) {
      node.deleted ??= new Set();
      node.deleted.add(key);
    }
    this.#undo.push(() => putOwn(target, key, before));
    return Reflect.deleteProperty(target, key);
  }

  changes(): Change[] {
    return [...this.#nodes.values()].flatMap((node): Change[] => {
      const at = node.written && pathOf(node);
      if (node.written === undefined || at === undefined) return [];
      if (Array.isArray(node.raw)) return [{ at, from: node.from, items: node.raw.slice(node.from) as unknown[] }];
      const { raw, written, added = nothing, deleted = nothing } = node;
      const valueOf = (key: string): unknown => Reflect.getOwnPropertyDescriptor(raw, key)?.value;
      return [
        ...[...written].filter((key) => !added.has(key)).map((key) => ({ at: [...at, key], value: valueOf(key) })),
        ...[...added].map((key) => ({ at: [...at, key], value: valueOf(key), ...(deleted.has(key) && { again: true as const }) })),
      ];
    });
  }

  undo(): void {
    this.#hasEnded = true;
    for (let step = this.#undo.pop(); step !== undefined; step = this.#undo.pop()) step();
  }

  #write(target: object, key: string | symbol, value: unknown): boolean {
    this.#requireOpen();
    if (typeof key === "symbol") throw new Error("the state cannot have a symbol");
    if (Array.isArray(target)) return this.#writeEntry(target, key, value);
    const had = Object.hasOwn(target, key);
    const before = (target as Record<string, unknown>)[key];
    if (had && isSame(before, value)) return true;
    const node = this.#mark(target, key);
    if (!had && node) {
      node.added ??= new Set();
      node.added.add(key);
    }
    this.#undo.push(had ? () => putOwn(target, key, before) : () => Reflect.deleteProperty(target, key));
    putOwn(target, key, value);
    return true;
  }

  #writeEntry(target: unknown[], key: string, value: unknown): boolean {
    const { length } = target;
    const index = key === "length" ? Number(value) : Number(key);
    const before = key === "length" ? target.slice(index) : [target[index]];
    if (key === "length" ? index === length : index < length && isSame(before[0], value)) return true;
    this.#mark(target, key, Math.min(index, length));
    this.#undo.push(() => {
      target.length = Math.min(length, Math.max(index, target.length));
      before.slice(0, length - index).forEach((entry, i) => {
        target[index + i] = entry;
      });
    });
    return Reflect.set(target, key, value);
  }

  #shown(target: object, key: string | symbol, value: unknown): unknown {
    if (!isContainer(value) || typeof key === "symbol" || !Object.hasOwn(target, key)) return value;
    const node = this.#nodes.get(target);
    if (node === undefined || node.written?.has(key)) return value;
    return (this.#nodes.get(value) ?? this.#reach(value, node, key)).proxy;
  }

  #reach(raw: object, parent: Node | undefined, key: string): Node {
    const node: Node = {
      raw,
      proxy: new Proxy(raw, this),
      parent,
      key,
      written: undefined,
      added: undefined,
      deleted: undefined,
      from: Infinity,
    };
    this.#nodes.set(raw, node);
    return node;
  }

  addedTo(raw: object): ReadonlySet<string> {
    return this.#nodes.get(raw)?.added ?? nothing;
  }

  #mark(target: object, key: string, from = Infinity): Node | undefined {
    const marked = this.#nodes.get(target);
    if (marked === undefined) return undefined;
    let node = marked;
    node.written ??= new Set();
    node.written.add(key);
    node.from = Math.min(node.from, from, Array.isArray(target) && key !== "length" ? Number(key) : Infinity);
    let member = key;
    for (; node.parent !== undefined && node.parent !== this.root; node = node.parent) member = node.key;
    if (node === this.root) return marked;
    const before = this.before.get(node.raw);
    if (before?.has(member) === false) before.set(member, structuredClone((node.raw as Record<string, unknown>)[member]));
    const touched = this.touched.get(node.raw) ?? new Set();
    this.touched.set(node.raw, touched.add(member));
    return marked;
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new Error("the state is used after the end of its transaction");
  }
}

/** Undefined if a change above it covers it. */
function pathOf({ parent, key }: Node): Path | undefined {
  if (parent === undefined) return [];
  if (Array.isArray(parent.raw) ? parent.from <= Number(key) : parent.written?.has(key)) return undefined;
  const above = pathOf(parent);
  return above && [...above, key];
}

function isSame(raw: unknown, value: unknown): boolean {
  return Object.is(raw, value) || (typeof value === "object" && value !== null && raw === behindOf(value)?.raw);
}

function behindOf(value: object): Behind | undefined {
  return (value as { readonly [behind]?: Behind })[behind];
}
