/** The end of a rotation: removes the old key from the application after the overlap. */
import type { KeyCredential } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { defineStep, type Step } from "../engine/step.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { thumbprintOf } from "../domain/credential-secret.js";
import type { RotationOptions } from "../domain/rotation.js";
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
  /** The end of the overlap; the next run after it removes the old key. Undefined if there is none. */
  readonly oldKeyUntil: Date | undefined;
}

export function retirement(
  azure: Azure,
  { overlapMs, longestWaitMs }: RotationOptions,
  component: ControlPlaneComponent,
  needs: {
    readonly key: Step<ApplicationOutput>;
    readonly certificate: Step<RotatedCertificate>;
    readonly credential: Step<CredentialOutput>;
    readonly proved: Step<unknown>;
  },
): Step<Retirement> {
  const { clock } = azure.connection;
  const leftMs = (writtenOn: Date, now: Date) => overlapMs - clock.unscaled(now.getTime() - writtenOn.getTime());
  return defineStep({
    id: `old-key-${component.key}`,
    subject: { kind: "directory-object" },
    title: `removal of the old key of ${component.key}`,
    needs: { ...needs },
    // The read of the application includes the keys, so this sends no request.
    read: async ({ key, certificate, credential: { writtenOn } }) => ({
      old: oldKeys(key.keyCredentials, certificate.older),
      writtenOn,
    }),
    decide(live, _outputs, now) {
      if (!live || live.old.length === 0 || leftMs(live.writtenOn, now) > longestWaitMs) return { act: "keep" };
      const changes = live.old.map(({ key }) => ({
        path: "keyCredentials",
        from: key === null ? "" : thumbprintOf(Buffer.from(key, "base64")),
        to: undefined,
      }));
      return { act: "update", why: "the overlap has ended, or ends during this run", changes };
    },
    async apply(live, { key: { uniqueName }, certificate }, io) {
      const now = clock.now();
      const writtenOn = live?.writtenOn ?? now;
      const waitMs = leftMs(writtenOn, now);
      if (waitMs > 0) {
        io.note(`waiting for the end of the overlap at ${new Date(now.getTime() + clock.scaled(waitMs)).toISOString()}`);
        await clock.sleep(waitMs, io.signal);
      }
      const isOld = (candidate: KeyCredential) => oldKeys([candidate], certificate.older).length > 0;
      await changeKeys(azure, uniqueName, (keys) => (keys.some(isOld) ? keys.filter((each) => !isOld(each)) : keys));
      return { old: [], writtenOn };
    },
    output: ({ old, writtenOn }, { certificate: { createdOn, expiresOn, notRotated } }) => ({
      component: component.key,
      certificateOf: createdOn,
      expiresOn,
      notRotated,
      oldKeyUntil: old.length === 0 ? undefined : new Date(writtenOn.getTime() + clock.scaled(overlapMs)),
    }),
  });
}

/** The keys of an application that belong to earlier versions of its certificate. Keys of others stay. */
function oldKeys(keys: readonly KeyCredential[], older: readonly string[]): KeyCredential[] {
  return keys.filter((credentialKey) => older.some((thumbprint) => isOf(credentialKey, thumbprint)));
}
