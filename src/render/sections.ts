/** The sections of a run: how many steps of each kind have ended, and how. */
import type { Outline } from "./outline.js";

export interface Section {
  /** "certificates" */
  readonly name: string;
  readonly total: number;
  readonly ended: number;
  /** The number of ended steps by the word for their end: "created", "failed". */
  readonly words: Readonly<Record<string, number>>;
  /** When its first step started, in milliseconds of the ticker; undefined if none has. */
  readonly startedMs: number | undefined;
}

export interface Sections {
  /** The sections in the order of the steps. */
  list(): readonly Section[];
  /** Undefined for a step that needs no work, and without an outline. */
  of(step: string): Section | undefined;
  started(step: string, nowMs: number): void;
  ended(step: string, word: string): void;
}

export function createSections({ steps }: Pick<Outline, "steps">): Sections {
  const byName = new Map<string, Section>();
  const nameOf = new Map<string, string>();
  const change = (step: string, next: (section: Section) => Section): void => {
    const name = nameOf.get(step);
    const section = name === undefined ? undefined : byName.get(name);
    if (section) byName.set(section.name, next(section));
  };
  for (const { id, section: name } of steps) {
    if (name === undefined) continue;
    nameOf.set(id, name);
    const { total } = byName.get(name) ?? { total: 0 };
    byName.set(name, { name, total: total + 1, ended: 0, words: {}, startedMs: undefined });
  }
  return {
    list: () => [...byName.values()],
    of: (step) => byName.get(nameOf.get(step) ?? ""),
    started(step, nowMs) {
      change(step, (section) => ({ ...section, startedMs: section.startedMs ?? nowMs }));
    },
    ended(step, word) {
      change(step, (section) => ({
        ...section,
        ended: section.ended + 1,
        words: { ...section.words, [word]: (section.words[word] ?? 0) + 1 },
      }));
    },
  };
}
