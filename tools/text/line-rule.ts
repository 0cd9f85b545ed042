/** The textlint rule on the width of documents: reports lines of prose that are too wide. Tables and code are as wide as they must be. */
import type { TxtParagraphNode } from "@textlint/ast-node-types";
import type { TextlintRuleReporter } from "@textlint/types";
import { plural } from "../../src/text/plural.js";

export function lineRule(mostColumns: number): TextlintRuleReporter {
  return (context) => ({
    Paragraph: (node: TxtParagraphNode) => {
      let offset = 0;
      for (const [index, line] of node.raw.split("\n").entries()) {
        const columns = line.length + (index === 0 ? node.loc.start.column : 0);
        if (columns > mostColumns) {
          const message = `a line of ${plural(columns, "column")}: at most ${String(mostColumns)}`;
          context.report(node, new context.RuleError(message, { padding: context.locator.at(offset) }));
        }
        offset += line.length + 1;
      }
    },
  });
}
