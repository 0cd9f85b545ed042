/** Converts settings and files to the input of the identity flow graph; sends no requests to Azure. */
import { requireSameCluster, readIdentities, type Identities, clusterKey, placementChoice, withFileRecord } from "../infra/index.js";
import { encryptionKeys } from "../encryption-key/index.js";
import { readHostedClusterInput } from "../files/hosted-cluster-input.js";
import { clusterNameIn } from "../files/infra-output.js";
import { controlPlaneComponents } from "../domain/components.js";
import { parseEncryptionKeyId } from "../domain/encryption-key.js";
import { groupsOf, type FlowFacts } from "../domain/identity-flow.js";
import { credentialSecretName } from "../domain/identity-names.js";
import { knownPlacement } from "../domain/placement.js";
import type { Resolved } from "../settings/settings.js";
import { ofIdentitySet } from "../run/identity-set.js";
import { inputFiles } from "../run/input-files.js";

/**
 * Missing names default to those of `create all`.
 * @throws ARO-FILE-00x, and ARO-USAGE-001 if files and flags refer to different clusters
 */
export async function flowFacts(resolved: Resolved<"graph">): Promise<FlowFacts> {
  const files = await inputFiles(resolved.settings);
  const infra = files.infra === undefined ? undefined : (await readHostedClusterInput(files.infra)).input;
  if (infra !== undefined) requireSameCluster(resolved.settings, resolved.origins, infra);
  const { settings } = await withFileRecord(resolved, infra?.options, files.infra);
  const identities = await readIdentities({
    ...settings,
    managedIdentitiesFile: files.managedIdentities,
    workloadIdentitiesFile: undefined,
  });
  const { active: encryptionKeyId } = await encryptionKeys(settings);
  const clusterName = settings.name ?? (infra && clusterNameIn(infra));
  const controlPlane = identities.controlPlane ?? infra?.controlPlaneMIs?.controlPlane;
  const vault = controlPlane?.managedIdentitiesKeyVault;
  return {
    clusterName,
    vault: vault && { name: vault.name, tenantId: vault.tenantID },
    controlPlane: controlPlaneOf(encryptionKeyId, { ...identities, controlPlane }, ofIdentitySet({ ...settings, name: clusterName }).name),
    dataPlane: identities.dataPlane ?? infra?.dataPlaneIdentities,
    issuerUrl: files.issuerUrl,
    groups: groupsOf(
      infra ?? {},
      infra === undefined
        ? knownPlacement({ ...placementChoice(settings), cluster: clusterKey(settings) })
        : { dns: settings.dnsZoneRgName },
    ),
    encryptionKey: encryptionKeyId === undefined ? undefined : parseEncryptionKeyId(encryptionKeyId),
    customHcpRoles: settings.assignCustomHcpRoles,
    disabledCapabilities: settings.disableClusterCapabilities,
  };
}

type KnownIdentities = { readonly controlPlane: Identities["controlPlane"] | undefined } & Pick<Identities, "kms">;

function controlPlaneOf(
  encryptionKeyId: string | undefined,
  { controlPlane, kms }: KnownIdentities,
  name: string | undefined,
): FlowFacts["controlPlane"] {
  const shown = controlPlaneComponents.flatMap((component) => {
    const { field } = component;
    const known = field === "kms" ? kms : controlPlane?.[field];
    if (field === "kms" ? kms === undefined && encryptionKeyId === undefined : controlPlane !== undefined && known === undefined) return [];
    const planned = name === undefined || controlPlane !== undefined ? undefined : credentialSecretName({ name }, component);
    return [[field, { clientId: known?.clientID, secretName: known?.credentialsSecretName ?? planned }] as const];
  });
  return Object.fromEntries(shown);
}
