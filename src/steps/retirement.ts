/** The end of a rotation: removes each old key from the application after its overlap. */
import type { KeyCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { defineStep, type Decision, type Step } from "../engine/step.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { rfc3339 } from "../domain/credential-secret.js";
import type { OlderVersion, RotationOptions } from "../domain/rotation.js";
import { changeKeys, isOf } from "./application-keys.js";
import type { ApplicationOutput } from "./applications.js";
import type { CredentialOutput } from "./credential-secrets.js";
import type { RotatedCertificate } from "./rotated-certificate.js";

/** The result of a component's rotation. */
export interface Retirement {
  readonly component: string;
  /** When the newest certificate was created, and when it expires. */
  readonly certificateOf: Date;
  readonly expiresOn: Date;
  /** Why this run created none; undefined if it did. */
  readonly notRotated: string | undefined;
  /** The end of the last overlap; the next run after it removes the old keys that are left. Undefined if there are none. */
  readonly oldKeyUntil: Date | undefined;
}

/** A key of the application that belongs to an earlier version of its certificate, and the end of its overlap. */
interface OldKey {
  readonly thumbprint: string;
  readonly endsOn: Date;
}

interface LiveKeys {
  /** The old keys that remain after a removal. */
  readonly left?: readonly OldKey[];
}

interface Outputs {
  readonly key: ApplicationOutput;
  readonly certificate: RotatedCertificate;
  readonly credential: CredentialOutput;
}

/** `planned` returns the earlier versions for a plan, which does not know the new one. */
export function retirement(
  azure: Azure,
  { overlapMs, longestWaitMs }: RotationOptions,
  component: ControlPlaneComponent,
  planned: () => readonly OlderVersion[],
  needs: {
    readonly owner: Step<ApplicationOutput>;
    readonly key: Step<ApplicationOutput>;
    readonly certificate: Step<RotatedCertificate>;
    readonly credential: Step<CredentialOutput>;
    readonly proved: Step<unknown>;
  },
): Step<Retirement> {
  const { clock } = azure.connection;
  /** Keys of others stay. The overlap of a version that the secret contained at the start begins when the next one is written. */
  const oldKeys = (keys: readonly KeyCredential[], older: readonly OlderVersion[], nextWrittenOn: Date): OldKey[] =>
    older
      .filter(({ thumbprint }) => keys.some((key) => isOf(key, thumbprint)))
      .map(({ thumbprint, supersededOn = nextWrittenOn }) => ({
        thumbprint,
        endsOn: new Date(supersededOn.getTime() + clock.scaled(overlapMs)),
      }));
  /** From the outputs and not from a read: while the secret is only planned to be written, its date is that of the version before. */
  const oldKeysOf = ({ key, certificate, credential: { writtenOn } }: Outputs, now: Date) => {
    const { older, secretWrittenOn } = certificate;
    return oldKeys(key.keyCredentials, older, secretWrittenOn !== undefined && writtenOn <= secretWrittenOn ? now : writtenOn);
  };
  const isDue = ({ endsOn }: OldKey, now: Date) => clock.unscaled(endsOn.getTime() - now.getTime()) <= longestWaitMs;

  const decide = (old: readonly OldKey[], now: Date): Decision => {
    const due = old.filter((key) => isDue(key, now));
    const staying = old.filter((key) => !isDue(key, now)).map(({ thumbprint, endsOn }) => `${thumbprint} stays until ${rfc3339(endsOn)}`);
    if (due.length === 0) return staying.length === 0 ? { act: "keep" } : { act: "keep", why: staying.join("; ") };
    const ended = due.every(({ endsOn }) => endsOn <= now) ? "the overlap has ended" : "the overlap ends during this run";
    return {
      act: "remove",
      why: [ended, ...staying].join("; "),
      changes: due.map(({ thumbprint }) => ({ path: "keyCredentials", from: thumbprint, to: undefined })),
    };
  };

  return defineStep({
    id: `old-key-${component.key}`,
    subject: { kind: "directory-object", noun: "old key" },
    title: `old keys of ${needs.owner.title}`,
    needs: { ...needs },
    preview: ({ owner }, now) => decide(owner ? oldKeys(owner.keyCredentials, planned(), now) : [], now),
    // The read of the application includes the keys, so this sends no request.
    read: (): Promise<LiveKeys> => Promise.resolve({}),
    decide: (_live, outputs, now) => decide(oldKeysOf(outputs, now), now),
    async apply(_live, outputs, io) {
      const now = clock.now();
      const old = oldKeysOf(outputs, now);
      const due = old.filter((key) => isDue(key, now));
      const last = new Date(Math.max(...due.map(({ endsOn }) => endsOn.getTime())));
      if (last > now) {
        io.note(`waiting for the end of the overlap at ${last.toISOString()}`);
        await clock.sleep(clock.unscaled(last.getTime() - now.getTime()), io.signal);
      }
      const isOut = (key: KeyCredential) => due.some(({ thumbprint }) => isOf(key, thumbprint));
      await changeKeys(azure, outputs.key.uniqueName, (keys) => (keys.some(isOut) ? keys.filter((key) => !isOut(key)) : keys));
      return { left: old.filter((key) => !due.includes(key)) };
    },
    output({ left }, outputs) {
      const { createdOn, expiresOn, notRotated } = outputs.certificate;
      const ends = (left ?? oldKeysOf(outputs, clock.now())).map(({ endsOn }) => endsOn.getTime());
      return {
        component: component.key,
        certificateOf: createdOn,
        expiresOn,
        notRotated,
        oldKeyUntil: ends.length === 0 ? undefined : new Date(Math.max(...ends)),
      };
    },
  });
}
