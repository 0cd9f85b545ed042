/** The code blocks of a Markdown page. */

export interface CodeBlock {
  /** `sh` for commands, `console` for commands with their output. */
  readonly language: string;
  /** What follows the language: what the block needs that a test does not have, such as `azure`. */
  readonly needs: string;
  /** Without the indentation of a list. */
  readonly lines: readonly string[];
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** @throws Error if a block has no end */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = page.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, indent, language, needs] = /^( *)```(\w*) ?(.*)$/.exec(lines[at] ?? "") ?? [];
    if (indent === undefined || language === undefined || needs === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`the block in line ${String(at + 1)} has no end`);
    const content = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ language, needs, lines: content, line: at + 1 });
    at = end;
  }
  return blocks;
}

/** The commands of a block, each on one line, without the output of a `console` block. */
export function commandsOf({ language, lines }: CodeBlock): string[] {
  const joined = lines.join("\n").replace(/ *\\\n(?:> )? */g, " ");
  const commands = joined.split("\n");
  if (language === "console") return commands.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return commands.filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
}

/** The lines of a `console` block that are output. */
export function outputOf({ lines }: CodeBlock): string[] {
  return lines.filter((line) => !/^[$>] /.test(line));
}
