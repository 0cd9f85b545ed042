/** The textlint rule on phrases: reports phrases of text-rules.yml in prose and in names. */
import type { TxtCodeNode, TxtParentNode } from "@textlint/ast-node-types";
import type { TextlintRuleReporter } from "@textlint/types";
import { proseOf } from "./paragraph.js";
import type { Place, RuleFile } from "./rule-file.js";

export interface Hit {
  readonly phrase: string;
  readonly place: Place;
  readonly file: string;
}

/** Also passes each match to `onHit`, to count it. */
export function phraseRule(phrases: RuleFile["phrases"], onHit: (hit: Hit) => void): TextlintRuleReporter {
  const compiled = phrases.map(({ phrase, instead, in: places }) => ({
    phrase,
    instead,
    places,
    pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(" ", "\\s+")})(?![\\w-])`, "gi"),
  }));

  return (context) => {
    const file = context.getFilePath() ?? "";
    const find = (text: string, place: Place, report: (index: number, message: string) => void): void => {
      for (const { phrase, instead, pattern } of compiled.filter(({ places }) => places.includes(place))) {
        for (const match of text.matchAll(pattern)) {
          onHit({ phrase, place, file });
          report(match.index, `"${match[0].replaceAll(/\s+/g, " ")}" in ${place}: ${instead}`);
        }
      }
    };
    const check = (node: TxtParentNode & { readonly place?: Place }): void => {
      find(proseOf(node), node.place ?? "docs", (index, message) => {
        context.report(node, new context.RuleError(message, { padding: context.locator.at(index) }));
      });
    };
    return {
      Document: () => {
        find(wordsIn(file), "names", (_, message) => {
          context.report(
            { type: "Document", raw: "", range: [0, 0], loc: start },
            new context.RuleError(`the name of this file: ${message}`),
          );
        });
      },
      Paragraph: check,
      Header: check,
      TableCell: check,
      Code: (node: TxtCodeNode) => {
        // The name of a package is its owner's.
        if (node.value.startsWith("@")) return;
        find(wordsIn(node.value), "names", (_, message) => {
          context.report(node, new context.RuleError(`${node.value}: ${message}`));
        });
      },
    };
  };
}

const start = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } };

/** `stateFile` and `state-file` are the words "state file". */
function wordsIn(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim();
}
