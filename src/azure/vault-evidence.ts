/** What the vault of an identity set shows of the application of a component. */
import type { CertificateProperties } from "@azure/keyvault-certificates";
import type { ControlPlaneComponent } from "../domain/components.js";
import { credentialFacts, thumbprintHex } from "../domain/credential-secret.js";
import { ownsContent, type ContentOwner } from "../domain/set-content.js";
import { certificateName, credentialSecretName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownsVault } from "../domain/set-ownership.js";
import type { Tags } from "../domain/tags.js";
import type { VaultEvidence } from "./application-ownership.js";
import type { Azure } from "./azure.js";
import { found } from "./long-running.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";
import { readVaultOfSet } from "./set-vault.js";
import { orDenied } from "./vault-admission.js";
import { readSecret } from "./vault-secrets.js";

export function vaultEvidence(azure: Azure, key: IdentitySetKey): (component: ControlPlaneComponent) => VaultEvidence {
  const { vaultName, givenVaultId } = key;
  let owned: Promise<boolean> | undefined;
  /** Vault names are unique across Azure, so somebody else may have a vault with the name: it must be in the group of the set, or given. */
  const readOwn = async () => {
    const live = await orRefused(readVaultOfSet(azure, key));
    return live !== undefined && (givenVaultId !== undefined || ownsVault(key, live));
  };
  /** Read once for all components; but another run may create a vault that is missing. */
  const isOwn = async () => {
    owned ??= readOwn();
    const isOurs = await owned.catch((error: unknown) => {
      owned = undefined;
      throw error;
    });
    if (!isOurs) owned = undefined;
    return isOurs;
  };
  return (component) => {
    const evidence = evidenceIn(azure, key, [vaultName], component);
    return {
      vaultName,
      clientIds: async () => ((await isOwn()) ? evidence.clientIds() : []),
      thumbprints: async () => ((await isOwn()) ? evidence.thumbprints() : []),
    };
  };
}

/** The evidence in vaults that are known to be the set's. */
export function evidenceIn(
  azure: Azure,
  set: ContentOwner,
  vaultNames: readonly string[],
  component: ControlPlaneComponent,
): VaultEvidence {
  const secretName = credentialSecretName(set, component);
  // A vault that somebody else has prepared may have contents of others with these names.
  const isOwn = (properties: { readonly tags?: Tags } | undefined) => ownsContent(set, properties?.tags);
  return {
    vaultName: vaultNames.join(", "),
    async clientIds() {
      const read = await Promise.all(vaultNames.map((vaultName) => orDenied(readSecret(azure, vaultName, secretName))));
      return read.flatMap(({ secret } = {}) => (isOwn(secret?.properties) ? (credentialFacts(secret?.value)?.clientId ?? []) : []));
    },
    async thumbprints() {
      const name = certificateName(set, component);
      const read = await Promise.all(vaultNames.map((vaultName) => versionsIn(azure, vaultName, name)));
      return read.flat().flatMap((version) => (isOwn(version) ? [thumbprintHex(version.x509Thumbprint)] : []));
    },
  };
}

async function versionsIn(azure: Azure, vaultName: string, name: string): Promise<CertificateProperties[]> {
  const { certificates } = await azure.vaultContent(vaultName);
  const versions = await orDenied(found(all(certificates.listPropertiesOfCertificateVersions(name))));
  if (versions !== undefined && versions.length > 0) return versions;
  // A create recovers it.
  const deleted = await orDenied(found(certificates.getDeletedCertificate(name)));
  return deleted === undefined ? [] : [deleted.properties];
}
