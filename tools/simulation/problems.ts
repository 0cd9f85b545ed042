/** Problems as texts: none where all is right. */
import { lastLines, type CliResult } from "../cli-process.js";

export function failed(what: string, { code, stderr }: CliResult): string[] {
  return code === 0 ? [] : [`${what} exited with ${String(code)}\n${lastLines(stderr)}`];
}

export function headed(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [[head, ...lines].join("\n")];
}
