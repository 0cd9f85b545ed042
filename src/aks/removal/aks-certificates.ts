/** The TLS certificate of a cluster's ingress in a vault of others, deleted if its tags name the cluster. */
import type { Azure } from "../../azure/azure.js";
import { creationEnded } from "../../azure/certificate-creations.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { orDenied } from "../../azure/vault-admission.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import { ownedBy } from "../../domain/ownership.js";
import { idKey, parseResourceId, sameType } from "../../domain/resource-id.js";
import type { Tags } from "../../domain/tags.js";
import type { AksGrant } from "./aks-assignments.js";
import type { RemovalMode } from "../../removal/selection.js";
import type { Kept } from "../../removal/owned.js";
import { hasSecondOwner } from "../../removal/second-owner.js";

export interface FoundCertificate {
  readonly vaultName: string;
  readonly name: string;
  /** Only Azure purges what is deleted in the vault. */
  readonly purgeProtected: boolean;
  /** Soft-deleted: an earlier destroy ended before it purged it. */
  readonly deleted: boolean;
  isOwn(tags: Tags): boolean;
}

export interface CertificatePlace {
  readonly vaultId: string;
  readonly name: string;
}

/** A secret with a role of the secrets provider, and what the output file of the create names: both may be a certificate of the cluster. */
export function certificateCandidates(
  grants: readonly Pick<AksGrant, "scope" | "beforeCluster">[],
  inFile: CertificatePlace | undefined,
): CertificatePlace[] {
  const ofRoles = grants
    .filter(({ scope, beforeCluster }) => beforeCluster && sameType(parseResourceId(scope).type, "Microsoft.KeyVault/vaults/secrets"))
    .map(({ scope }) => ({ vaultId: scope.split("/").slice(0, -2).join("/"), name: parseResourceId(scope).name }));
  const all = [...ofRoles, ...(inFile ? [inFile] : [])].map((one) => [`${idKey(one.vaultId)}/${one.name.toLowerCase()}`, one] as const);
  return [...new Map(all).values()];
}

/** `userOf`: another AKS cluster whose gateway mounts the secret with that ID: a create uses a certificate of others if it is valid. */
export async function findCertificates(
  azure: Azure,
  cluster: AksClusterKey,
  candidates: readonly CertificatePlace[],
  mode: RemovalMode,
  userOf: (secretId: string) => string | undefined,
): Promise<{ readonly certificates: readonly FoundCertificate[]; readonly kept: readonly Kept[] }> {
  const decided = await Promise.all(candidates.map((one) => decide(azure, cluster, one, mode, userOf)));
  return { certificates: decided.flatMap(({ certificate }) => certificate ?? []), kept: decided.flatMap(({ kept }) => kept ?? []) };
}

async function decide(
  azure: Azure,
  cluster: AksClusterKey,
  { vaultId, name }: CertificatePlace,
  { purge }: RemovalMode,
  userOf: (secretId: string) => string | undefined,
): Promise<{ readonly certificate?: FoundCertificate; readonly kept?: Kept }> {
  const { subscriptionId, resourceGroup = "", name: vaultName } = parseResourceId(vaultId);
  const { vaults } = await azure.vaults(subscriptionId);
  const vault = await orRefused(found(vaults.get(resourceGroup, vaultName)));
  if (vault === undefined) return {};
  const purgeProtected = vault.properties.enablePurgeProtection === true;
  const { certificates } = await azure.vaultContent(vaultName);
  const read = await orDenied(
    (async () => {
      const get = () => found(certificates.getCertificate(name));
      const live = (await get()) ?? ((await creationEnded(azure, certificates, name)) ? await get() : undefined);
      const isWanted = live === undefined && purge && !purgeProtected;
      return { live, deleted: isWanted ? await found(certificates.getDeletedCertificate(name)) : undefined };
    })(),
  );
  const id = `${vaultId}/certificates/${name}`;
  if (read === undefined) return { kept: { id, why: "it cannot be read, so its tags do not show whether it is the cluster's" } };
  const { live, deleted } = read;
  const { tags } = (live ?? deleted)?.properties ?? {};
  const isOwn = (some: Tags) => ownedBy(some, cluster) === "ours";
  if (!isOwn(tags)) return {};
  if (hasSecondOwner(cluster, tags)) return { kept: { id, why: "its tags also name another owner" } };
  const user = live && userOf(`${vaultId}/secrets/${name}`);
  if (user !== undefined) return { kept: { id, why: `used by ${user}` } };
  return { certificate: { vaultName, name, purgeProtected, isOwn, deleted: live === undefined } };
}
