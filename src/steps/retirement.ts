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
  /** Keys of others stay. The overlap of a version that the secret still contains begins when the new one is written. */
  const oldKeys = (keys: readonly KeyCredential[], older: readonly OlderVersion[], writtenOn: Date): OldKey[] =>
    older
      .filter(({ thumbprint }) => keys.some((key) => isOf(key, thumbprint)))
      .map(({ thumbprint, supersededOn = writtenOn }) => ({
        thumbprint,
        endsOn: new Date(supersededOn.getTime() + clock.scaled(overlapMs)),
      }));
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
    subject: { kind: "directory-object" },
    title: `old keys of ${needs.owner.title}`,
    needs: { ...needs },
    preview: ({ owner }, now) => decide(owner ? oldKeys(owner.keyCredentials, planned(), now) : [], now),
    // The read of the application includes the keys, so this sends no request.
    read: async ({ key: { keyCredentials }, certificate: { older }, credential: { writtenOn } }) => oldKeys(keyCredentials, older, writtenOn),
    decide: (live = [], _outputs, now) => decide(live, now),
    async apply(live = [], { key: { uniqueName } }, io) {
      const now = clock.now();
      const due = live.filter((key) => isDue(key, now));
      const last = new Date(Math.max(...due.map(({ endsOn }) => endsOn.getTime())));
      if (last > now) {
        io.note(`waiting for the end of the overlap at ${last.toISOString()}`);
        await clock.sleep(clock.unscaled(last.getTime() - now.getTime()), io.signal);
      }
      const isOut = (key: KeyCredential) => due.some(({ thumbprint }) => isOf(key, thumbprint));
      await changeKeys(azure, uniqueName, (keys) => (keys.some(isOut) ? keys.filter((key) => !isOut(key)) : keys));
      return live.filter((key) => !due.includes(key));
    },
    output: (left, { certificate: { createdOn, expiresOn, notRotated } }) => ({
      component: component.key,
      certificateOf: createdOn,
      expiresOn,
      notRotated,
      oldKeyUntil: left.length === 0 ? undefined : new Date(Math.max(...left.map(({ endsOn }) => endsOn.getTime()))),
    }),
  });
}
