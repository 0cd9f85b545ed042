/** Maps the frames of a stack from the bundle to the sources. */
import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, join, relative } from "node:path";

/** The path of a frame is absolute and may have spaces and parentheses. It ends the line, or stands in parentheses after the function. */
const bundled = /(?<=^ +at (?:async )?|^ +at .*? \()(?:\/|[A-Za-z]:\\|\\\\).+\.cjs:\d+:\d+(?=\)?$)/gm;

/** Frames without a source map are unchanged. */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(bundled, (place) => {
    const [, file = "", line = "", column = ""] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
    if (!maps.has(file)) maps.set(file, mapOf(file));
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    // The code of a package has no entry: the nearest one before it is of other code.
    if (entry === undefined || !("originalSource" in entry) || entry.generatedLine !== Number(line) - 1) return place;
    // From the root of the package: "src/cli/main.ts".
    const root = dirname(dirname(file));
    const source = relative(root, join(dirname(file), entry.originalSource));
    return `${source}:${String(entry.originalLine + 1)}:${String(entry.originalColumn + 1)}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
