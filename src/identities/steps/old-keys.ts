/** The keys of an application that belong to earlier versions of its certificate, and the end of their overlaps. */
import type { KeyCredential } from "../../azure/applications.js";
import type { Clock } from "../../azure/clock.js";
import type { OlderVersion, RotationOptions } from "../../domain/rotation.js";
import { isKeyOfCertificate } from "./application-keys.js";
import type { ApplicationOutput } from "../../steps/applications.js";
import type { CredentialOutput } from "./credential-secrets.js";
import type { RotatedCertificate } from "./rotated-certificate.js";

export interface OldKey {
  readonly thumbprint: string;
  /** The end of the overlap, when the key may be removed. */
  readonly endsOn: Date;
  /** The secret contained it at the start of this run, which replaces it. */
  readonly isReplaced: boolean;
}

/** The outputs of a component's rotation from which its old keys follow. */
export interface RotationOutputs {
  readonly key: ApplicationOutput;
  readonly certificate: RotatedCertificate;
  readonly credential: CredentialOutput;
}

/** Keys of others are not included. The overlap of a version that the secret contained at the start begins when the next one is written. */
export function oldKeys(
  clock: Clock,
  { overlapMs }: RotationOptions,
  keys: readonly KeyCredential[],
  older: readonly OlderVersion[],
  nextWrittenOn: Date,
): OldKey[] {
  return older
    .filter(({ thumbprint }) => keys.some((key) => isKeyOfCertificate(key, thumbprint)))
    .map(({ thumbprint, supersededOn }) => ({
      thumbprint,
      endsOn: new Date((supersededOn ?? nextWrittenOn).getTime() + clock.scaled(overlapMs)),
      isReplaced: supersededOn === undefined,
    }));
}

/** From the outputs and not from a read: while the secret is only planned to be written, its date is that of the version before. */
export function oldKeysAfterRun(
  clock: Clock,
  options: RotationOptions,
  { key, certificate, credential }: RotationOutputs,
  now: Date,
): OldKey[] {
  const { older, secretWrittenOn } = certificate;
  const isWritten = secretWrittenOn === undefined || credential.writtenOn > secretWrittenOn;
  return oldKeys(clock, options, key.keyCredentials, older, isWritten ? credential.writtenOn : now);
}

/** Whether this run waits for the end of the overlap, and removes the key. */
export function isDue(clock: Clock, { longestWaitMs }: RotationOptions, { endsOn }: OldKey, now: Date): boolean {
  return clock.unscaled(endsOn.getTime() - now.getTime()) <= longestWaitMs;
}
