/** docs/other-tools.md: what replaces the commands, flags and scripts of other tools. */
import { optionsOf, type CommandName } from "../src/settings/commands.js";
import { code, row } from "./markdown.js";
import { scripts, tables, type Row, type Table } from "./other-tools.js";

export function otherToolsPage(): string {
  return `# In place of hypershift, ccoctl and the scripts

Every command and flag of the tools that prepare Azure for hosted clusters, and what replaces it. \`npm run docs\` writes
this page from \`tools/other-tools.ts\`, and a test runs each row. A dash means that there is no such flag,
and the third column says why.

${tables.map(section).join("\n")}
## Scripts in \`contrib/managed-azure\`

| script | our way | |
| --- | --- | --- |
${scripts.map(({ script, ours, note }) => row([code(script), ours.map((words) => code(commandOf(words))).join(", ") || "—", note])).join("\n")}
`;
}

function section({ theirs, ours, rows }: Table): string {
  const own: ReadonlySet<string> = new Set(flagsOf(ours as CommandName));
  return `## ${theirs}\n\nOur way: ${code(`aro-hcp ${ours}`)}.\n\n| flag | our way | |\n| --- | --- | --- |\n${rows.map((one) => rowOf(one, own)).join("\n")}\n`;
}

function flagsOf(command: CommandName): readonly string[] {
  return optionsOf(command).flatMap(({ flag, short, aliases = [] }) => [flag, ...(short === undefined ? [] : [short]), ...aliases]);
}

function rowOf(one: Row, own: ReadonlySet<string>): string {
  if ("why" in one) return row([code(one.flag), "—", one.why]);
  const other = one.ours.find((word) => word.startsWith("-"));
  const way = own.has(one.flag) ? "the same" : other === undefined ? "not needed" : code(other);
  return row([code(one.flag), way, one.note ?? ""]);
}

/** Without its options. */
function commandOf(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith("-"));
  return words.slice(0, end === -1 ? undefined : end).join(" ");
}
