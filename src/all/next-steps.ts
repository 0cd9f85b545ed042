/** What to do after the create of a cluster. The commands work as printed; only secrets and versions are left open. */
import { advise, aroHcp, blank, shell, type Advice } from "../errors/advice.js";
import type { DirectoryFile } from "../domain/directory-files.js";
import type { Settings } from "../settings/settings.js";

interface CreatedAll {
  readonly settings: Settings<"create all">;
  /** The paths of the written files. */
  readonly paths: Readonly<Record<DirectoryFile, string>>;
  readonly issuerUrl: string;
  /** The identifier of the key that encrypts etcd. */
  readonly encryptionKeyId: string | undefined;
}

export function afterCreateAll({ settings, paths, issuerUrl, encryptionKeyId }: CreatedAll): Advice[] {
  const { name, infraId, baseDomain, outputDir: inputDir, azureCreds, cloud } = settings;
  // Without its roles, a later run cannot read the vault: it cannot verify the identities, and the file proves the applications.
  const { identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName, returnOwnRoles } = settings;
  const { oidcResourceGroupName, storageAccountName, blobContainerName } = settings;
  const issuer = { oidcResourceGroupName, storageAccountName, blobContainerName };
  const set = { identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName, ...issuer };
  const needed = { pullSecret: blank("pull-secret.json"), releaseImage: blank("release-image") };
  const manifests = { inputDir, ...needed, outputDir: `${name}-manifests` };
  const key = encryptionKeyId === undefined ? [] : ["--encryption-key-id", encryptionKeyId];
  const hypershift = shell`hypershift create cluster azure --name ${name} --base-domain ${baseDomain} --infra-json ${paths.infra} --managed-identities-file ${paths.controlPlane} --data-plane-identities-file ${paths.dataPlane} --sa-token-issuer-private-key-path ${paths.privateKey} --oidc-issuer-url ${issuerUrl} ${key} --azure-creds ${azureCreds ?? blank("azure-creds.json")} --pull-secret ${needed.pullSecret} --release-image ${needed.releaseImage}`;
  return [
    advise`check the infrastructure: ${aroHcp("verify infra", { inputDir })}`,
    ...(returnOwnRoles ? [] : [advise`check the identities: ${aroHcp("verify identities", { inputDir })}`]),
    advise`write the manifests of the cluster: ${aroHcp("render hosted-cluster", manifests)}`,
    // The emulator runs no cluster.
    ...(cloud === "local" ? [] : [advise`or create the cluster: ${hypershift}`]),
    advise`destroy everything: ${aroHcp("destroy all", { name, infraId, ...set, identitiesJson: returnOwnRoles ? paths.identities : undefined })}`,
  ];
}
