/** Rows of a credential secret in the vault: it exists, pods may use it, and its value is JSON. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { SecretProperties } from "@azure/keyvault-secrets";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { credentialSecretName } from "../../domain/identity-names.js";
import { tagValue } from "../../domain/tags.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import type { ControlPlaneEntry, StoredSecret } from "./chain.js";
import { decoded, type SecretObject } from "./credential-fields.js";
import { ownEntry } from "./identity-ownership.js";
import { controlPlaneRow } from "./reads.js";
import { deniedRead, vaultReadable, type ReadVault } from "./vault.js";
import { sameText } from "../../text/same-text.js";
import { rfc3339 } from "../../text/rfc3339.js";

/** What most rows of a secret need. */
export const stored = { entry: ownEntry, vault: vaultReadable };

export interface Stored {
  readonly entry: ControlPlaneEntry;
  readonly vault: ReadVault;
}

export function rewrite({ entry: { secretName }, vault: { advice } }: Stored): Advice {
  return advice.rewriteSecret(secretName);
}

export const secretNotDeleted = controlPlaneRow("secret-not-deleted", stored, async ({ entry, vault }, { deletedSecrets }) => {
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
  (known, { chain }, component): Finding<SecretProperties> => {
    const { name, secrets } = known.vault;
    const { secretName } = known.entry;
    const secret = secrets.get(secretName.toLowerCase());
    if (secret === undefined) return missingSecret(known, component);
    const { enabled, expiresOn } = secret;
    if (enabled === false) {
      return failed(
        `secret ${secretName} is disabled`,
        shell`az keyvault secret set-attributes --vault-name ${name} --name ${secretName} --enabled true`,
      );
    }
    const ended = outOfDates(known, secret, chain.now(), component);
    return ended ?? passed(expiresOn === undefined ? "enabled, without an expiry date" : `enabled, until ${rfc3339(expiresOn)}`, secret);
  },
);

function missingSecret({ entry, vault }: Stored, component: ControlPlaneComponent): Finding<never> {
  const { name, advice } = vault;
  const { secretName, places } = entry;
  const right = advice.set && credentialSecretName(advice.set, component);
  // `create identities` creates no secret with another name.
  if (right === undefined || sameText(right, secretName)) {
    return failed(`vault ${name} has no secret ${secretName}`, rewrite({ entry, vault }));
  }
  const key = "credentialsSecretName";
  return failed(
    `vault ${name} has no secret ${secretName} (${places[key]}); the secret of ${component.key} is ${right}`,
    advice.correct([{ key, place: places[key], right }]),
  );
}

function outOfDates(known: Stored, secret: SecretProperties, now: Date, { key }: ControlPlaneComponent): Finding<never> | undefined {
  const { secretName } = known.entry;
  const { notBefore, expiresOn, tags } = secret;
  if (notBefore !== undefined && notBefore > now) {
    return failed(`secret ${secretName} is not valid before ${rfc3339(notBefore)}`, rewrite(known));
  }
  if (expiresOn === undefined || expiresOn > now) return undefined;
  // With its certificate: the tag has the end of that.
  const isRenewed = Date.parse(tagValue(tags, "cannot_renew_after") ?? "") <= now.getTime();
  return failed(`secret ${secretName} expired on ${rfc3339(expiresOn)}`, isRenewed ? known.vault.advice.rotate(key) : rewrite(known));
}

export const secretPlain = controlPlaneRow(
  "secret-plain",
  { vault: vaultReadable, secret: secretExists },
  ({ vault: { name }, secret }) => {
    const { managed, contentType, name: secretName } = secret;
    if (managed !== true) return passed(`content type ${contentType ?? "not set"}`);
    return failed(
      `secret ${secretName} belongs to the certificate of that name (${contentType ?? "no content type"}), but pods need a secret that contains JSON`,
      advise`set credentialsSecretName to the name of the credential's secret: ${shell`az keyvault secret list --vault-name ${name} --query ${"[?!managed].name"}`} lists the secrets that do not belong to certificates`,
    );
  },
);

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
