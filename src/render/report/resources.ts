/** What a run created, changed, deleted or kept, by kind, with links to the Azure portal. */
import type { ShownState } from "../verification-text.js";
import { countsText } from "../vocabulary.js";
import { escaped } from "./html.js";

export interface ReportedResource {
  readonly title: string;
  readonly id: string | undefined;
  /** The page in the portal, if the cloud has a known portal. */
  readonly link: string | undefined;
  /** What happened to it: "created", "kept". */
  readonly word: string;
  readonly state: ShownState;
  /** Why it was kept, or what is lost with it. */
  readonly why?: string | undefined;
}

export interface ResourceKind {
  readonly name: string;
  readonly resources: readonly ReportedResource[];
}

export interface ResourceList {
  readonly title: string;
  readonly words: string;
  readonly kinds: readonly ResourceKind[];
}

/** `words` is the heading of what happened to each, or will. */
export function resourcesSection({ title, words, kinds }: ResourceList): string {
  return `<section aria-labelledby="resources"><h2 id="resources">${escaped(title)}</h2>
${kinds.map((kind) => kindDetails(kind, words)).join("\n")}
</section>`;
}

/** Open if it needs attention. */
function kindDetails({ name, resources }: ResourceKind, heading: string): string {
  const words = [...new Set(resources.map(({ word }) => word))];
  const counts = countsText(Object.fromEntries(words.map((word) => [word, resources.filter((one) => one.word === word).length])));
  const isOpen = resources.some(({ state }) => state === "failed" || state === "warning");
  return `<details class="panel kind"${isOpen ? " open" : ""}><summary>${escaped(name)} <span class="soft">${escaped(counts)}</span></summary>
<table class="resources"><caption class="hidden">${escaped(name)}</caption>
<thead class="hidden"><tr><th scope="col">${escaped(heading)}</th><th scope="col">Resource</th></tr></thead>
<tbody>
${resources.map(row).join("\n")}
</tbody></table></details>`;
}

function row({ title, id, link, word, state, why }: ReportedResource): string {
  const name = link === undefined ? escaped(title) : `<a href="${escaped(link)}" rel="noreferrer">${escaped(title)}</a>`;
  const notes = [why, id].flatMap((text) => (text === undefined ? [] : [`<br><span class="soft">${escaped(text)}</span>`]));
  return `<tr><td><span class="state ${state}">${escaped(word)}</span></td><td>${name}${notes.join("")}</td></tr>`;
}
