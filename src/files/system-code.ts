/** The operating system's code in an error of a file operation: ENOENT, EACCES. The messages beside it quote paths, and the codes do not. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
