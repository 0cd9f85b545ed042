/** Escapes text for HTML and SVG. */
import { terminalText, withoutControl } from "../../text/control.js";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * Safe as an element's content and in a quoted attribute, and in the log of a CI system that prints the page. Removes control characters, which HTML
 * does not allow, and those that reorder text.
 */
export function escaped(text: string): string {
  return terminalText(withoutControl(text)).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The same, with text in backticks as code. */
export function withCode(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join("");
}
