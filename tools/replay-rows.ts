/** What the replayer writes about each request. */

/** Kind ("value", "missing", "status" …), where in the answer, what Azure answered, and what was answered here. */
export type ReplayDifference = readonly [kind: string, where: string, azure: string | null, here: string | null];

export interface ReplayRow {
  /** "aso2026/Test_X.yaml": the project and year, and the test. */
  readonly recording: string;
  /** Of the request in the recording, from 0. */
  readonly index: number;
  /** "Microsoft.Network/virtualNetworks", "vault keys", "resourceGroups (list)". */
  readonly kind: string;
  readonly method: string;
  /** When it was recorded, in seconds since 1970, if known. */
  readonly at: number | null;
  readonly url: string;
  /** Azure's status. */
  readonly recorded: number;
  /** Absent where the replayer has sent nothing. */
  readonly answered?: number;
  readonly outcome: string;
  /** The body of a refusal here. */
  readonly answeredError?: string;
  /** Members that were refused here, and left out for that. */
  readonly stripped?: readonly string[];
  readonly differences?: readonly ReplayDifference[];
}
