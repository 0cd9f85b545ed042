/** Decides from dates in Azure when a credential needs a new certificate, and when the old one can be removed. */
import type { ControlPlaneComponent } from "./components.js";
import type { IdentitySetKey } from "./identity-spec.js";

export interface RotationOptions {
  readonly key: IdentitySetKey;
  readonly tenantId: string;
  readonly components: readonly ControlPlaneComponent[];
  /** Whether the roles on the vault that the run assigns to the signed-in principal stay. */
  readonly keepsRoles: boolean;
  /** Milliseconds of Azure's time for which the old key stays valid after the secret is rewritten. */
  readonly overlapMs: number;
  /** Milliseconds of Azure's time within which a credential is not rotated again. */
  readonly minAgeMs: number;
  /** The maximum wait for the end of the overlap in this run, in milliseconds of Azure's time. */
  readonly longestWaitMs: number;
}

export interface CertificateVersion {
  readonly createdOn: Date;
  /** SHA-1, upper-case hex. */
  readonly thumbprint: string;
}

export interface RotationState {
  /** All versions of the certificate, the current one first: Azure's dates are whole seconds, so two can be equal. */
  readonly versions: readonly CertificateVersion[];
  /** Thumbprint of the certificate in the credential secret; undefined if there is none. */
  readonly inSecret: string | undefined;
  /** When the current version of the secret was written. */
  readonly writtenOn: Date | undefined;
}

export interface OlderVersion {
  readonly thumbprint: string;
  /** Since when the secret contains a newer one: the overlap begins then. Undefined if it does not yet. */
  readonly supersededOn: Date | undefined;
}

/** The versions before `newest`, the thumbprint of the newest one; all if that does not exist yet. Each has its own overlap, so a new version does not extend the overlap of those before the last. */
export function olderVersions({ versions, inSecret, writtenOn }: RotationState, newest: string | undefined): OlderVersion[] {
  return versions
    .filter(({ thumbprint }) => thumbprint !== newest)
    .map(({ thumbprint }) => ({
      thumbprint,
      supersededOn: inSecret === undefined || thumbprint === inSecret ? undefined : writtenOn,
    }));
}

/** The first one, if several have the same date. */
export function newestOf(versions: readonly CertificateVersion[]): CertificateVersion | undefined {
  return versions.toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime())[0];
}

/**
 * Why no new version is created; undefined if one is due. None is due if an earlier run created one that is not in the secret yet.
 * None is due either soon after the last rotation: otherwise each rerun of an interrupted rotation would create another version.
 * The first version does not count as a rotation.
 */
export function reasonToSkip(
  { versions, inSecret }: Omit<RotationState, "writtenOn">,
  ageMs: (since: Date) => number,
  minAgeMs: number,
): string | undefined {
  const newest = newestOf(versions);
  if (newest === undefined) return "it has no certificate";
  if (newest.thumbprint !== inSecret) return "its newest certificate was missing from the secret, which now has it";
  const age = ageMs(newest.createdOn);
  return versions.length === 1 || age >= minAgeMs ? undefined : recentlyRotated(age);
}

/** `shortestMs`: the least `--min-age` that the command accepts. */
export function recentlyRotated(ageMs: number, shortestMs = 1_000): string {
  const seconds = Math.floor(Math.max(ageMs, shortestMs) / 1_000);
  const value = seconds < 120 ? `${seconds}s` : `${Math.floor(seconds / 60)}m`;
  const when = ageMs < shortestMs ? `in ${Math.ceil((shortestMs - ageMs) / 1_000)}s` : "now";
  return `the last rotation was less than --min-age ago; to rotate again ${when}, pass --min-age ${value}`;
}
