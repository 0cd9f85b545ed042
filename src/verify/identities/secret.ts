/** Checks of one credential secret: that it is there, what it says, and that pods can use what it holds. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { SecretProperties } from "@azure/keyvault-secrets";
import type { Azure } from "../../azure/azure.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { certificateName as certificateNameOf, credentialSecretName } from "../../domain/identity-names.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
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

const dayMs = 86_400_000;
/** Vaults keep whole seconds, and certificates are dated back some minutes. */
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
    ({ entry: { secretName }, vault: read, json: { value } }) => fieldsIn(value, read.advice.writeAgain(secretName)),
  );
  const identity = checkInstance(
    identityChecks["credential-identity"],
    subject,
    { entry, reference: vaults.reference, vault, fields },
    ({ entry: known, reference, vault: read, fields: said }) =>
      checkIdentity(said, { clientId: known.clientId, tenantId: reference.tenantId }, read.advice.writeAgain(known.secretName)),
  );
  const endpoint = checkInstance(
    identityChecks["credential-endpoint"],
    subject,
    { entry, vault, fields },
    ({ entry: known, vault: read, fields: said }) => checkEndpoint(said, cloud, read.advice.writeAgain(known.secretName)),
  );
  const dates = checkInstance(
    identityChecks["credential-dates"],
    subject,
    { entry, vault, fields },
    ({ entry: known, vault: read, fields: said }) => checkDates(said, chain.now(), read.advice.writeAgain(known.secretName)),
  );
  const credential = checkInstance(
    identityChecks["credential-certificate"],
    subject,
    { entry, vault, fields },
    ({ entry: known, vault: read, fields: said }) => checkContent(said, known, read.advice, component.key, chain.now()),
  );
  const expiry = checkInstance(
    identityChecks["credential-expiry"],
    subject,
    { vault, credential },
    ({ vault: read, credential: { notAfter } }) => {
      const days = Math.floor((notAfter.getTime() - chain.now().getTime()) / dayMs);
      const evidence = `it expires on ${rfc3339(notAfter)}, in ${String(days)} days`;
      return days >= chain.watchExpiryDays ? holds(evidence) : broken(evidence, read.advice.rotate(component.key));
    },
  );
  const attributes = checkInstance(
    identityChecks["secret-attributes"],
    subject,
    { entry, vault, exists, dates, fields, credential },
    ({ entry: known, vault: read, exists: secret, fields: said, credential: held }) =>
      checkAttributes(secret, said, held, read.advice.writeAgain(known.secretName)),
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
    link: { ...link, credential, soundness: { identity, endpoint }, stored: { exists, read: json } },
  };
}

type ReadSecret = StoredSecret & { readonly value: SecretObject };

function withVersion(finding: Finding<SecretObject>, { name, version = "", createdOn }: SecretProperties): Finding<ReadSecret> {
  if (finding.holds === true) return holds(finding.evidence, { name, version, createdOn, value: finding.value });
  return finding.holds === false ? broken(finding.evidence, finding.next) : finding;
}

async function checkDeleted(vaults: VaultLinks, { name, secrets }: ReadVault, secretName: string): Promise<Finding<unknown>> {
  if (secrets.has(secretName.toLowerCase())) return holds("it is live");
  // Asked only where something is missing.
  const deleted = (await vaults.deletedSecrets(name)).get(secretName.toLowerCase());
  if (deleted === undefined) return holds("it is not among the deleted");
  return broken(
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
    // No command makes one of another name.
    if (right !== undefined && right.toLowerCase() !== secretName.toLowerCase()) {
      const key = "credentialsSecretName";
      return broken(
        `vault ${name} has no secret ${secretName}, which ${places[key]} names; that of ${component.key} is ${right}`,
        advice.correct([{ key, place: places[key], right }]),
      );
    }
    return broken(`vault ${name} has no secret ${secretName}`, advice.writeAgain(secretName));
  }
  const { enabled, notBefore, expiresOn } = secret;
  if (enabled === false) {
    return broken(
      `secret ${secretName} is disabled`,
      shell`az keyvault secret set-attributes --vault-name ${name} --name ${secretName} --enabled true`,
    );
  }
  if (notBefore !== undefined && notBefore > now) {
    return broken(`secret ${secretName} is not valid before ${rfc3339(notBefore)}`, advice.writeAgain(secretName));
  }
  if (expiresOn !== undefined && expiresOn <= now) {
    return broken(`secret ${secretName} expired on ${rfc3339(expiresOn)}`, advice.writeAgain(secretName));
  }
  return holds(expiresOn === undefined ? "enabled, without a date of expiry" : `enabled, until ${rfc3339(expiresOn)}`, secret);
}

function checkPlain({ name }: ReadVault, { managed, contentType, name: secretName }: SecretProperties): Finding<unknown> {
  if (managed !== true) return holds(`content type ${contentType ?? "not said"}`);
  return broken(
    `secret ${secretName} belongs to the certificate of that name (${contentType ?? "no content type"}): pods would find a certificate and no JSON`,
    advise`put the name of the credential's secret into credentialsSecretName: ${shell`az keyvault secret list --vault-name ${name} --query ${"[?!managed].name"}`} lists those that are no certificates'`,
  );
}

function checkDates({ notBefore, notAfter }: CredentialFields, now: Date, next: Advice): Finding<unknown> {
  const wrong = Object.entries({ not_before: notBefore, not_after: notAfter }).find(([, text]) => text !== undefined && !isRfc3339(text));
  if (wrong !== undefined)
    return broken(`${wrong[0]} is not an RFC 3339 time with an offset: a pod that reads it takes no new secret`, next);
  if (notAfter !== undefined && Date.parse(notAfter) <= Date.parse(notBefore)) {
    return broken(`not_after (${notAfter}) is not later than not_before (${notBefore})`, next);
  }
  if (Date.parse(notBefore) > now.getTime() + toleranceMs) return broken(`not_before (${notBefore}) is in the future`, next);
  return holds(`${notBefore} to ${notAfter ?? "an end that is not said"}`);
}

async function checkContent(
  { clientId, tenantId, endpoint, clientSecret }: CredentialFields,
  { secretName }: ControlPlaneEntry,
  advice: SetAdvice,
  component: string,
  now: Date,
): Promise<Finding<Credential>> {
  const content = await readCredentialContent(clientSecret);
  if ("problem" in content) return broken(`client_secret: ${content.problem}`, advice.writeAgain(secretName));
  const { form, pem, thumbprint, notBefore, notAfter, bits } = content;
  if (notAfter <= now) return broken(`the certificate ${thumbprint} expired on ${rfc3339(notAfter)}`, advice.rotate(component));
  if (notBefore > now) return broken(`the certificate ${thumbprint} is not valid before ${rfc3339(notBefore)}`, advice.rotate(component));
  return holds(`${form}, RSA ${String(bits)}, ${thumbprint}, until ${rfc3339(notAfter)}`, {
    clientId,
    tenantId,
    authorityHost: endpoint.replace(/\/+$/, ""),
    pem,
    thumbprint,
    notBefore,
    notAfter,
  });
}

/** What is not said does not contradict: HyperShift's contrib scripts set no attributes. */
function checkAttributes(
  { notBefore, expiresOn, tags = {} }: SecretProperties,
  said: CredentialFields,
  certificate: Credential,
  next: Advice,
): Finding<unknown> {
  const pairs: readonly (readonly [what: string, here: string | undefined, there: string | undefined, toleranceMs?: number])[] = [
    // One that is written anew says a later time than before, or no pod would take it.
    ["not_before, and the start of the certificate", said.notBefore, rfc3339(certificate.notBefore), toleranceMs],
    ["not_after, and the end of the certificate", said.notAfter, rfc3339(certificate.notAfter)],
    ["the attribute nbf, and not_before", notBefore && rfc3339(notBefore), said.notBefore],
    ["the attribute exp, and not_after", expiresOn && rfc3339(expiresOn), said.notAfter],
    ["the tag renew_after, and the value's", tags["renew_after"], said.renewAfter],
    ["the tag cannot_renew_after, and the value's", tags["cannot_renew_after"], said.cannotRenewAfter],
  ];
  // What is no time at all is within no tolerance.
  const different = pairs.filter(
    ([, here, there, tolerance = 999]) =>
      here !== undefined && there !== undefined && !(Math.abs(Date.parse(here) - Date.parse(there)) <= tolerance),
  );
  if (different.length === 0) return holds("they agree");
  return broken(different.map(([what, here = "", there = ""]) => `${what} differ: ${here}, ${there}`).join("; "), next);
}

/** Thumbprints of the vault's certificates by lower-case name; undefined where they may not be read. */
type Thumbprints = ReadonlyMap<string, string> | undefined;

function checkCurrent(
  certificates: Thumbprints,
  { secretName, certificateName }: ControlPlaneEntry,
  { thumbprint }: Credential,
  component: ControlPlaneComponent,
  { set, make, rotate }: SetAdvice,
): Finding<unknown> {
  if (certificates === undefined) return notChecked("whoever verifies may not read the certificates of the vault");
  // Ours, and HyperShift's contrib scripts'.
  const names = [certificateName, `${secretName}-cert`, secretName.replace(/-json$/, "")];
  const name = names.find((candidate) => candidate !== undefined && certificates.has(candidate.toLowerCase()));
  if (name === undefined) {
    if (set === undefined || secretName !== credentialSecretName(set, component))
      return notChecked("the vault has no certificate that belongs to the secret");
    const own = certificateNameOf(set, component);
    return broken(
      `the vault has no certificate ${own}, which set ${set.name} has: nothing can be rotated`,
      advise`${make} recovers it, or makes it anew`,
    );
  }
  const newest = certificates.get(name.toLowerCase());
  if (newest === thumbprint) return holds(`${name} is ${thumbprint}`);
  return broken(
    `the newest version of ${name} is ${newest ?? "unknown"}, the secret holds ${thumbprint}: when that expires, nobody takes its place`,
    rotate(component.key),
  );
}
