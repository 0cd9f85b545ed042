/** Does what an `az` command line says, as a shell and the Azure CLI would: what neither would take is thrown. */
import { azVaultVerbs } from "./az-vault-verbs.js";
import type { AzContext, Verb, Words } from "./az-verb.js";
import { azVerbs } from "./az-verbs.js";
import { shellWords } from "./shell-words.js";

/** Throws where the Azure CLI has no such command or no such flag, where the line lacks one, and what Azure refuses. Gives what az would print. */
export async function az(room: AzContext, line: string): Promise<unknown> {
  const { verb, words } = parsed(line);
  return verb.run(room, (flag) => words[flag]?.[0] ?? "", words);
}

/** The same without running it. */
export function checkAz(line: string): void {
  parsed(line);
}

function parsed(line: string): { readonly verb: Verb; readonly words: Words } {
  const [program, ...rest] = shellWords(line);
  const start = rest.findIndex((word) => word.startsWith("--"));
  const name = rest.slice(0, start < 0 ? undefined : start).join(" ");
  const verb = { ...azVerbs, ...azVaultVerbs }[name];
  if (program !== "az" || verb === undefined) throw new Error(`the Azure CLI has no such command that is known here: ${line}`);
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
  const strange = Object.keys(words).find((flag) => !known.some((one) => one.flag === flag));
  if (strange !== undefined) throw new Error(`the command has no --${strange}: ${line}`);
}
