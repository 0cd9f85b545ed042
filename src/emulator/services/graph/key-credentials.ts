/** An application's certificates and client secrets, as Graph accepts them. */
import { X509Certificate } from "node:crypto";
import { z } from "zod";
import type { Answer, Call } from "../../core/service.js";
import { hashSecret } from "../../state/seed.js";
import type { KeyCredential, PasswordCredential } from "../../state/application.js";
import { readBody } from "./body.js";
import { badRequest, invalidValue } from "./errors.js";
import { isoTime } from "./objects.js";

export const keyCredentialBody = z.strictObject({
  keyId: z.guid().nullish(),
  displayName: z.string().nullish(),
  customKeyIdentifier: z.string().nullish(),
  startDateTime: z.iso.datetime({ offset: true }).nullish(),
  endDateTime: z.iso.datetime({ offset: true }).nullish(),
  type: z.literal("AsymmetricX509Cert"),
  usage: z.literal("Verify"),
  /** Null for a registered one, known by its `keyId`. In lines too, as az sends it. */
  key: z.preprocess((key) => (typeof key === "string" ? key.replace(/\s/g, "") : key), z.base64().nullish()),
});

type Sent = z.output<typeof keyCredentialBody>;

/** All certificates of an application after a write; those not sent are removed. @throws ApiError 400 */
export function readKeyCredentials(call: Call, sent: readonly Sent[], existing: readonly KeyCredential[]): KeyCredential[] {
  const credentials = sent.map((each) => {
    const known = existing.find(({ keyId }) => keyId === each.keyId?.toLowerCase());
    if (each.key === null || each.key === undefined) {
      if (known === undefined) throw invalidValue("key", "KeyCredential");
      return known;
    }
    return newCredential(call, { ...each, key: each.key }, known?.key === each.key ? known.addedAt : call.now);
  });
  if (new Set(credentials.map(({ keyId }) => keyId)).size < credentials.length) throw invalidValue("keyId", "KeyCredential");
  return credentials;
}

function newCredential(call: Call, sent: Sent & { key: string }, addedAt: number): KeyCredential {
  const certificate = parseCertificate(sent.key);
  const from = Date.parse(certificate.validFrom);
  const to = Date.parse(certificate.validTo);
  const start = sent.startDateTime ? Date.parse(sent.startDateTime) : from;
  const end = sent.endDateTime ? Date.parse(sent.endDateTime) : to;
  if (start < from || start > to) throw badRequest("Key credential start date is invalid.", "KeyCredentialsInvalidStartDate");
  if (end > to || end <= start) throw badRequest("Key credential end date is invalid.", "KeyCredentialsInvalidEndDate");
  return {
    keyId: sent.keyId?.toLowerCase() ?? call.uuid(),
    displayName: sent.displayName ?? certificate.subject.split("\n").join(", "),
    customKeyIdentifier: sent.customKeyIdentifier ?? certificate.fingerprint.replaceAll(":", ""),
    startDateTime: isoTime(start),
    endDateTime: isoTime(end),
    key: sent.key,
    addedAt,
  };
}

/** DER only: Graph refuses PEM. */
function parseCertificate(key: string): X509Certificate {
  const der = Buffer.from(key, "base64");
  try {
    if (der[0] === 0x30) return new X509Certificate(der);
  } catch {
    // Reported below.
  }
  throw invalidValue("key", "KeyCredential");
}

export const addPasswordBody = z.strictObject({
  passwordCredential: z
    .strictObject({
      displayName: z.string().nullish(),
      startDateTime: z.iso.datetime({ offset: true }).nullish(),
      endDateTime: z.iso.datetime({ offset: true }).nullish(),
    })
    .nullish(),
});

/** A client secret that Graph creates; no later answer contains its text. Valid for two years if no end is sent. */
export function newPassword(
  call: Call,
  { passwordCredential: sent }: z.output<typeof addPasswordBody>,
): { credential: PasswordCredential; secretText: string } {
  const secretText = call.random.bytes(30).toString("base64url");
  const start = sent?.startDateTime ? Date.parse(sent.startDateTime) : call.now;
  const twoYearsOn = new Date(start);
  twoYearsOn.setUTCFullYear(twoYearsOn.getUTCFullYear() + 2);
  const end = sent?.endDateTime ? Date.parse(sent.endDateTime) : twoYearsOn.getTime();
  const credential = {
    keyId: call.uuid(),
    displayName: sent?.displayName ?? null,
    hint: secretText.slice(0, 3),
    startDateTime: isoTime(start),
    endDateTime: isoTime(end),
    hash: hashSecret(secretText),
  };
  return { credential, secretText };
}

const removePasswordBody = z.strictObject({ keyId: z.guid() });

/** Those that are left after the removal that a request asks for. @throws ApiError 400 */
export function withoutPassword(call: Call, held: readonly PasswordCredential[]): PasswordCredential[] {
  const { keyId } = readBody(call, removePasswordBody, "PasswordCredential");
  if (!held.some((each) => each.keyId === keyId.toLowerCase())) throw invalidValue("keyId", "PasswordCredential");
  return held.filter((each) => each.keyId !== keyId.toLowerCase());
}

/** The only answer that has the secret itself. */
export function passwordAdded(takes: number, credential: PasswordCredential, secretText: string): Answer {
  const { keyId, displayName, hint, startDateTime, endDateTime } = credential;
  return {
    status: 200,
    takes,
    body: {
      "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#microsoft.graph.passwordCredential",
      customKeyIdentifier: null,
      displayName,
      endDateTime,
      hint,
      keyId,
      secretText,
      startDateTime,
    },
  };
}
