/** docs/other-tools.md: what replaces the commands, flags and scripts of other tools. */
import { code, row } from "./markdown.js";
import { scripts, tables, type Row, type Table } from "./other-tools.js";

export function otherToolsPage(): string {
  return `# In place of hypershift, ccoctl and the scripts

Every command and flag of the tools that prepare Azure for hosted clusters, and what replaces it. \`npm run docs\` writes
this page from \`tools/other-tools.ts\`, and a test runs each row. A flag without another one beside it has the same name
and meaning. A dash means that there is no such flag, and says why.

${tables.map(section).join("\n")}
## Scripts in contrib/managed-azure

| script | our way | |
| --- | --- | --- |
${scripts.map(({ script, ours, note }) => row([code(script), ours.map((words) => code(commandOf(words))).join(", ") || "—", note])).join("\n")}
`;
}

function section({ theirs, ours, rows }: Table): string {
  const replaced = ours === "" ? "" : `Our way: ${code(`aro-hcp ${ours}`)}.\n\n`;
  return `## ${theirs}\n\n${replaced}| flag | our way | |\n| --- | --- | --- |\n${rows.map(rowOf).join("\n")}\n`;
}

function rowOf(one: Row): string {
  if ("why" in one) return row([code(one.flag), "—", one.why]);
  const flags = one.ours.filter((word) => word.startsWith("-"));
  const own = flags.includes(one.flag) || flags.length === 0 ? one.flag : (flags[0] ?? one.flag);
  return row([code(one.flag), own === one.flag ? "the same" : code(own), one.note ?? ""]);
}

/** Without its options. */
function commandOf(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith("-"));
  return words.slice(0, end === -1 ? undefined : end).join(" ");
}
