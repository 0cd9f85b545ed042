/** The textlint rule on openings: reports a file whose first comment begins with too long a paragraph. */
import type { TxtParagraphNode } from "@textlint/ast-node-types";
import type { TextlintRuleReporter } from "@textlint/types";
import { plural } from "../../src/text/plural.js";

export function openingRule(mostCharacters: number): TextlintRuleReporter {
  return (context) => ({
    Paragraph: (node: TxtParagraphNode) => {
      const before = context.getSource().slice(0, node.range[0]);
      const characters = node.raw.replaceAll(/\s*\n\s*\*\s*/g, " ").length;
      if (/^(?:#!.*\n)?\s*\/\*\*[\s*]*$/.test(before) && characters > mostCharacters) {
        const message = `an opening of ${plural(characters, "character")}: at most ${String(mostCharacters)}, one sentence on what the file is`;
        context.report(node, new context.RuleError(message, { padding: context.locator.at(0) }));
      }
    },
  });
}
