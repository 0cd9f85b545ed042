/** Parts of Markdown that the generated pages share. */

/** A row of a table. */
export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** A paragraph in lines of at most 120 columns; code and links are not broken. */
export function wrapped(text: string, columns = 120): string {
  const lines = [""];
  for (const word of text.match(/(?:`[^`]*`|\[[^\]]*\]|\S)+/g) ?? []) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + word.length >= columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`.trimStart();
  }
  return lines.join("\n");
}

export function list(items: readonly string[]): string {
  const text = (item: string) => (item.includes("```") ? item : wrapped(item, 118));
  return items.map((item) => `- ${text(item).replace(/\n(?=.)/g, "\n  ")}`).join("\n");
}

/** The anchor of a heading, as GitHub makes it. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/ /g, "-");
}
