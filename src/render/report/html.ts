/** Text put into HTML and SVG. */

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Fit for an element's content and for an attribute in quotes. Control characters, which HTML has no place for, are left out. */
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "").replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** The same, with what stands in backticks as code. */
export function withCode(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? `<code>${escaped(part)}</code>` : escaped(part)))
    .join("");
}
