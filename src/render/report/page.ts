/** What a command did or found as one self-contained page, without scripts or network requests. */
import type { FailureLine } from "../../errors/format.js";
import type { Fact } from "../facts.js";
import type { FlowDiagram } from "../flow-diagram.js";
import type { WrittenFile } from "../summary.js";
import type { ShownResult } from "../verification-text.js";
import { checksSection, findings } from "./check-results.js";
import { flowDrawing, type Found } from "./flow-drawing.js";
import { flowLayout } from "./flow-layout.js";
import { escaped, withCode } from "./html.js";
import { resourcesSection, type ResourceList } from "./resources.js";
import type { Verdict } from "./states.js";
import { style } from "./style.js";
import { timelineSection, type Timeline } from "./timeline.js";

/** The first lines of every report. They identify a file as a report, which a new report may replace. */
export const reportStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="aro-hcp">`;

export interface Drawing {
  /** The subject: "From the secret to Azure". */
  readonly title: string;
  readonly flow: FlowDiagram;
  readonly found: Found;
}

/** A command adds the parts that it has. */
export interface Report {
  readonly title: string;
  /** Context such as place and time. */
  readonly facts: readonly Fact[];
  readonly verdict: Verdict;
  readonly failures: readonly (readonly FailureLine[])[];
  /** What the command warned of, and its notices. */
  readonly notes?: readonly string[];
  readonly results?: readonly ShownResult[] | undefined;
  readonly drawing?: Drawing | undefined;
  readonly timeline?: Timeline | undefined;
  readonly resources?: ResourceList | undefined;
  readonly written?: readonly WrittenFile[];
  readonly next?: readonly string[];
}

export function reportPage(report: Report): string {
  const { title, facts, verdict, failures, notes = [], results = [], drawing, timeline, resources, written = [], next = [] } = report;
  const toDo = [...failures.map(failureArticle), ...findings(results)];
  const sections = [
    toDo.length === 0 ? "" : `<section aria-labelledby="to-do"><h2 id="to-do">To do</h2>${toDo.join("\n")}</section>`,
    list("notes", "Notes", notes.map(withCode)),
    list("next", "Next", next.map(withCode)),
    drawing ? drawingSection(drawing) : "",
    timeline && timeline.steps.length > 0 ? timelineSection(timeline) : "",
    resources && resources.kinds.length > 0 ? resourcesSection(resources) : "",
    results.some(({ state }) => state === "passed" || state === "skipped") ? checksSection(results) : "",
    list(
      "files",
      "Files",
      written.map(({ path, what }) => `<code>${escaped(path)}</code> ${escaped(what)}`),
    ),
  ];
  return `${reportStart}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<dl class="facts">${facts.map(fact).join("")}</dl>
<p class="verdict ${verdict.state}">${escaped(verdict.sentence)}<span>${escaped(verdict.detail)}</span></p>
${sections.filter((section) => section !== "").join("\n")}
</main>
</body>
</html>
`;
}

function fact([name, value]: Fact): string {
  return value === undefined ? "" : `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`;
}

function list(id: string, title: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="panel">${items.map((item) => `<li>${item}</li>`).join("")}</ul></section>`;
}

function failureArticle([error, ...others]: readonly FailureLine[]): string {
  const rows = others.map(({ label, text }) => `<dt>${label}</dt><dd>${withCode(text)}</dd>`);
  return `<article class="finding failed"><h3><span class="state failed">FAIL</span> ${withCode(error?.text ?? "")}</h3><dl>\n${rows.join("\n")}</dl></article>`;
}

function drawingSection({ title, flow, found }: Drawing): string {
  // Around the drawing are its padding and its border.
  const fitsFrom = flowLayout(flow).width + 2 + 26;
  return `<style>@media screen { @container drawing (max-width: ${String(fitsFrom - 1)}px) { .hint { display: block; } } }</style>
<section class="flow" aria-labelledby="drawing"><h2 id="drawing">${escaped(title)}</h2>
<p class="hint soft">The drawing is wider than this screen: scroll it sideways, or read the sections around it.</p>
<div class="panel drawing" role="region" aria-labelledby="drawing" tabindex="0">
${flowDrawing(flow, found)}
</div></section>`;
}
