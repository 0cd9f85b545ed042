/** What the vault of an identity set shows of the application of a component. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { orDenied } from "../azure/vault-admission.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import { credentialFacts } from "../domain/credential-secret.js";
import { certificateName, credentialSecretName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { ownsVault } from "../domain/set-ownership.js";
import type { VaultEvidence } from "./application-ownership.js";
import { hexOf } from "./certificates.js";
import { readSecret } from "./credential-secrets.js";

export function vaultEvidence(azure: Azure, key: IdentitySetKey): (component: ControlPlaneComponent) => VaultEvidence {
  const { groupName, vaultName } = key;
  let owned: Promise<boolean> | undefined;
  /** Vault names are unique across Azure, so somebody else may have a vault with the name: it must be in the group of the set. */
  const readOwn = async () => {
    const live = await orRefused(found((await azure.vaults()).vaults.get(groupName, vaultName)));
    return live !== undefined && ownsVault(key, live);
  };
  /** Read once for all components; but another run may create a vault that is missing. */
  const isOwn = async () => {
    const isOurs = await (owned ??= readOwn()).catch((error: unknown) => {
      owned = undefined;
      throw error;
    });
    if (!isOurs) owned = undefined;
    return isOurs;
  };
  return (component) => ({
    vaultName,
    async clientId() {
      if (!(await isOwn())) return undefined;
      const live = await orDenied(readSecret(azure, vaultName, credentialSecretName(key, component)));
      return credentialFacts(live?.secret?.value)?.clientId;
    },
    async thumbprints() {
      if (!(await isOwn())) return [];
      const { certificates } = await azure.vaultContent(vaultName);
      const name = certificateName(key, component);
      const versions = await orDenied(found(all(certificates.listPropertiesOfCertificateVersions(name))));
      if (versions !== undefined && versions.length > 0) return versions.map(({ x509Thumbprint }) => hexOf(x509Thumbprint));
      // This run recovers it.
      const deleted = await orDenied(found(certificates.getDeletedCertificate(name)));
      return deleted === undefined ? [] : [hexOf(deleted.properties.x509Thumbprint)];
    },
  });
}
