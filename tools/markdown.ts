/** Parts of Markdown that the generated pages share. */

/** A row of a table. */
export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

export function code(text: string): string {
  return `\`${text}\``;
}
