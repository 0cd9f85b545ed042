/** Writes docs/errors.md and docs/commands.md from the tables they describe; with --check, only tells whether they are current. */
import { readFileSync, writeFileSync } from "node:fs";
import { catalogue } from "../src/errors/catalogue.js";
import type { CatalogueEntry } from "../src/errors/catalogue-entry.js";
import { exitCodes, exitMeanings } from "../src/errors/exit-codes.js";
import { commandNames, optionGroups, variableOf, type CommandName, type Option } from "../src/settings/option.js";
import { optionsOf } from "../src/settings/options.js";

function errorsPage(): string {
  const rows = Object.entries<CatalogueEntry>(catalogue).map(([code, { title, exit, next, azureCodes = [] }]) =>
    row([`\`${code}\``, title, String(exit), next.join("; "), azureCodes.map((azure) => `\`${azure}\``).join(" ")]),
  );
  const exitRows = Object.entries(exitCodes).map(([key, exit]) => row([String(exit), exitMeanings[key as keyof typeof exitCodes]]));
  return `# Errors

Every failure names its code, why it happened and what to do next. Made from \`src/errors/catalogue.ts\` by \`npm run docs\`.

## Exit codes

A run that ended with several failures exits with their code where they agree, else with 1.

| exit | meaning |
| --- | --- |
${exitRows.join("\n")}

## Failures

| code | meaning | exit | what to do | Azure codes |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function commandsPage(): string {
  return `# Commands

A flag goes before its variable, that before a key of the \`--config\` file (YAML or JSON), that before the default. Unknown keys are errors.
Lists and tags may be repeated, or given with commas. Made from the table of options by \`npm run docs\`; the embedded Azure has commands of its
own: \`aro-hcp local --help\`.

${commandNames.map(commandSection).join("\n")}`;
}

function commandSection(command: CommandName): string {
  const own = optionsOf(command);
  const rows = optionGroups.flatMap((group) => own.filter((option) => option.group === group)).map((option) => optionRow(option, command));
  return `## aro-hcp ${command}

| flag | variable | key | default | meaning |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function optionRow(option: Option, command: CommandName): string {
  const flags = [option.short, option.flag, ...(option.aliases ?? [])].filter((flag) => flag !== undefined);
  const variables = [variableOf(option), option.otherVariable].filter((variable) => variable !== undefined);
  return row([
    flags.map((flag) => `\`${flag}\``).join(" "),
    variables.map((variable) => `\`${variable}\``).join(" "),
    option.notInFile === true ? "" : `\`${option.key}\``,
    option.required?.includes(command) === true ? "required" : (option.default ?? ""),
    option.choices === undefined ? option.help : `${option.help}: ${option.choices.join(", ")}`,
  ]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

const pages = { "docs/errors.md": errorsPage(), "docs/commands.md": commandsPage() };
const check = process.argv.includes("--check");
for (const [file, wanted] of Object.entries(pages)) {
  if (!check) {
    writeFileSync(file, wanted);
  } else if (wanted !== readFileSync(file, "utf8")) {
    console.error(`${file} is not current: npm run docs`);
    process.exitCode = 1;
  }
}
