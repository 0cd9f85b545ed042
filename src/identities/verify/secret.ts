/** Rows of a credential secret: it exists, its content is correct, and pods can use its certificate. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { SecretProperties } from "@azure/keyvault-secrets";
import { rfc3339 } from "../../domain/credential-secret.js";
import { certificateName as certificateNameOf, credentialSecretName } from "../../domain/identity-names.js";
import { tagValue } from "../../domain/tags.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import type { ControlPlaneEntry, Credential, StoredSecret } from "./chain.js";
import { readCredentialContent } from "./credential-content.js";
import { decoded, fieldsIn, isRfc3339, checkEndpoint, checkIdentity, type SecretObject } from "./credential-fields.js";
import { vaultReference } from "./file.js";
import { ownEntry } from "./identity-ownership.js";
import { controlPlaneRow } from "./reads.js";
import { deniedRead, vaultReadable, type ReadVault } from "./vault.js";
import { sameText } from "../../text/same-text.js";

const dayMs = 86_400_000;
/** Vaults store whole seconds, and certificates start some minutes before they are issued. */
const toleranceMs = 15 * 60_000;

/** What most of these rows need. */
const stored = { entry: ownEntry, vault: vaultReadable };

interface Stored {
  readonly entry: ControlPlaneEntry;
  readonly vault: ReadVault;
}

function rewrite({ entry: { secretName }, vault: { advice } }: Stored): Advice {
  return advice.rewriteSecret(secretName);
}

const secretNotDeleted = controlPlaneRow("secret-not-deleted", stored, async ({ entry, vault }, { deletedSecrets }) => {
  const { secretName } = entry;
  if (vault.secrets.has(secretName.toLowerCase())) return passed("it exists");
  // Read only for a missing secret.
  const deleted = (await deletedSecrets(vault.name)).find(({ name }) => sameText(name, secretName));
  if (deleted === undefined) return passed("there is no deleted secret with this name");
  return failed(
    `secret ${secretName} was deleted${deleted.deletedOn === undefined ? "" : ` on ${rfc3339(deleted.deletedOn)}`}`,
    advise`recover it: ${shell`az keyvault secret recover --vault-name ${vault.name} --name ${secretName}`}`,
  );
});

export const secretExists = controlPlaneRow(
  "secret-exists",
  { ...stored, notDeleted: secretNotDeleted },
  ({ entry, vault }, { chain }, component): Finding<SecretProperties> => {
    const { name, secrets, advice } = vault;
    const { secretName, places } = entry;
    const now = chain.now();
    const secret = secrets.get(secretName.toLowerCase());
    if (secret === undefined) {
      const right = advice.set && credentialSecretName(advice.set, component);
      // `create identities` creates no secret with another name.
      if (right !== undefined && !sameText(right, secretName)) {
        const key = "credentialsSecretName";
        return failed(
          `vault ${name} has no secret ${secretName} (${places[key]}); the secret of ${component.key} is ${right}`,
          advice.correct([{ key, place: places[key], right }]),
        );
      }
      return failed(`vault ${name} has no secret ${secretName}`, rewrite({ entry, vault }));
    }
    const { enabled, notBefore, expiresOn, tags } = secret;
    if (enabled === false) {
      return failed(
        `secret ${secretName} is disabled`,
        shell`az keyvault secret set-attributes --vault-name ${name} --name ${secretName} --enabled true`,
      );
    }
    if (notBefore !== undefined && notBefore > now) {
      return failed(`secret ${secretName} is not valid before ${rfc3339(notBefore)}`, rewrite({ entry, vault }));
    }
    if (expiresOn !== undefined && expiresOn <= now) {
      // With its certificate: the tag has the end of that.
      const isRenewed = Date.parse(tagValue(tags, "cannot_renew_after") ?? "") <= now.getTime();
      const next = isRenewed ? advice.rotate(component.key) : rewrite({ entry, vault });
      return failed(`secret ${secretName} expired on ${rfc3339(expiresOn)}`, next);
    }
    return passed(expiresOn === undefined ? "enabled, without an expiry date" : `enabled, until ${rfc3339(expiresOn)}`, secret);
  },
);

const secretPlain = controlPlaneRow("secret-plain", { vault: vaultReadable, secret: secretExists }, ({ vault: { name }, secret }) => {
  const { managed, contentType, name: secretName } = secret;
  if (managed !== true) return passed(`content type ${contentType ?? "not set"}`);
  return failed(
    `secret ${secretName} belongs to the certificate of that name (${contentType ?? "no content type"}), but pods need a secret that contains JSON`,
    advise`set credentialsSecretName to the name of the credential's secret: ${shell`az keyvault secret list --vault-name ${name} --query ${"[?!managed].name"}`} lists the secrets that do not belong to certificates`,
  );
});

type ReadSecret = StoredSecret & { readonly value: SecretObject };

export const secretRead = controlPlaneRow(
  "credential-json",
  { ...stored, plain: secretPlain },
  async ({ entry, vault: { name: vaultName, advice } }, { azure }): Promise<Finding<ReadSecret>> => {
    const { secrets } = await azure.vaultContent(vaultName);
    try {
      const { value: text = "", properties } = await secrets.getSecret(entry.secretName);
      const finding = decoded(text, entry, advice);
      if (finding.passed !== true) return finding.passed === false ? failed(finding.evidence, finding.next) : finding;
      const { name, version = "", createdOn } = properties;
      return passed(finding.evidence, { name, version, createdOn, value: finding.value });
    } catch (error) {
      return deniedRead(error, advice);
    }
  },
);

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
    const { secretName, certificateName } = entry;
    const { set, create, rotate } = vault.advice;
    const certificates = await reads.certificates(vault.name);
    if (certificates === undefined) return notChecked("the signed-in principal has no permission to read the certificates of the vault");
    // Names that aro-hcp and HyperShift's contrib scripts use.
    const names = [certificateName, `${secretName}-cert`, secretName.replace(/-json$/, "")];
    const name = names.find((candidate) => candidate !== undefined && certificates.has(candidate.toLowerCase()));
    if (name === undefined) {
      if (set === undefined || secretName !== credentialSecretName(set, component))
        return notChecked("the vault has no certificate that belongs to the secret");
      const own = certificateNameOf(set, component);
      return failed(
        `the vault has no certificate ${own} of set ${set.name}, so the credential cannot be rotated`,
        advise`${create} recovers it or creates a new one`,
      );
    }
    const newest = certificates.get(name.toLowerCase());
    if (newest === thumbprint) return passed(`${name} is ${thumbprint}`);
    return failed(
      `the newest version of ${name} is ${newest ?? "unknown"}, but the secret contains ${thumbprint}: when that expires, sign-in fails`,
      rotate(component.key),
    );
  },
);

/** The rows, in the order of the report. */
export const secretRows = [
  ...[secretNotDeleted, secretExists, secretPlain, secretRead, fields, credentialIdentity, credentialEndpoint, credentialDates],
  ...[credential, credentialExpiry, secretAttributes, certificateCurrent],
];
