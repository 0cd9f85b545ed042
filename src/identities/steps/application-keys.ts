/** The keys of an application: the public key of a component's certificate, next to those of others. */
import type { KeyCredential } from "../../azure/applications.js";
import type { Azure } from "../../azure/azure.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Stale } from "../../errors/stale.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { thumbprintIn } from "../../domain/credential-secret.js";
import { applicationOutput, type ApplicationOutput } from "../../steps/applications.js";
import type { CertificateOutput } from "./certificates.js";
import { rfc3339 } from "../../text/rfc3339.js";

/** Adds the certificate and keeps existing keys, because others may sign in with their own. */
export function applicationKey(
  azure: Azure,
  component: ControlPlaneComponent,
  needs: { readonly owner: Step<ApplicationOutput>; readonly certificate: Step<CertificateOutput> },
): Step<ApplicationOutput> {
  return defineStep({
    id: `application-key-${component.key}`,
    subject: { kind: "directory-object", noun: "key" },
    title: `key of ${needs.owner.title}`,
    needs: { ...needs },
    within: "owner",
    preview: ({ certificate }) => ({
      act: "create",
      why: certificate === undefined ? "for the new certificate" : "for the new application",
    }),
    // The read of the application includes the keys, so this sends no request.
    read: async ({ owner }) => owner,
    decide: (live, { certificate: { thumbprint } }) =>
      live?.keyCredentials.some((credential) => isKeyOfCertificate(credential, thumbprint))
        ? { act: "keep" }
        : { act: "create", why: "the certificate is not on the application" },
    async apply(_live, { owner: { uniqueName }, certificate }): Promise<ApplicationOutput> {
      return changeKeys(azure, uniqueName, (keys) => withKey(keys, certificate, certificate.superseded));
    },
    output: (live) => live,
  });
}

/** The keys with that certificate, and without those of the thumbprints. The same array if nothing changes. */
export function withKey(
  keys: readonly KeyCredential[],
  certificate: CertificateOutput,
  without: readonly string[],
): readonly KeyCredential[] {
  const kept = keys.filter((credential) => !without.some((thumbprint) => isKeyOfCertificate(credential, thumbprint)));
  const hasKey = kept.some((credential) => isKeyOfCertificate(credential, certificate.thumbprint));
  if (hasKey) return kept.length === keys.length ? keys : kept;
  return [...kept, keyCredential(certificate)];
}

/** Whether a key of an application is that certificate. */
export function isKeyOfCertificate({ key }: KeyCredential, thumbprint: string): boolean {
  return typeof key === "string" && thumbprintIn(Buffer.from(key, "base64")) === thumbprint;
}

/** Reads the keys again, because a write replaces the whole list: keys that others added since must stay. */
export async function changeKeys(
  azure: Azure,
  uniqueName: string,
  change: (keys: readonly KeyCredential[]) => readonly KeyCredential[],
): Promise<ApplicationOutput> {
  const directory = await azure.directory();
  const live = await directory.application(uniqueName);
  if (!live) throw new Stale("its application was deleted");
  const wanted = change(live.keyCredentials);
  const known = (credential: KeyCredential) => (credential.keyId === undefined ? credential : { ...credential, key: null });
  if (wanted !== live.keyCredentials) await directory.setKeyCredentials(live.id, wanted.map(known));
  return applicationOutput(uniqueName, { ...live, keyCredentials: wanted });
}

function keyCredential({ name, der, notBefore, expiresOn }: CertificateOutput): KeyCredential {
  return {
    type: "AsymmetricX509Cert",
    usage: "Verify",
    key: Buffer.from(der).toString("base64"),
    displayName: `CN=${name}`,
    startDateTime: rfc3339(notBefore),
    endDateTime: rfc3339(expiresOn),
  };
}
