/** docs/errors.md, and a page of docs/errors for each code of the catalogue. */
import { catalogue, type CatalogueEntry, type FailureCode } from "../src/errors/catalogue.js";
import { exitCodes, exitMeanings } from "../src/errors/exit-codes.js";
import { reasons } from "../src/errors/reasons.js";
import { adviceRenderer } from "../src/run/connection-flags.js";
import { examples } from "./error-examples.js";
import { anchor, capitalized, code, list, row, wrapped } from "./markdown.js";

/** The families of codes, in the order of a run: from its settings to its end. */
const families: Readonly<Record<string, string>> = {
  USAGE: "Settings",
  FILE: "Files",
  MANIFEST: "Manifests",
  AUTH: "Sign-in",
  AUTHZ: "Permissions",
  CHECK: "Prerequisites",
  SUB: "The subscription",
  ROLE: "Identities and role assignments",
  OWN: "Ownership",
  VAULT: "Key Vault",
  CRED: "Credentials",
  DNS: "DNS zones",
  KEY: "Key files",
  OIDC: "The OIDC issuer",
  ARC: "Azure Arc",
  EXT: "Extensions of connected clusters",
  AKS: "AKS clusters",
  KUBE: "The management cluster's API server",
  AZURE: "Responses of Azure",
  NET: "The connection to Azure",
  DELETE: "Deletions",
  LOCAL: "The emulator",
  RUN: "The run itself",
  BUG: "Bugs",
};

const entries = Object.entries(catalogue) as [FailureCode, CatalogueEntry][];
const adviceOf = adviceRenderer({});
const familyOf = (failure: FailureCode): string => failure.split("-")[1] ?? "";
const headingOf = (family: string): string => `${families[family] ?? family} (ARO-${family})`;
const meaningOf = (exit: number): string =>
  Object.entries(exitCodes).flatMap(([key, value]) => (value === exit ? [exitMeanings[key as keyof typeof exitCodes]] : []))[0] ?? "";

export function errorPages(): Readonly<Record<string, string>> {
  const pages = entries.map(([failure, entry]) => [`docs/errors/${failure.toLowerCase()}.md`, errorPage(failure, entry)] as const);
  return { "docs/errors.md": indexPage(), ...Object.fromEntries(pages) };
}

function indexPage(): string {
  const exits = Object.entries(exitCodes).map(([key, exit]) => row([String(exit), exitMeanings[key as keyof typeof exitCodes]]));
  return `# Errors

Every error has a code, and says what happened, why, and what to do next. The code keeps its meaning in later versions,
in JSON and in events too. Each code below leads to its page.

## Exit codes

A run that ended with several failures exits with their code if they agree, otherwise with 1. Scripts can rely on these:

| exit | meaning |
| --- | --- |
${exits.join("\n")}

${Object.keys(families).map(familySection).join("\n")}`;
}

function familySection(family: string): string {
  const rows = entries
    .filter(([failure]) => familyOf(failure) === family)
    .map(([failure, { title, exit }]) => row([`[${failure}](errors/${failure.toLowerCase()}.md)`, title, String(exit)]));
  return `## ${headingOf(family)}\n\n| code | what happened | exit |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

function errorPage(failure: FailureCode, { title, exit, next, nextToRead, azureCodes = [] }: CatalogueEntry): string {
  const example = examples[failure];
  const parts = [
    `# ${failure}`,
    wrapped(`${capitalized(title)}.`),
    `## Why\n\n${wrapped(reasons[failure])}`,
    `## What to do\n\n${list(next.map(adviceOf).map(itemOf))}`,
    ...(nextToRead ? [`A command that only reads advises this instead:\n\n${list(nextToRead.map(adviceOf).map(itemOf))}`] : []),
    ...(example === undefined ? [] : [`## As printed\n\n\`\`\`console\n${example}\n$ echo $?\n${String(exit)}\n\`\`\``]),
    wrapped(`Exit code ${String(exit)}: ${meaningOf(exit)}.`),
    ...(azureCodes.length === 0 ? [] : [wrapped(`Azure's codes with this meaning: ${azureCodes.map(code).join(", ")}.`)]),
    wrapped(`More of this kind: [${headingOf(familyOf(failure))}](../errors.md#${anchor(headingOf(familyOf(failure)))}).`),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** A command that fills a line is a block. */
function itemOf(advice: string): string {
  const command = /^`(.{100,})`$/.exec(advice)?.[1];
  return command === undefined ? capitalized(advice) : `Run this command:\n\n\`\`\`sh az\n${command}\n\`\`\`\n`;
}
