/** Checks of one credential secret: it exists, its content is correct, and pods can use its certificate. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { SecretProperties } from "@azure/keyvault-secrets";
import type { Azure } from "../../azure/azure.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { certificateName as certificateNameOf, credentialSecretName } from "../../domain/identity-names.js";
import { tagValue } from "../../domain/tags.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { SetAdvice } from "./advice.js";
import type { ControlPlaneEntry, ControlPlaneLink, Credential, CredentialLink, IdentityChain, StoredSecret } from "./chain.js";
import { identityChecks } from "./checks.js";
import { readCredentialContent } from "./credential-content.js";
import {
  decoded,
  fieldsIn,
  isRfc3339,
  checkEndpoint,
  checkIdentity,
  type CredentialFields,
  type SecretObject,
} from "./credential-fields.js";
import { deniedRead, type ReadVault, type VaultLinks } from "./vault.js";
import { sameText } from "../../text/same-text.js";

const dayMs = 86_400_000;
/** Vaults store whole seconds, and certificates start some minutes before they are issued. */
const toleranceMs = 15 * 60_000;

export interface CredentialLinks {
  readonly instances: readonly CheckInstance[];
  readonly link: CredentialLink;
}

export function credentialCheckInstances(azure: Azure, chain: IdentityChain, vaults: VaultLinks, link: ControlPlaneLink): CredentialLinks {
  const { component, entry } = link;
  const { vault } = vaults;
  const subject = component.key;
  const { cloud } = azure.connection;

  const notDeleted = checkInstance(
    identityChecks["secret-not-deleted"],
    subject,
    { entry, vault },
    ({ entry: { secretName }, vault: read }) => checkDeleted(vaults, read, secretName),
  );
  const exists = checkInstance(identityChecks["secret-exists"], subject, { entry, vault, notDeleted }, ({ entry: known, vault: read }) =>
    checkSecret(read, known, component, chain.now()),
  );
  const plain = checkInstance(identityChecks["secret-plain"], subject, { vault, exists }, ({ vault: read, exists: secret }) =>
    checkPlain(read, secret),
  );
  const json = checkInstance(identityChecks["credential-json"], subject, { entry, vault, plain }, async ({ entry: known, vault: read }) => {
    const { secrets } = await azure.vaultContent(read.name);
    try {
      const { value = "", properties } = await secrets.getSecret(known.secretName);
      return withVersion(decoded(value, known, read.advice), properties);
    } catch (error) {
      return deniedRead(error, read.advice);
    }
  });
  const fields = checkInstance(
    identityChecks["credential-fields"],
    subject,
    { entry, vault, json },
    ({ entry: { secretName }, vault: read, json: { value } }) => fieldsIn(value, read.advice.rewriteSecret(secretName)),
  );
  const identity = checkInstance(
    identityChecks["credential-identity"],
    subject,
    { entry, reference: vaults.reference, vault, fields },
    ({ entry: known, reference, vault: read, fields: content }) =>
      checkIdentity(content, { clientId: known.clientId, tenantId: reference.tenantId }, read.advice.rewriteSecret(known.secretName)),
  );
  const endpoint = checkInstance(
    identityChecks["credential-endpoint"],
    subject,
    { entry, vault, fields },
    ({ entry: known, vault: read, fields: content }) => checkEndpoint(content, cloud, read.advice.rewriteSecret(known.secretName)),
  );
  const dates = checkInstance(
    identityChecks["credential-dates"],
    subject,
    { entry, vault, fields },
    ({ entry: known, vault: read, fields: content }) => checkDates(content, chain.now(), read.advice.rewriteSecret(known.secretName)),
  );
  const credential = checkInstance(
    identityChecks["credential-certificate"],
    subject,
    { entry, vault, fields },
    ({ entry: known, vault: read, fields: content }) => checkContent(content, known, read.advice, component.key, chain.now()),
  );
  const expiry = checkInstance(
    identityChecks["credential-expiry"],
    subject,
    { vault, credential },
    ({ vault: read, credential: { notAfter } }) => {
      const days = Math.floor((notAfter.getTime() - chain.now().getTime()) / dayMs);
      const evidence = `it expires on ${rfc3339(notAfter)}, in ${plural(days, "day")}`;
      return days >= chain.watchExpiryDays ? passed(evidence) : failed(evidence, read.advice.rotate(component.key));
    },
  );
  const attributes = checkInstance(
    identityChecks["secret-attributes"],
    subject,
    { entry, vault, exists, dates, fields, credential },
    ({ entry: known, vault: read, exists: secret, fields: content, credential: held }) =>
      checkAttributes(secret, content, held, read.advice.rewriteSecret(known.secretName)),
  );
  const current = checkInstance(
    identityChecks["certificate-current"],
    subject,
    { entry, vault, credential },
    async ({ entry: known, vault: read, credential: held }) =>
      checkCurrent(await vaults.certificates(read.name), known, held, component, read.advice),
  );
  return {
    instances: [notDeleted, exists, plain, json, fields, identity, endpoint, dates, credential, expiry, attributes, current],
    link: { ...link, credential, prerequisites: { identity, endpoint }, stored: { exists, read: json } },
  };
}

type ReadSecret = StoredSecret & { readonly value: SecretObject };

function withVersion(finding: Finding<SecretObject>, { name, version = "", createdOn }: SecretProperties): Finding<ReadSecret> {
  if (finding.passed === true) return passed(finding.evidence, { name, version, createdOn, value: finding.value });
  return finding.passed === false ? failed(finding.evidence, finding.next) : finding;
}

async function checkDeleted(vaults: VaultLinks, { name, secrets }: ReadVault, secretName: string): Promise<Finding<unknown>> {
  if (secrets.has(secretName.toLowerCase())) return passed("it exists");
  // Read only for a missing secret.
  const deleted = (await vaults.deletedSecrets(name)).get(secretName.toLowerCase());
  if (deleted === undefined) return passed("there is no deleted secret with this name");
  return failed(
    `secret ${secretName} was deleted${deleted.deletedOn === undefined ? "" : ` on ${rfc3339(deleted.deletedOn)}`}`,
    advise`recover it: ${shell`az keyvault secret recover --vault-name ${name} --name ${secretName}`}`,
  );
}

function checkSecret(
  { name, secrets, advice }: ReadVault,
  { secretName, places }: ControlPlaneEntry,
  component: ControlPlaneComponent,
  now: Date,
): Finding<SecretProperties> {
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
    return failed(`vault ${name} has no secret ${secretName}`, advice.rewriteSecret(secretName));
  }
  const { enabled, notBefore, expiresOn, tags } = secret;
  if (enabled === false) {
    return failed(
      `secret ${secretName} is disabled`,
      shell`az keyvault secret set-attributes --vault-name ${name} --name ${secretName} --enabled true`,
    );
  }
  if (notBefore !== undefined && notBefore > now) {
    return failed(`secret ${secretName} is not valid before ${rfc3339(notBefore)}`, advice.rewriteSecret(secretName));
  }
  if (expiresOn !== undefined && expiresOn <= now) {
    // With its certificate: the tag has the end of that.
    const isRenewed = Date.parse(tagValue(tags, "cannot_renew_after") ?? "") <= now.getTime();
    const next = isRenewed ? advice.rotate(component.key) : advice.rewriteSecret(secretName);
    return failed(`secret ${secretName} expired on ${rfc3339(expiresOn)}`, next);
  }
  return passed(expiresOn === undefined ? "enabled, without an expiry date" : `enabled, until ${rfc3339(expiresOn)}`, secret);
}

function checkPlain({ name }: ReadVault, { managed, contentType, name: secretName }: SecretProperties): Finding<unknown> {
  if (managed !== true) return passed(`content type ${contentType ?? "not set"}`);
  return failed(
    `secret ${secretName} belongs to the certificate of that name (${contentType ?? "no content type"}), but pods need a secret that contains JSON`,
    advise`set credentialsSecretName to the name of the credential's secret: ${shell`az keyvault secret list --vault-name ${name} --query ${"[?!managed].name"}`} lists the secrets that do not belong to certificates`,
  );
}

function checkDates({ notBefore, notAfter }: CredentialFields, now: Date, next: Advice): Finding<unknown> {
  const wrong = Object.entries({ not_before: notBefore, not_after: notAfter }).find(([, text]) => text !== undefined && !isRfc3339(text));
  if (wrong !== undefined) return failed(`${wrong[0]} is not an RFC 3339 time with an offset, so pods ignore the new secret`, next);
  if (notAfter !== undefined && Date.parse(notAfter) <= Date.parse(notBefore)) {
    return failed(`not_after (${notAfter}) is not later than not_before (${notBefore})`, next);
  }
  if (Date.parse(notBefore) > now.getTime() + toleranceMs) return failed(`not_before (${notBefore}) is in the future`, next);
  return passed(`${notBefore} to ${notAfter ?? "an unspecified end"}`);
}

async function checkContent(
  { clientId, tenantId, endpoint, clientSecret }: CredentialFields,
  { secretName }: ControlPlaneEntry,
  advice: SetAdvice,
  component: string,
  now: Date,
): Promise<Finding<Credential>> {
  const content = await readCredentialContent(clientSecret);
  if ("problem" in content) return failed(`client_secret: ${content.problem}`, advice.rewriteSecret(secretName));
  const { form, pem, thumbprint, notBefore, notAfter, bits } = content;
  if (notAfter <= now) return failed(`the certificate ${thumbprint} expired on ${rfc3339(notAfter)}`, advice.rotate(component));
  if (notBefore > now) return failed(`the certificate ${thumbprint} is not valid before ${rfc3339(notBefore)}`, advice.rotate(component));
  return passed(`${form}, RSA ${String(bits)}, ${thumbprint}, until ${rfc3339(notAfter)}`, {
    clientId,
    tenantId,
    authorityHost: endpoint.replace(/\/+$/, ""),
    pem,
    thumbprint,
    notBefore,
    notAfter,
  });
}

/** Absent attributes are no contradiction: HyperShift's contrib scripts set none. */
function checkAttributes(
  { notBefore, expiresOn, tags }: SecretProperties,
  content: CredentialFields,
  certificate: Credential,
  next: Advice,
): Finding<unknown> {
  const pairs: readonly (readonly [what: string, here: string | undefined, there: string | undefined, toleranceMs?: number])[] = [
    // A rewritten secret must have a later time than before; otherwise pods ignore it.
    ["not_before and the start of the certificate", content.notBefore, rfc3339(certificate.notBefore), toleranceMs],
    ["not_after and the end of the certificate", content.notAfter, rfc3339(certificate.notAfter)],
    ["the attribute nbf and not_before", notBefore && rfc3339(notBefore), content.notBefore],
    ["the attribute exp and not_after", expiresOn && rfc3339(expiresOn), content.notAfter],
    ["the tag renew_after and the field in the value", tagValue(tags, "renew_after"), content.renewAfter],
    ["the tag cannot_renew_after and the field in the value", tagValue(tags, "cannot_renew_after"), content.cannotRenewAfter],
  ];
  // An invalid time compares as different.
  const different = pairs.filter(
    ([, here, there, tolerance = 999]) =>
      here !== undefined && there !== undefined && !(Math.abs(Date.parse(here) - Date.parse(there)) <= tolerance),
  );
  if (different.length === 0) return passed("they match");
  return failed(different.map(([what, here = "", there = ""]) => `${what} differ: ${here}, ${there}`).join("; "), next);
}

/** Thumbprints of the vault's certificates by lower-case name; undefined if they cannot be read. */
type Thumbprints = ReadonlyMap<string, string> | undefined;

function checkCurrent(
  certificates: Thumbprints,
  { secretName, certificateName }: ControlPlaneEntry,
  { thumbprint }: Credential,
  component: ControlPlaneComponent,
  { set, create, rotate }: SetAdvice,
): Finding<unknown> {
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
}
