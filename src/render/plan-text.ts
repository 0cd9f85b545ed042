/** A plan as text: the action for each resource and its reason, for create and destroy. */
import type { Change } from "../engine/step.js";
import { isJsonObject, parseJsonObject, type JsonObject } from "../text/json.js";
import { type Painted, painted } from "./painted.js";
import { joinedRows, type PlanRow } from "./plan-row.js";
import { cutMiddle, printable, shorten } from "./printable.js";
import type { Screen } from "./screen.js";
import { acts, type ShownAct } from "./vocabulary.js";
import { hanging, room, wrapped } from "./wrapped.js";

/** The words for each action in the last line, of a plan and of one that is refused. */
const countWords: readonly (readonly [act: ShownAct | "cascaded", planned: string, refused: string])[] = [
  ["create", "to create", "would be created"],
  ["update", "to update", "would be updated"],
  ["replace", "to replace", "would be replaced"],
  ["wait", "to wait for", "to wait for"],
  ["remove", "to remove", "would be removed"],
  ["cascaded", "to remove with them", "would be removed with them"],
  ["check", "to check", "would be checked"],
  ["keep", "kept", "kept"],
  ["use", "used", "used"],
  ["refuse", "refused", "refused"],
];

export interface PlanCounts {
  /** The number of steps that could not be read. */
  readonly unread?: number;
  /** Whether the plan is refused: nothing is changed. */
  readonly refused?: boolean;
  /** What the plan creates that is billed while nothing uses it: "2 public IP addresses". */
  readonly billed?: string | undefined;
}

/** Maximum width of a value in a change. Longer values keep their end, which identifies an ARM ID. */
const valueWidth = 72;
/** The characters that are the same before the difference. */
const contextWidth = 12;

/** The widths of the mark and the word, such as "+ create": more only in a plan that replaces something. */
interface HeadWidths {
  readonly symbol: number;
  readonly word: number;
}

/** Several lines, the last one the counts; no line end after it. */
export function planText(screen: Screen, rows: readonly PlanRow[], counts: PlanCounts = {}): Painted {
  const replaces = rows.some(({ act }) => act === "replace");
  const widths = replaces ? { symbol: acts.replace.symbol.length, word: acts.replace.plan.length } : { symbol: 1, word: 6 };
  const lines = joinedRows(rows).flatMap((row) => rowLines(screen, widths, row));
  const total = planCounts(rows, counts);
  // Whatever is changed or removed is always in sight.
  const isHarmless = rows.every(({ act }) => ["create", "check", "keep", "use"].includes(act));
  const fold = isHarmless ? screen.fold : undefined;
  const shown = fold ? [fold.begin(`plan: ${total}`), ...lines, fold.end()] : lines;
  const cost = counts.billed === undefined ? [] : hanging(screen, "", 2, `billed also while idle: ${counts.billed}`);
  return painted([...shown, ...(lines.length > 0 ? [""] : []), ...hanging(screen, "", 0, total), ...cost].join("\n"));
}

/** "6 to create, 1 to update, 3 kept, 1 used", or "nothing to do" if everything could be read; "plan refused: 2 would be removed". */
export function planCounts(rows: readonly PlanRow[], { unread = 0, refused = false }: PlanCounts = {}): string {
  const acted = rows.map(({ act, cascaded }) => (cascaded ? "cascaded" : act));
  const counts = countWords
    .map(([act, planned, instead]) => [acted.filter((one) => one === act).length, refused ? instead : planned] as const)
    .filter(([count]) => count > 0);
  const known = counts.map(([count, words]) => `${count} ${words}`);
  const text = [...known, ...(unread > 0 ? [`${unread} could not be read`] : [])].join(", ");
  if (refused) return text === "" ? "plan refused" : `plan refused: ${text}`;
  if (unread > 0) return text;
  const idle = rows.every(({ act }) => act === "keep" || act === "use");
  if (!idle) return text;
  return text === "" ? "nothing to do" : `nothing to do: ${text}`;
}

function rowLines(screen: Screen, widths: HeadWidths, { title, act, why, changes = [] }: PlanRow): string[] {
  const { symbol, plan, tone } = acts[act];
  const head = `${symbol.padStart(widths.symbol)} ${plan.padEnd(widths.word)}`;
  const width = head.length + 4;
  return [
    ...titleLines(screen, `  ${screen.paint[tone](head)}  `, width, printable(title), why && printable(why)),
    ...changes.flatMap(byMember).flatMap((change) => changeLines(screen, width + 2, change)),
  ];
}

/** Title and reason in one line; if that is too long, the reason is below. */
function titleLines(screen: Screen, head: string, headWidth: number, title: string, why: string | undefined): string[] {
  const { paint } = screen;
  if (why === undefined) return hanging(screen, head, headWidth, title);
  if (`${title}: ${why}`.length <= room(screen, headWidth)) return [`${head}${title}${paint.dim(`: ${why}`)}`];
  const belowWidth = headWidth + 2;
  const reason = wrapped(why, room(screen, belowWidth)).map((line) => `${" ".repeat(belowWidth)}${paint.dim(line)}`);
  return [...hanging(screen, head, headWidth, `${title}:`), ...reason];
}

/** An object is shown by the members that differ, also if a tag has it as JSON. */
function byMember(change: Change): Change[] {
  const { path, from, to } = change;
  const [before, after] = [membersOf(from), membersOf(to)];
  // What is new or gone as a whole stays one line; only tags are known by their keys.
  const hasMembers = path === "tags" ? (before ?? after) : before && after;
  if (hasMembers === undefined) return [change];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ path: `${path}.${name}`, from: before?.[name], to: after?.[name] }))
    .filter((one) => valueText(one.from) !== valueText(one.to))
    .flatMap(byMember);
}

function membersOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : typeof value === "string" ? parseJsonObject(value) : undefined;
}

function changeLines(screen: Screen, belowWidth: number, { path, from, to }: Change): string[] {
  const { paint, marks } = screen;
  const [before, after] = cutValues(valueText(from), valueText(to), marks.ellipsis);
  const below = " ".repeat(belowWidth);
  const [was, is] = [`${printable(path)}: ${paint.red(before)}`, `${marks.arrow} ${paint.green(after)}`];
  const whole = `${printable(path)}: ${before} ${marks.arrow} ${after}`.length <= room(screen, belowWidth);
  return whole ? [`${below}${was} ${is}`] : [`${below}${was}`, `${below}  ${is}`];
}

/** Cut values still differ: if their beginnings and ends are equal, they begin just before the first difference. */
function cutValues(from: string, to: string, ellipsis: string): readonly [string, string] {
  const cut = (text: string) => cutMiddle(text, valueWidth, ellipsis);
  if (from === to || cut(from) !== cut(to)) return [cut(from), cut(to)];
  const same = [...from].findIndex((character, index) => character !== to[index]);
  const start = Math.max(0, same - contextWidth);
  const fromThere = (text: string) => shorten(`${ellipsis}${text.slice(start)}`, valueWidth, ellipsis);
  return [fromThere(from), fromThere(to)];
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "(none)";
  return printable(JSON.stringify(value) ?? typeof value);
}
