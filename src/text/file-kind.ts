/** What a path names instead of a regular file, in the same words for every file that is read or written. */
import type { Stats } from "node:fs";

export const directoryKind = "a directory";

/** "a directory", "a pipe, not a regular file"; undefined for a regular file. */
export function irregularKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return directoryKind;
  return `${stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device"}, not a regular file`;
}
