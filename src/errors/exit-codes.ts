/** The exit codes of the process and their meanings. */

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  expiring: 3,
  signIn: 4,
  refused: 5,
  broken: 6,
  changes: 7,
  incomplete: 8,
  declined: 10,
  bug: 70,
  /** 128 + SIGINT. */
  interrupted: 130,
  /** 128 + SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done, or nothing to do",
  failed: "a step or a request to Azure failed; part of the work may be done, and `aro-hcp show infra` shows it",
  usage: "invalid usage, settings or files; nothing was changed",
  expiring:
    "`aro-hcp show identities` found a credential that has expired or expires soon; `aro-hcp verify` or `doctor` found warnings only",
  signIn: "the sign-in is missing or was rejected",
  refused: "refused: a resource has a different owner or cannot be changed, a permission is missing, or a limit is reached",
  broken: "an `aro-hcp verify` or `doctor` check failed",
  changes:
    "`--exit-code` found changes: a run would make some, or `aro-hcp show` found resources that are missing or different; where it finds nothing at all, it exits with 2",
  incomplete: "`aro-hcp list`, `budget`, `audit` or `sweep` could not read a part: what is in it is unknown, and stays as it is",
  declined: "declined at a prompt, or confirmation was needed and there is no terminal",
  bug: "a bug in aro-hcp",
  interrupted: "interrupted (Ctrl-C); rerun the command to continue",
  terminated: "terminated; rerun the command to continue",
};

/**
 * The exit code of a run with these failures: their common code, or 1 if they differ; 0 without failures. Invalid settings beside refusals are
 * refusals, because neither changes anything.
 */
export function exitCodeFor(exits: readonly ExitCode[]): ExitCode {
  const [first, ...others] = new Set(exits);
  if (first === undefined) return exitCodes.done;
  if (others.length > 0 && exits.every((code) => code === exitCodes.usage || code === exitCodes.refused)) return exitCodes.refused;
  return others.length === 0 ? first : exitCodes.failed;
}

/**
 * Of several runs, the worst one's code is that of all. What a rerun continues is before what only a person can change: an engine that retries by the code then runs the others again.
 */
const worstFirst: readonly number[] = [143, 130, 1, 70, 4, 5, 2, 10, 6, 8, 7, 3, 0];

/** The code of several runs; 0 of none. */
export function worstCode(codes: readonly number[]): number {
  return worstFirst.find((code) => codes.includes(code)) ?? (codes.length === 0 ? 0 : 1);
}
