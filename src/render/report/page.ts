/** The results of a verification as one self-contained page, without scripts or network requests. */
import { plural } from "../../text/plural.js";
import { countsText } from "../vocabulary.js";
import type { FlowDiagram } from "../flow-diagram.js";
import { countStates, worstFirst, type ShownResult } from "../verification-text.js";
import { flowDrawing, type Found } from "./flow-drawing.js";
import { escaped, withCode } from "./html.js";
import { stateWords, worstOf } from "./states.js";
import { style } from "./style.js";

/** In the head of every report. It identifies a file as a report, which a new report may replace. */
export const reportMark = '<meta name="generator" content="aro-hcp">';

export interface Report {
  readonly title: string;
  /** Context such as place and time, as pairs of name and value. */
  readonly facts: readonly (readonly [string, string])[];
  /** What the drawing shows: "From the secret to Azure". */
  readonly drawing: string;
  readonly flow: FlowDiagram;
  readonly found: Found;
  readonly results: readonly ShownResult[];
}

export function reportPage({ title, facts, drawing, flow, found, results }: Report): string {
  const toDo = worstFirst.slice(0, 2).flatMap((state) => results.filter((result) => result.state === state));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reportMark}
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`).join("")}</dl>
${verdict(results)}
${toDo.length === 0 ? "" : `<section aria-labelledby="to-do"><h2 id="to-do">To do</h2>${toDo.map(finding).join("\n")}</section>`}
<section aria-labelledby="drawing"><h2 id="drawing">${escaped(drawing)}</h2>
<p class="hint soft">The drawing is wider than this screen: scroll it sideways, or use the table below.</p>
<div class="panel drawing" role="region" aria-labelledby="drawing" tabindex="0">
${flowDrawing(flow, found)}
</div></section>
<section aria-labelledby="checks"><h2 id="checks">All checks</h2>
<div class="panel">
${table(results)}
</div></section>
</main>
</body>
</html>
`;
}

function verdict(results: readonly ShownResult[]): string {
  const { passed, warning, failed, skipped } = countStates(results);
  const others = skipped === 0 ? "" : `, and ${plural(skipped, "check")} ${skipped === 1 ? "was" : "were"} skipped`;
  const sentence =
    failed > 0
      ? `${plural(failed, "check")} failed${others}`
      : warning > 0
        ? `No check failed, but there ${warning === 1 ? "is" : "are"} ${plural(warning, "warning")}${others}`
        : passed > 0
          ? skipped > 0
            ? `No check failed${others}`
            : "All checks passed"
          : "No check was run";
  const counts = countsText({ passed, [warning === 1 ? "warning" : "warnings"]: warning, failed, skipped });
  return `<p class="verdict ${worstOf(results) ?? "skipped"}">${sentence}<span>${escaped(counts)}</span></p>`;
}

function finding({ check, subject, state, sentence, evidence, next }: ShownResult): string {
  return `<article class="finding ${state}"><h3>${badge(state)} ${escaped(subject)}: ${escaped(check)}</h3><dl>
<dt>expected</dt><dd>${escaped(sentence)}</dd><dt>found</dt><dd>${withCode(evidence)}</dd>${next === undefined ? "" : `<dt>next</dt><dd>${withCode(next)}</dd>`}
</dl></article>`;
}

function badge(state: ShownResult["state"]): string {
  return `<span class="state ${state}">${stateWords[state].mark}</span>`;
}

function table(results: readonly ShownResult[]): string {
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  const bodies = subjects.map((subject) => {
    const rows = results
      .filter((result) => result.subject === subject)
      .map(
        ({ check, state, sentence, evidence }) =>
          `<tr><td>${badge(state)}</td><td>${escaped(check)}<br><span class="soft">${escaped(sentence)}</span></td><td>${withCode(evidence)}</td></tr>`,
      );
    return `<tbody><tr><th scope="rowgroup" colspan="3">${escaped(subject)}</th></tr>\n${rows.join("\n")}</tbody>`;
  });
  return `<table><caption>Each check with its subject and what was found</caption>
<thead><tr><th scope="col">State</th><th scope="col">Check</th><th scope="col">Found</th></tr></thead>
${bodies.join("\n")}</table>`;
}
