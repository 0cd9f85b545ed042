/** A draft of the state: the same edits as on a copy, taken back in whole or described in whole. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyChanges } from "../../src/emulator/state/changes.js";
import { openDraft } from "../../src/emulator/state/draft.js";
import { plainCopy } from "../../src/emulator/state/plain-copy.js";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const keys = fc.constantFrom("a", "b", "c", "constructor", "__proto__");
const { json } = fc.letrec<{ json: Json; root: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom("x", "y", null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(keys, tie("json"), { maxKeys: 4 }),
  ),
  root: tie("json"),
}));
const state = fc.dictionary(keys, json, { minKeys: 1, maxKeys: 4 });

/** Which container a number leads to, the n-th of those below the root in their order; so both sides choose the same. */
function containers(value: unknown, found: object[] = []): object[] {
  if (typeof value !== "object" || value === null) return found;
  found.push(value);
  for (const held of Object.values(value)) containers(held, found);
  return found;
}

const edit = fc.record({
  kind: fc.constantFrom("set", "delete", "define", "push", "splice", "sort", "filter", "length", "unshift", "move", "again"),
  where: fc.nat(),
  from: fc.nat(),
  key: keys,
  index: fc.nat(4),
  value: json,
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** `kept` are objects that earlier edits reached: they may have moved or left the state since. */
function apply(root: object, { kind, where, from, key, index, value: sent }: Edit, kept: object[]): void {
  const all = containers(root);
  const target = all[where % all.length] as Record<string, unknown>;
  const other = all[from % all.length] as object;
  const value = plainCopy(sent);
  kept.push(target);
  const set = (on: object, to: unknown): void =>
    void Object.defineProperty(on, key, { value: to, configurable: true, enumerable: true, writable: true });
  if (kind === "again") {
    const before = kept[where % kept.length]!;
    if (Array.isArray(before)) before.push(value);
    else set(before, value);
  } else if (Array.isArray(target)) {
    if (kind === "splice") target.splice(index, from % 3, value);
    else if (kind === "sort") target.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    else if (kind === "unshift") target.unshift(value);
    else if (kind === "length") target.length = Math.min(target.length, index);
    else if (kind === "delete") target.pop();
    else if (kind === "move" && !containers(other).includes(target)) target.push(other);
    else if (kind === "set" && index < target.length) target[index] = value;
    else target.push(value);
  } else if (kind === "delete") delete target[key];
  else if (kind === "filter") {
    for (const [name, held] of Object.entries(target)) if (Array.isArray(held)) target[name] = held.filter((_, i) => i !== index);
  } else if (kind === "move") {
    if (!containers(other).includes(target)) set(target, other);
  } else if (kind === "set" && key !== "__proto__") target[key] = value;
  else set(target, value);
}

const text = (value: unknown): string => JSON.stringify(value);
const parse = (written: string): Record<string, unknown> => JSON.parse(written) as Record<string, unknown>;
/** Equal except for the order of members, `__proto__` included. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, held]) => [key, sorted(held)])
      : value;

test("edits through a draft are those on a copy, its changes make the one state from the other, and undo leaves nothing of them", () => {
  fc.assert(
    fc.property(state, fc.array(edit, { maxLength: 12 }), (initial, edits) => {
      const start = text(initial);
      const copy = parse(start);
      const root = parse(start);
      const draft = openDraft(root);
      const [kept, keptDrafts]: [object[], object[]] = [[], []];
      for (const one of edits) {
        apply(copy, one, kept);
        apply(draft.state, one, keptDrafts);
        expect(text(draft.state)).toBe(text(copy));
      }
      const changes = draft.finish();
      expect(sorted(root)).toEqual(sorted(parse(start)));
      applyChanges(root, changes);
      expect(text(root)).toBe(text(copy));
      const elsewhere = parse(start);
      applyChanges(elsewhere, parse(text({ changes }))["changes"] as typeof changes);
      expect(text(elsewhere)).toBe(text(copy));
    }),
    { numRuns: 1000 },
  );
});

test("the changes name what was written and nothing else", () => {
  const draft = openDraft<{ log: number[]; resources: Record<string, { properties: Record<string, unknown> }> }>({
    log: [1, 2, 3],
    resources: { a: { properties: { x: 1, y: [1] } }, b: { properties: {} } },
  });
  draft.state.log.push(4);
  draft.state.resources["a"]!.properties["x"] = 2;
  delete draft.state.resources["b"];
  expect(draft.finish()).toEqual([
    { at: ["log"], from: 3, items: [4] },
    { at: ["resources", "b"] },
    { at: ["resources", "a", "properties", "x"], value: 2 },
  ]);
});

test("an object is itself wherever it is found, and one that was put into the state stays the object that it was", () => {
  const draft = openDraft<{ list: object[]; one?: object }>({ list: [{ id: 1 }, { id: 2 }] });
  const [, second] = draft.state.list;
  draft.state.list = draft.state.list.filter((each) => each !== second);
  expect(draft.state.list).toEqual([{ id: 1 }]);
  const fresh = { id: 3, again: second };
  draft.state.one = fresh;
  expect(draft.state.one).toBe(fresh);
  fresh.id = 4;
  expect(draft.finish()).toEqual([
    { at: ["list"], value: [{ id: 1 }] },
    { at: ["one"], value: { id: 4, again: { id: 2 } } },
  ]);
});

test("what is written as it was is no change, and a draft cannot be used after its end", () => {
  const draft = openDraft({ list: [{ id: 1 }], held: { a: 1 } });
  const { state } = draft;
  const { held } = state;
  state.list = state.list.filter(() => true);
  state.held = { ...state.held };
  expect(draft.finish()).toEqual([]);
  expect(() => held.a).toThrow(/after the end/);
  expect(() => (state.list = [])).toThrow(/after the end/);
});
