/** Parses the value of one option by its kind. */
import { didYouMean, similarTo } from "../text/did-you-mean.js";
import { plural } from "../text/plural.js";
import type { Option } from "./option.js";

export type Parsed = { readonly value: unknown } | { readonly problem: string };

/** `raw` is the value of a flag, a variable or a configuration file: text, or in a file also numbers, booleans, lists and objects. */
export function parseValue(option: Option, raw: unknown): Parsed {
  switch (option.kind) {
    case "text":
    case "file":
    case "directory":
      return parseText(raw);
    case "choice":
      return parseChoice(raw, option.choices ?? []);
    case "switch":
      return parseSwitch(raw);
    case "integer":
      return /^\d{1,9}$/.test(textOf(raw)) ? { value: Number(raw) } : { problem: `${quoted(raw)} is not a whole number` };
    case "duration":
      return parseDuration(raw);
    case "list":
      return parseList(raw, option);
    case "files":
      return parseTexts(raw, (paths) => [...new Set(paths)]);
    case "texts":
      return parseTexts(raw, (texts) => texts);
    case "tags":
      return parseTags(raw);
  }
}

/** The value of an option that nothing sets; undefined without a default, which the table has as the text of a flag. */
export function defaultOf(option: Option): unknown {
  if (option.default === undefined) return undefined;
  const parsed = parseValue(option, option.default);
  return "value" in parsed ? parsed.value : undefined;
}

function parseText(raw: unknown): Parsed {
  if (typeof raw !== "string") return { problem: notText(raw) };
  if (raw === "") return { problem: "is empty" };
  return raw === raw.trim() ? { value: raw } : { problem: `"${raw}" starts or ends with whitespace` };
}

/** Quotes make text of a number or of true and false. */
function notText(raw: unknown): string {
  return `expected text, got ${kindOf(raw)}${typeof raw === "object" ? "" : "; put it in quotes"}`;
}

/** A longer list of choices is cut to those that are similar. */
const mostListed = 12;

export function parseChoice(raw: unknown, choices: readonly string[]): Parsed {
  if (typeof raw === "string" && choices.includes(raw)) return { value: raw };
  const text = textOf(raw);
  const similar = choices.length > mostListed ? similarTo(text, choices) : [];
  if (similar.length > 0)
    return { problem: `${quoted(raw)} is not one of ${plural(choices.length, "choice")}; did you mean ${similar.join(" or ")}?` };
  return { problem: `${quoted(raw)} is not one of ${choices.join(", ")}${didYouMean(text, choices)}` };
}

/** A map: an object would also have keys such as `constructor`. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["no", false],
]);

function parseSwitch(raw: unknown): Parsed {
  const value = typeof raw === "boolean" ? raw : booleans.get(textOf(raw).toLowerCase());
  return value === undefined ? { problem: `${quoted(raw)} is not true or false` } : { value };
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** 90s, 45m, 1h30m */
export const durationPattern = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
/** The limit of setTimeout: 2^31 - 1 ms. */
const longestMs = 2_147_483_647;

function parseDuration(raw: unknown): Parsed {
  const text = textOf(raw);
  if (!durationPattern.test(text)) return { problem: `"${text}" is not a duration such as 90s, 45m or 1h30m` };
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  const value = parts.reduce((sum, [, amount = "0", unit = "s"]) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
  if (value <= 0) return { problem: `"${text}" must be longer than 0` };
  return value > longestMs ? { problem: `"${text}" is longer than 24 days` } : { value };
}

function parseList(raw: unknown, { choices, otherSpellings = {} }: Pick<Option, "choices" | "otherSpellings">): Parsed {
  const items = itemsOf(raw)?.map((item) => (Object.hasOwn(otherSpellings, item) ? otherSpellings[item] : undefined) ?? item);
  if (items === undefined)
    return {
      problem: Array.isArray(raw) ? "expected only text in the list; put each item in quotes" : `expected a list, got ${kindOf(raw)}`,
    };
  if (items.length === 0 && !isEmptyList(raw)) return { problem: "is empty" };
  const unknown = items.find((item) => choices?.includes(item) === false);
  if (unknown !== undefined) return parseChoice(unknown, choices ?? []);
  return { value: [...new Set(items)] };
}

/** An empty list in a file is intentional; an empty text is an unset variable of a script. */
function isEmptyList(raw: unknown): boolean {
  return Array.isArray(raw) && raw.length === 0;
}

/** Not split at commas: a path or a group of values may contain them. */
function parseTexts(raw: unknown, collect: (texts: readonly unknown[]) => readonly unknown[]): Parsed {
  const texts: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const wrong = texts.map(parseText).find((parsed) => "problem" in parsed);
  return wrong ?? { value: collect(texts) };
}

function parseTags(raw: unknown): Parsed {
  if (typeof raw === "object" && raw !== null && !Array.isArray(raw)) return collectTags(Object.entries(raw));
  const items = itemsOf(raw);
  if (items === undefined) return { problem: `expected key=value pairs, got ${kindOf(raw)}` };
  const bare = items.find((item) => !item.includes("="));
  if (bare !== undefined) return { problem: `"${bare}" is not key=value; a value with a comma can be set in a --config file` };
  return collectTags(items.map((item) => [item.slice(0, item.indexOf("=")).trim(), item.slice(item.indexOf("=") + 1)]));
}

function collectTags(pairs: readonly (readonly [string, unknown])[]): Parsed {
  const other = pairs.find(([, value]) => typeof value !== "string");
  if (other !== undefined) return { problem: `tag "${other[0]}": ${notText(other[1])}` };
  const seen = new Set<string>();
  // Azure compares tag names case-insensitively. Adding an existing name to the set does not change its size.
  const duplicate = pairs.find(([key]) => seen.size === seen.add(key.toLowerCase()).size);
  return duplicate === undefined ? { value: Object.fromEntries(pairs) } : { problem: `tag "${duplicate[0]}" is set twice` };
}

/** The items of a repeated flag, of a comma-separated text, or of a list in a file. */
function itemsOf(raw: unknown): readonly string[] | undefined {
  const texts: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (!texts.every((text) => typeof text === "string")) return undefined;
  return texts.flatMap((text) => text.split(",").map((item) => item.trim())).filter((item) => item !== "");
}

function textOf(raw: unknown): string {
  return typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean" ? String(raw) : kindOf(raw);
}

/** A value in quotes, or the kind of one that is no text. */
function quoted(raw: unknown): string {
  const text = textOf(raw);
  return typeof raw === "object" || raw === undefined ? text : `"${text}"`;
}

function kindOf(raw: unknown): string {
  if (raw === null || raw === undefined) return "nothing";
  if (Array.isArray(raw)) return "a list";
  return typeof raw === "object" ? "an object" : `a ${typeof raw}`;
}
