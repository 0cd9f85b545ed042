/** The end of a rotation: removes each old key from the application after its overlap. */
import type { KeyCredential } from "../../azure/applications.js";
import type { Azure } from "../../azure/azure.js";
import { defineStep, type Decision, type Step } from "../../engine/step.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import type { OlderVersion, RotationOptions } from "../../domain/rotation.js";
import { changeKeys, isKeyOfCertificate } from "./application-keys.js";
import type { ApplicationOutput } from "../../steps/applications.js";
import type { CredentialOutput } from "./credential-secrets.js";
import { isDue, oldKeys, oldKeysAfterRun, type OldKey } from "./old-keys.js";
import type { RotatedCertificate } from "./rotated-certificate.js";
import { rfc3339 } from "../../text/rfc3339.js";

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

interface LiveKeys {
  /** The old keys that remain after a removal. */
  readonly left?: readonly OldKey[];
}

/** `planned` returns the earlier versions for a plan, which does not know the new one. */
export function retirement(
  azure: Azure,
  options: RotationOptions,
  component: ControlPlaneComponent,
  planned: () => readonly OlderVersion[],
  needs: {
    readonly owner: Step<ApplicationOutput>;
    readonly key: Step<ApplicationOutput>;
    readonly certificate: Step<RotatedCertificate>;
    readonly credential: Step<CredentialOutput>;
    /** Without it, nothing is removed: a key whose overlap ends just after that decision waits for the next run. */
    readonly proved: Step<boolean>;
  },
): Step<Retirement> {
  const { clock } = azure.connection;
  const dueOf = (old: readonly OldKey[], now: Date) => old.filter((key) => isDue(clock, options, key, now));
  const decide = (old: readonly OldKey[], due: readonly OldKey[], now: Date): Decision => {
    const staying = old.filter((key) => !due.includes(key)).map(({ thumbprint, endsOn }) => `${thumbprint} stays until ${rfc3339(endsOn)}`);
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
    preview({ owner }, now) {
      const old = owner ? oldKeys(clock, options, owner.keyCredentials, planned(), now) : [];
      return decide(old, dueOf(old, now), now);
    },
    // The read of the application includes the keys, so this sends no request.
    read: (): Promise<LiveKeys> => Promise.resolve({}),
    decide(_live, outputs, now) {
      const old = oldKeysAfterRun(clock, options, outputs, now);
      return decide(old, outputs.proved ? dueOf(old, now) : [], now);
    },
    async apply(_live, outputs, io) {
      const now = clock.now();
      const old = oldKeysAfterRun(clock, options, outputs, now);
      const due = dueOf(old, now);
      const last = new Date(Math.max(...due.map(({ endsOn }) => endsOn.getTime())));
      if (last > now) {
        io.note(`waiting for the end of the overlap at ${rfc3339(last)}`);
        await clock.sleep(clock.unscaled(last.getTime() - now.getTime()), io.signal);
      }
      const isOut = (key: KeyCredential) => due.some(({ thumbprint }) => isKeyOfCertificate(key, thumbprint));
      await changeKeys(azure, outputs.key.uniqueName, (keys) => (keys.some(isOut) ? keys.filter((key) => !isOut(key)) : keys));
      return { left: old.filter((key) => !due.includes(key)) };
    },
    output({ left }, outputs) {
      const { createdOn, expiresOn, notRotated } = outputs.certificate;
      const ends = (left ?? oldKeysAfterRun(clock, options, outputs, clock.now())).map(({ endsOn }) => endsOn.getTime());
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
