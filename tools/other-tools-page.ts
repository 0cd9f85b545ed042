/** docs/other-tools.md: what replaces the commands, flags and scripts of other tools. */
import { optionsOf, type CommandName } from "../src/settings/commands.js";
import { code, row } from "./markdown.js";
import { scripts, tables, type Row, type Script, type Table } from "./other-tools.js";

export function otherToolsPage(): string {
  return `# In place of hypershift, ccoctl and the scripts

Every command and flag of the tools that prepare Azure for hosted clusters, and what replaces it. A dash means that
there is no such flag, and the third column says why. The flags are those of openshift/hypershift at 3ee9615567 and of
openshift/cloud-credential-operator at b187feee6.

${tables.map(section).join("\n")}
${Object.entries(scripts).map(scriptSection).join("\n")}`;
}

function scriptSection([folder, rows]: readonly [string, readonly Script[]]): string {
  const lines = rows.map(({ script, ours, note }) =>
    row([code(script), ours.map((words) => code(commandOf(words))).join(", ") || "—", note]),
  );
  return `## Scripts in \`${folder}\`\n\n| script | with aro-hcp | |\n| --- | --- | --- |\n${lines.join("\n")}\n`;
}

function section({ theirs, ours, rows }: Table): string {
  const own: ReadonlySet<string> = new Set(flagsOf(ours as CommandName));
  return `## ${theirs}\n\nUse ${code(`aro-hcp ${ours}`)}.\n\n| flag | with aro-hcp | |\n| --- | --- | --- |\n${rows.map((one) => rowOf(one, own)).join("\n")}\n`;
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
