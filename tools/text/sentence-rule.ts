/** The textlint rule on sentences: reports those with too many words. A semicolon also ends a sentence, because it separates the items of a list. */
import type { TxtParagraphNode } from "@textlint/ast-node-types";
import type { TextlintRuleReporter } from "@textlint/types";
import { split } from "sentence-splitter";
import { plural } from "../../src/text/plural.js";
import { codeMark, proseOf } from "./paragraph.js";

export function sentenceRule(mostWords: number): TextlintRuleReporter {
  return (context) => ({
    Paragraph: (node: TxtParagraphNode) => {
      if (node.parent?.type === "BlockQuote") {
        return;
      }
      const prose = proseOf(node).replaceAll(/;(?=\s)/g, ".");
      for (const sentence of split(prose).filter(({ type }) => type === "Sentence")) {
        const words = sentence.raw.split(/\s+/).filter((word) => word.includes(codeMark) || /\w/.test(word)).length;
        if (words > mostWords) {
          const message = `a sentence of ${plural(words, "word")}: at most ${String(mostWords)}, one idea a sentence`;
          context.report(node, new context.RuleError(message, { padding: context.locator.at(sentence.range[0]) }));
        }
      }
    },
  });
}
