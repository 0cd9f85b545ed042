/** Explains why the operating system refused a file operation, without the paths that Node.js quotes. */
import { getSystemErrorMap } from "node:util";

/** ENOENT, EACCES. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** "no such file or directory (ENOENT)". */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  return code === undefined ? "unknown reason" : reasonOf(code);
}

export function reasonOf(code: string): string {
  const [, text] = [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  return text === undefined ? code : `${text} (${code})`;
}
