/** How often the state names each content file. */
import type { Watcher } from "./changes.js";
import { isContainer } from "./plain-copy.js";

/** Every name begins with it, and so does no other value of the state. */
export const prefix = "content-";

export class ContentNames implements Watcher {
  readonly #counts = new Map<string, number>();
  #dropped: string[] = [];

  constructor(state: unknown) {
    this.#count(state, 1);
  }

  replaced(_change: unknown, before: unknown, after: unknown): void {
    this.#count(before, -1);
    this.#count(after, 1);
  }

  /** The names that changes have taken away since the last call. */
  takeDropped(): readonly string[] {
    const taken = this.#dropped;
    this.#dropped = [];
    return taken;
  }

  /** Those of `names` that the state does not contain. */
  missing(names: readonly string[]): string[] {
    return names.filter((name) => !this.#counts.has(name));
  }

  #count(value: unknown, by: 1 | -1): void {
    if (isContainer(value)) for (const held of Object.values(value)) this.#count(held, by);
    if (typeof value !== "string" || !value.startsWith(prefix)) return;
    const count = (this.#counts.get(value) ?? 0) + by;
    if (count > 0) this.#counts.set(value, count);
    else this.#counts.delete(value);
    if (by < 0) this.#dropped.push(value);
  }
}
