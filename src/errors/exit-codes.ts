/** What the process exits with, and what each number promises. */

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  expiring: 3,
  signIn: 4,
  refused: 5,
  broken: 6,
  declined: 10,
  bug: 70,
  /** 128 + SIGINT. */
  interrupted: 130,
  /** 128 + SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For the documentation. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done, or nothing to do",
  failed: "a step or Azure failed: partial work may exist, `aro-hcp show infra` tells",
  usage: "wrong usage, settings or files: nothing was touched",
  expiring: "`aro-hcp show identities` found a credential that has expired or will soon, `aro-hcp verify` or `doctor` warnings only",
  signIn: "sign-in missing or rejected",
  refused: "refused: not ours, immutable, a missing right, a limit",
  broken: "`aro-hcp verify` or `doctor` found something that does not hold",
  declined: "declined at a prompt, or a prompt was needed where there is no terminal",
  bug: "a fault of aro-hcp",
  interrupted: "interrupted (Ctrl-C); the same command continues",
  terminated: "terminated; the same command continues",
};
