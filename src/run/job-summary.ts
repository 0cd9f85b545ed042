/** The job summary of GitHub: what a command did or found, as Markdown for the file of GITHUB_STEP_SUMMARY. */
import type { RenderAdvice } from "../errors/advice.js";
import { failureLines, failuresByReason } from "../errors/format.js";
import { appender } from "../render/append-file.js";
import { printable } from "../render/printable.js";
import { worstFirst, type ShownResult } from "../render/verification-text.js";
import { plural } from "../text/plural.js";
import type { ReportInput } from "./report-parts.js";
import { verdict } from "./run-page.js";

/** What only shows has no part in a summary. */
const summarized = /^(?:create|destroy|adopt|rotate|verify|doctor)\b/;

/** What a summary is made from. Without a command, the command line names none. */
export interface Summarized {
  readonly settings: { readonly command: string | undefined };
  readonly parts: ReportInput["parts"];
}

/** GitHub refuses a summary of more than 1 MiB. */
const mostEntries = 50;

/** Undefined for a plan, which changed nothing, and for a command that only shows. */
export function jobSummary({ settings: { command }, parts }: Summarized, renderAdvice: RenderAdvice): string | undefined {
  const { run, results = [], failures: others = [] } = parts;
  const failures = [...(run?.failures ?? []), ...others];
  if (!(command === undefined || summarized.test(command)) || (run === undefined && parts.results === undefined && failures.length === 0))
    return undefined;
  const { sentence, detail } = verdict(command ?? "aro-hcp", parts, failures);
  return [
    `### ${escaped([["aro-hcp", command].filter(Boolean).join(" "), ...(parts.title === undefined ? [] : [": ", parts.title])].join(""))}`,
    `**${escaped(sentence)}**`,
    escaped(detail),
    listed(
      failuresByReason(failures).map(([failure, ...alike]) =>
        failureEntry(failure.code, failureLines(failure, renderAdvice, undefined, messagesOf(alike))),
      ),
    ),
    listed(
      results
        .filter(({ state }) => state === "failed" || state === "warning")
        .toSorted((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state))
        .map(checkEntry),
    ),
    listed((run?.next ?? []).map((next) => `- next: ${escaped(next)}`)),
    "",
  ]
    .filter((block, nth, all) => block !== "" || nth === all.length - 1)
    .join("\n\n");
}

/** Appends it: other steps of the job have summaries in the file too. Returns the reason if that is not possible. */
export function writeJobSummary(path: string, summary: string): Error | undefined {
  try {
    const file = appender(path, () => undefined);
    file.line(summary);
    file.close();
    return file.lost();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function messagesOf(failures: readonly { readonly message: string }[]): readonly string[] {
  return failures.map(({ message }) => message);
}

/** The message, and below it the reason and what to do. */
function failureEntry(code: string, lines: ReturnType<typeof failureLines>): string {
  return lines.map(({ label, text }) => (label === "error" ? `- ${escaped(text)} (${code})` : `  - ${label}: ${escaped(text)}`)).join("\n");
}

function checkEntry({ check, subject, state, sentence, evidence, next }: ShownResult): string {
  const line = `- ${state}: ${escaped(`${subject}: ${sentence}`)} (${escaped(check)}): ${escaped(evidence)}`;
  return next === undefined ? line : `${line}\n  - next: ${escaped(next)}`;
}

function listed(entries: readonly string[]): string {
  const others = entries.length - mostEntries;
  return [...entries.slice(0, mostEntries), ...(others > 0 ? [`- and ${plural(others, "other")}`] : [])].join("\n");
}

/** One line of text, whatever it contains: no markup, no HTML, no mention, no link. What stands in backquotes is code. */
function escaped(text: string): string {
  const parts = printable(text).split(/(`[^`]+`)/);
  return parts.map((part, nth) => (nth % 2 === 1 ? part : plain(part))).join("");
}

function plain(text: string): string {
  const marks = text.replaceAll(/[\\`*_[\]<>&|~#$!:{}^]/g, String.raw`\$&`);
  return marks.replaceAll("@", "&#64;").replaceAll(/\bwww\./gi, (host) => `${host.slice(0, -1)}&#46;`);
}
