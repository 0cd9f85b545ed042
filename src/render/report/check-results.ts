/** The results of checks on a page: the verdict, what was found as sentences, and what passed, folded. */
import { plural } from "../../text/plural.js";
import { countsText } from "../vocabulary.js";
import { countStates, worstFirst, type ShownResult } from "../verification-text.js";
import { escaped, withCode } from "./html.js";
import { stateWords, worstOf, type Verdict } from "./states.js";

export function verdictOf(results: readonly ShownResult[]): Verdict {
  const counts = countStates(results);
  const { passed, warning, failed, skipped } = counts;
  const detail = countsText({ passed, [warning === 1 ? "warning" : "warnings"]: warning, failed, skipped });
  // What was skipped takes nothing from what passed.
  const state = worstOf(results.filter((result) => result.state !== "skipped")) ?? "skipped";
  return { state, sentence: verdictSentence(counts), detail };
}

function verdictSentence({ passed, warning, failed, skipped }: ReturnType<typeof countStates>): string {
  const others = skipped === 0 ? "" : `, and ${plural(skipped, "check")} ${skipped === 1 ? "was" : "were"} skipped`;
  if (failed > 0) return `${plural(failed, "check")} failed${others}`;
  if (warning > 0) return `No check failed, but there ${warning === 1 ? "is" : "are"} ${plural(warning, "warning")}${others}`;
  if (passed === 0) return "No check was run";
  return skipped > 0 ? `No check failed${others}` : "All checks passed";
}

export function findings(results: readonly ShownResult[]): string[] {
  return worstFirst.slice(0, 2).flatMap((state) => results.filter((result) => result.state === state).map(finding));
}

function finding({ check, subject, state, sentence, evidence, next }: ShownResult): string {
  return `<article class="finding ${state}"><h3>${badge(state)} ${escaped(subject)}: ${withCode(evidence)}</h3><dl>
<dt>expected</dt><dd>${escaped(sentence)}</dd>${next === undefined ? "" : `<dt>next</dt><dd>${withCode(next)}</dd>`}<dt>check</dt><dd><code>${escaped(check)}</code></dd>
</dl></article>`;
}

/** Everything that is no finding. */
export function checksSection(results: readonly ShownResult[]): string {
  const [passed, skipped] = (["passed", "skipped"] as const).map((state) => results.filter((result) => result.state === state));
  const title = results.length === (passed?.length ?? 0) + (skipped?.length ?? 0) ? "Checks" : "Other checks";
  return `<section aria-labelledby="checks"><h2 id="checks">${title}</h2>
${folded(skipped ?? [], "skipped", "Why not")}
${folded(passed ?? [], "passed", "Found")}
</section>`;
}

function folded(results: readonly ShownResult[], word: string, column: string): string {
  if (results.length === 0) return "";
  return `<details class="panel"><summary>${plural(results.length, "check")} ${word}</summary>${table(results, word, column)}</details>`;
}

function badge(state: ShownResult["state"]): string {
  return `<span class="state ${state}">${stateWords[state].mark}</span>`;
}

function table(results: readonly ShownResult[], word: string, column: string): string {
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  const bodies = subjects.map((subject) => {
    const rows = results
      .filter((result) => result.subject === subject)
      .map(
        ({ check, state, sentence, evidence }) =>
          `<tr><td>${badge(state)}</td><td>${escaped(sentence)}<br><span class="soft">${escaped(check)}</span></td><td>${withCode(evidence)}</td></tr>`,
      );
    return `<tbody><tr><th scope="rowgroup" colspan="3">${escaped(subject)}</th></tr>\n${rows.join("\n")}</tbody>`;
  });
  return `<table class="checks"><caption class="hidden">Checks that were ${word}</caption>
<thead><tr><th scope="col">State</th><th scope="col">Check</th><th scope="col">${column}</th></tr></thead>
${bodies.join("\n")}</table>`;
}
