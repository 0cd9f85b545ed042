/** Runs an `az` command line, as a shell and the Azure CLI would. */
import { azPrintedVerbs } from "./az-printed-verbs.js";
import { azVaultVerbs } from "./az-vault-verbs.js";
import type { AzContext, Verb, Words } from "./az-verb.js";
import { azVerbs } from "./az-verbs.js";
import { shellWords } from "./shell-words.js";

/**
 * Returns what az would print.
 * @throws Error for an unknown command or flag, a missing flag, or an error of Azure.
 */
export async function az(context: AzContext, line: string): Promise<unknown> {
  const { verb, words } = parsed(line);
  return verb.run(context, (flag) => words[flag]?.[0] ?? "", words);
}

/** Fills in placeholders, and checks the command line without running it. */
export function checkAz(line: string): void {
  parsed(line.replace(/<[^>]+>|\.\.\./g, "x"));
}

function parsed(line: string): { readonly verb: Verb; readonly words: Words } {
  const [program, ...rest] = shellWords(line);
  const start = rest.findIndex((word) => word.startsWith("--"));
  const name = rest.slice(0, start < 0 ? undefined : start).join(" ");
  const verb = { ...azVerbs, ...azVaultVerbs, ...azPrintedVerbs }[name];
  if (program !== "az" || verb === undefined) throw new Error(`unknown Azure CLI command: ${line}`);
  const words: Record<string, string[]> = {};
  let flag: string[] | undefined;
  for (const word of start < 0 ? [] : rest.slice(start)) {
    if (word.startsWith("--")) flag = words[word.slice(2)] = [];
    else flag?.push(word);
  }
  checkUsage(verb.usage, words, line);
  return { verb, words };
}

function checkUsage(usage: string, words: Words, line: string): void {
  const known = usage.split(" ").map((text) => {
    const [, bracket = "", flag = "", kind = ""] = /^(\[?)--([a-z-]+)([!*]?)\]?$/.exec(text) ?? [];
    return { flag, required: bracket === "", kind };
  });
  for (const { flag, required, kind } of known) {
    const values = words[flag]?.length;
    if (values === undefined && required) throw new Error(`--${flag} is missing: ${line}`);
    const right = kind === "!" ? values === 0 : kind === "*" ? values !== 0 : values === 1;
    if (values !== undefined && !right) throw new Error(`--${flag} does not take ${String(values)} values: ${line}`);
  }
  // Every command of az takes it.
  const unknown = Object.keys(words).find((flag) => flag !== "subscription" && !known.some((one) => one.flag === flag));
  if (unknown !== undefined) throw new Error(`unknown flag --${unknown}: ${line}`);
}
