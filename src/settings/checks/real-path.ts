/** Which file a path means: the same one may be spelled in several ways, and reached through symbolic links. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Of a file that is not there yet, by its directory; as it is spelled where that is not there either. */
export function realPath(path: string): string {
  const whole = resolve(path);
  return real(whole) ?? join(real(dirname(whole)) ?? dirname(whole), basename(whole));
}

/** False where one of them is not given. */
export function sameFile(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && realPath(left) === realPath(right);
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Not there, or not ours to look at: whoever opens it will say so.
    return undefined;
  }
}
