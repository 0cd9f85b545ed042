/** The prose of a paragraph. A mask replaces each other character, so that offsets stay correct. */
import type { AnyTxtNode, TxtParentNode } from "@textlint/ast-node-types";

/** Masks code: a word of the sentence, but of no phrase. */
export const codeMark = "\u25a1";

export function proseOf(paragraph: TxtParentNode): string {
  const prose = paragraph.raw.replaceAll(/[^\n]/g, " ").split("");
  const copy = (node: AnyTxtNode): void => {
    if ("children" in node) {
      node.children.forEach(copy);
    } else if (node.type === "Str" || node.type === "Code") {
      for (let at = node.range[0] - paragraph.range[0]; at < node.range[1] - paragraph.range[0]; at++) {
        prose[at] = node.type === "Code" ? codeMark : (paragraph.raw[at] ?? " ");
      }
    }
  };
  copy(paragraph);
  return prose.join("");
}
