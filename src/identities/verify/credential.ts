/** Rows of the credential in a secret: its fields, its dates and its certificate. */
import type { ControlPlaneComponent } from "../../domain/components.js";
import { certificateName, credentialSecretName } from "../../domain/identity-names.js";
import { tagValue } from "../../domain/tags.js";
import { advise } from "../../errors/advice.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import type { ControlPlaneEntry, Credential } from "./chain.js";
import { readCredentialContent } from "./credential-content.js";
import { checkEndpoint, checkIdentity, fieldsIn, isRfc3339 } from "./credential-fields.js";
import { vaultReference } from "./file.js";
import { ownEntry } from "./identity-ownership.js";
import { controlPlaneRow } from "./reads.js";
import { rewrite, secretExists, secretNotDeleted, secretPlain, secretRead, stored, type Stored } from "./secret.js";
import { vaultReadable } from "./vault.js";
import { rfc3339 } from "../../text/rfc3339.js";

const dayMs = 86_400_000;
/** Vaults store whole seconds, and certificates start some minutes before they are issued. */
const toleranceMs = 15 * 60_000;

const fields = controlPlaneRow("credential-fields", { ...stored, read: secretRead }, ({ read, ...known }) =>
  fieldsIn(read.value, rewrite(known)),
);
const content = { ...stored, fields };

export const credentialIdentity = controlPlaneRow(
  "credential-identity",
  { entry: ownEntry, reference: vaultReference, vault: vaultReadable, fields },
  ({ reference: { tenantId }, fields: found, ...known }) =>
    checkIdentity(found, { clientId: known.entry.clientId, tenantId }, rewrite(known)),
);

export const credentialEndpoint = controlPlaneRow("credential-endpoint", content, ({ fields: found, ...known }, { azure }) =>
  checkEndpoint(found, azure.connection.cloud, rewrite(known)),
);

const credentialDates = controlPlaneRow("credential-dates", content, ({ fields: { notBefore, notAfter }, ...known }, { chain }) => {
  const next = rewrite(known);
  const wrong = Object.entries({ not_before: notBefore, not_after: notAfter }).find(([, text]) => text !== undefined && !isRfc3339(text));
  if (wrong !== undefined) return failed(`${wrong[0]} is not an RFC 3339 time with an offset, so pods ignore the new secret`, next);
  if (notAfter !== undefined && Date.parse(notAfter) <= Date.parse(notBefore)) {
    return failed(`not_after (${notAfter}) is not later than not_before (${notBefore})`, next);
  }
  if (Date.parse(notBefore) > chain.now().getTime() + toleranceMs) return failed(`not_before (${notBefore}) is in the future`, next);
  return passed(`${notBefore} to ${notAfter ?? "an unspecified end"}`);
});

/** Contains a private key. */
export const credential = controlPlaneRow(
  "credential-certificate",
  content,
  async ({ fields: found, ...known }, { chain }, component): Promise<Finding<Credential>> => {
    const { clientId, tenantId, endpoint, clientSecret } = found;
    const now = chain.now();
    const read = await readCredentialContent(clientSecret);
    if ("problem" in read) return failed(`client_secret: ${read.problem}`, rewrite(known));
    const { form, pem, thumbprint, notBefore, notAfter, bits } = read;
    const renew = known.vault.advice.rotate(component.key);
    if (notAfter <= now) return failed(`the certificate ${thumbprint} expired on ${rfc3339(notAfter)}`, renew);
    if (notBefore > now) return failed(`the certificate ${thumbprint} is not valid before ${rfc3339(notBefore)}`, renew);
    return passed(`${form}, RSA ${String(bits)}, ${thumbprint}, until ${rfc3339(notAfter)}`, {
      clientId,
      tenantId,
      authorityHost: endpoint.replace(/\/+$/, ""),
      pem,
      thumbprint,
      notBefore,
      notAfter,
    });
  },
);

const credentialExpiry = controlPlaneRow(
  "credential-expiry",
  { vault: vaultReadable, credential },
  ({ vault: { advice }, credential: { notAfter } }, { chain }, { key }) => {
    const days = Math.floor((notAfter.getTime() - chain.now().getTime()) / dayMs);
    const evidence = `it expires on ${rfc3339(notAfter)}, in ${plural(days, "day")}`;
    return days >= chain.watchExpiryDays ? passed(evidence) : failed(evidence, advice.rotate(key));
  },
);

/** Absent attributes are no contradiction: HyperShift's contrib scripts set none. */
const secretAttributes = controlPlaneRow(
  "secret-attributes",
  { ...stored, secret: secretExists, dates: credentialDates, fields, credential },
  ({ secret: { notBefore, expiresOn, tags }, fields: found, credential: certificate, ...known }) => {
    const pairs: readonly (readonly [what: string, here: string | undefined, there: string | undefined, toleranceMs?: number])[] = [
      // A rewritten secret must have a later time than before; otherwise pods ignore it.
      ["not_before and the start of the certificate", found.notBefore, rfc3339(certificate.notBefore), toleranceMs],
      ["not_after and the end of the certificate", found.notAfter, rfc3339(certificate.notAfter)],
      ["the attribute nbf and not_before", notBefore && rfc3339(notBefore), found.notBefore],
      ["the attribute exp and not_after", expiresOn && rfc3339(expiresOn), found.notAfter],
      ["the tag renew_after and the field in the value", tagValue(tags, "renew_after"), found.renewAfter],
      ["the tag cannot_renew_after and the field in the value", tagValue(tags, "cannot_renew_after"), found.cannotRenewAfter],
    ];
    // An invalid time compares as different.
    const different = pairs.filter(
      ([, here, there, tolerance = 999]) =>
        here !== undefined && there !== undefined && !(Math.abs(Date.parse(here) - Date.parse(there)) <= tolerance),
    );
    if (different.length === 0) return passed("they match");
    return failed(different.map(([what, here = "", there = ""]) => `${what} differ: ${here}, ${there}`).join("; "), rewrite(known));
  },
);

const certificateCurrent = controlPlaneRow(
  "certificate-current",
  { ...stored, credential },
  async ({ entry, vault, credential: { thumbprint } }, reads, component) => {
    const certificates = await reads.certificates(vault.name);
    if (certificates === undefined) return notChecked("the signed-in principal has no permission to read the certificates of the vault");
    const name = certificateNames(entry).find((candidate) => certificates.has(candidate.toLowerCase()));
    if (name === undefined) return missingCertificate({ entry, vault }, component);
    const newest = certificates.get(name.toLowerCase());
    if (newest === thumbprint) return passed(`${name} is ${thumbprint}`);
    return failed(
      `the newest version of ${name} is ${newest ?? "unknown"}, but the secret contains ${thumbprint}: when that expires, sign-in fails`,
      vault.advice.rotate(component.key),
    );
  },
);

/** The names that aro-hcp and HyperShift's contrib scripts use. */
function certificateNames({ certificateName, secretName }: ControlPlaneEntry): string[] {
  return [...(certificateName === undefined ? [] : [certificateName]), `${secretName}-cert`, secretName.replace(/-json$/, "")];
}

function missingCertificate({ entry, vault }: Stored, component: ControlPlaneComponent): Finding<never> {
  const { set, create } = vault.advice;
  if (set === undefined || entry.secretName !== credentialSecretName(set, component))
    return notChecked("the vault has no certificate that belongs to the secret");
  return failed(
    `the vault has no certificate ${certificateName(set, component)} of set ${set.name}, so the credential cannot be rotated`,
    advise`${create} recovers it or creates a new one`,
  );
}

/** The rows of a secret and its credential, in the order of the report. */
export const secretRows = [
  secretNotDeleted,
  secretExists,
  secretPlain,
  secretRead,
  fields,
  credentialIdentity,
  credentialEndpoint,
  credentialDates,
  credential,
  credentialExpiry,
  secretAttributes,
  certificateCurrent,
];
