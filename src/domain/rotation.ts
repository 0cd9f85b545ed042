/** When a credential is due for a new certificate, and when the old one may go: told from dates that Azure keeps, and from nothing else. */
import type { ControlPlaneComponent } from "./components.js";
import type { IdentitySetKey } from "./identity-spec.js";

export interface RotationOptions {
  readonly key: IdentitySetKey;
  readonly tenantId: string;
  readonly components: readonly ControlPlaneComponent[];
  /** Azure's milliseconds that the old key stays valid after the secret was rewritten. */
  readonly overlapMs: number;
  /** Azure's milliseconds within which a credential is not rotated again. */
  readonly minAgeMs: number;
  /** How long may be waited in this run for the overlap to end, in Azure's milliseconds. */
  readonly longestWaitMs: number;
}

export interface CertificateVersion {
  readonly createdOn: Date;
  /** SHA-1, upper-case hex. */
  readonly thumbprint: string;
}

export interface RotationState {
  /** All versions of the certificate, in any order. */
  readonly versions: readonly CertificateVersion[];
  /** Of the certificate in the credential secret; undefined where there is none. */
  readonly inSecret: string | undefined;
}

function newestOf(versions: readonly CertificateVersion[]): CertificateVersion | undefined {
  return versions.toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime())[0];
}

/**
 * Why no new version is made; undefined where one is due. None is where an earlier run made one that did not get into the secret yet, and none where
 * that was so short a time ago that this is the same rotation, run again: else each run after one that broke off would make another. The first
 * version is nobody's rotation.
 */
export function whyNotDue({ versions, inSecret }: RotationState, ageMs: (since: Date) => number, minAgeMs: number): string | undefined {
  const newest = newestOf(versions);
  if (newest === undefined) return "it has no certificate";
  if (newest.thumbprint !== inSecret) return "its newest certificate was not in the secret yet, and has been put there";
  return versions.length === 1 || ageMs(newest.createdOn) >= minAgeMs ? undefined : "it was rotated less than --min-age ago";
}
