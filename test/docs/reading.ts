/** Reads a page as its reader does: pastes each block into a shell, in order, and compares what it prints. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { Clone } from "./clone.js";
import { codeBlocks, commandsOf, outputOf, type CodeBlock } from "./code-blocks.js";

/** A block without a word after its language runs; one that needs Azure or a Kubernetes cluster has `azure` or `cluster` there. */
function runnable({ language, needs }: CodeBlock): boolean {
  return ["sh", "console"].includes(language) && needs === "";
}

/**
 * Runs all blocks in one shell, so that later ones find the variables of earlier ones. A block `text output` is the output of the one before.
 * Returns what each block printed, by its first line.
 * @throws Error if a command fails, or prints something else
 */
export async function readPage(clone: Clone, page: string): Promise<ReadonlyMap<string, string>> {
  const blocks = codeBlocks(page);
  const folder = clone.azure.path("outputs");
  mkdirSync(folder, { recursive: true });
  const { code } = await clone.run(blocks.filter(runnable).map(script(folder)).join("\n"));
  const printed = ({ line }: CodeBlock) => readFileSync(path.join(folder, String(line)), "utf8");
  const ran = blocks.filter(({ line }) => existsSync(path.join(folder, String(line))));
  const last = ran.at(-1);
  if (code !== 0) throw new Error(`line ${String(last?.line)}: exit code ${String(code)}:\n${last ? printed(last).slice(-6000) : ""}`);
  for (const [index, block] of blocks.entries()) {
    if (block.language === "console" && runnable(block)) expectOutput(outputOf(block), printed(block), block.line);
    const before = blocks[index - 1];
    if (block.needs === "output" && before !== undefined) expectOutput(block.lines, printed(before), block.line);
  }
  return new Map(ran.map((block) => [block.lines[0] ?? "", printed(block)]));
}

const script =
  (folder: string) =>
  (block: CodeBlock): string => {
    // In a block of `console`, a command may fail, as its output then shows: the last one prints the exit code.
    const lines =
      block.language === "sh" ? ["set -eu -o pipefail", ...block.lines] : ["set +e", ...commandsOf(block), "[ $? = 0 ] || exit 1"];
    return [`exec > '${folder}/${String(block.line)}' 2>&1`, ...lines].join("\n");
  };

/** A line `...` stands for any lines, and ` ...` at the end of a line for its rest. */
function expectOutput(wanted: readonly string[], printed: string, line: number): void {
  const where = `line ${String(line)}`;
  const lines = printed.trimEnd().split("\n").map(withoutVariables);
  let at = 0;
  let skip = false;
  for (const expected of wanted.map(withoutVariables)) {
    if (expected === "...") {
      skip = true;
      continue;
    }
    const matches = (text: string) => (expected.endsWith(" ...") ? text.startsWith(expected.slice(0, -4)) : text === expected);
    const found = skip ? lines.findIndex((text, index) => index >= at && matches(text)) : at;
    if (found === -1 || !matches(lines[found] ?? ""))
      expect.fail(`${where}: "${expected}" is not what was printed:\n${lines.slice(at).join("\n")}`);
    at = found + 1;
    skip = false;
  }
  if (!skip && at !== lines.length) expect.fail(`${where}: these lines were printed too:\n${lines.slice(at).join("\n")}`);
}

/** Replaces what differs from run to run: durations, dates, IDs and keys. */
function withoutVariables(line: string): string {
  return line
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (id.startsWith("5b5c0000") ? id : "GUID"))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "DATE")
    .replace(/\b[0-9A-F]{40}\b/g, "THUMBPRINT")
    .replace(/\bkey [\w-]{43}\b/g, "key ID")
    .replace(/\b(\d+m ?)?\d+(\.\d+)?s\b/g, "TIME")
    .replace(/\b\d+ lines of progress/g, "N lines of progress")
    .replace(/ +/g, " ")
    .trimEnd();
}
