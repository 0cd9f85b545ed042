/** Writes credential secrets as another program would. */
import forge from "node-forge";
import type { SecretClient } from "@azure/keyvault-secrets";

export type Fields = Record<string, string>;

/** Writes the secret again, with its dates unchanged. */
export async function writeSecret(secrets: SecretClient, name: string, value: string, tags?: Record<string, string>): Promise<void> {
  const { properties } = await secrets.getSecret(name);
  const { notBefore, expiresOn, contentType = "" } = properties;
  await secrets.setSecret(name, value, {
    contentType,
    tags: { ...properties.tags, ...tags },
    ...(notBefore && { notBefore }),
    ...(expiresOn && { expiresOn }),
  });
}

/** Writes a secret with some fields changed. */
export const rewritten =
  (changes: (fields: Fields) => Record<string, unknown>) =>
  (secrets: SecretClient, name: string, fields: Fields): Promise<void> =>
    writeSecret(secrets, name, JSON.stringify({ ...fields, ...changes(fields) }));

/** The value of `client_secret` in PKCS#12. */
export function pkcs12Of(fields: Fields, algorithm: "3des" | "aes256"): string {
  const pem = Buffer.from(fields["client_secret"] ?? "", "base64").toString();
  const key = forge.pki.privateKeyFromPem(pem.slice(pem.indexOf("-----BEGIN PRIVATE KEY")));
  const asn1 = forge.pkcs12.toPkcs12Asn1(key, [forge.pki.certificateFromPem(pem)], "", { algorithm: algorithm as "3des" });
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "latin1").toString("base64");
}
