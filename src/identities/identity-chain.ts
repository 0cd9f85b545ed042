/** Converts settings to the input of an identity verification: the files of flags and of a directory. */
import { privateKeyFile } from "../issuer/index.js";
import { encryptionKeys } from "../encryption-key/index.js";
import type { Clock } from "../azure/clock.js";
import type { SignedIn } from "../azure/signed-in.js";
import { givenDocument } from "../files/given-document.js";
import { clusterNameIn, readInfraOutput } from "../files/infra-output.js";
import type { Surroundings } from "../kubernetes/run-clock.js";
import type { Kubeconfig } from "../kubernetes/kubeconfig.js";
import type { Kubernetes } from "../kubernetes/kubernetes.js";
import type { Settings } from "../settings/settings.js";
import type { IdentityChain } from "./verify/chain.js";
import { fileIn, inputFiles } from "../run/input-files.js";
import { readManagementCluster, type ManagementClusterFile } from "./inputs/management-cluster-file.js";

type VerifySettings = Settings<"verify identities">;

/** The values that are known before sign-in. */
export interface GivenFiles extends Pick<
  IdentityChain,
  "managedIdentities" | "dataPlaneIdentities" | "infra" | "issuerUrl" | "signingKeyPath" | "encryptionKeyId" | "backupKeyId"
> {
  readonly cluster: ManagementClusterFile | undefined;
  /** Path of `infra`. */
  readonly infraPath: string | undefined;
  readonly kubeconfig: Kubeconfig | undefined;
}

/** @throws ARO-FILE-00x for infrastructure, issuer and kubeconfig; for identity files, a check reports it */
export async function givenFiles(settings: VerifySettings, surroundings: Surroundings): Promise<GivenFiles> {
  const { inputDir, dataPlaneIdentitiesFile, kubeconfig } = settings;
  const { managedIdentities, infra, issuerUrl } = await inputFiles(settings);
  const keys = await encryptionKeys(settings);
  return {
    infraPath: infra,
    encryptionKeyId: keys.active,
    backupKeyId: keys.backup,
    cluster: await readManagementCluster(settings.managementClusterFile),
    managedIdentities: managedIdentities === undefined ? undefined : await givenDocument(managedIdentities),
    dataPlaneIdentities: dataPlaneIdentitiesFile === undefined ? undefined : await givenDocument(dataPlaneIdentitiesFile),
    infra: infra === undefined ? undefined : await readInfraOutput(infra),
    issuerUrl,
    kubeconfig:
      kubeconfig === undefined ? undefined : await (await import("../kubernetes/kubeconfig.js")).readKubeconfig(kubeconfig, surroundings),
    signingKeyPath: settings.saTokenIssuerPrivateKeyPath ?? (await fileIn(inputDir, privateKeyFile)),
  };
}

export function identityChain(
  { infraPath: _file, kubeconfig: _kubeconfig, cluster, ...given }: GivenFiles,
  settings: VerifySettings,
  caller: SignedIn,
  kubernetes: Kubernetes | undefined,
  clock: Pick<Clock, "now">,
): IdentityChain {
  const name = settings.name ?? (given.infra === undefined ? undefined : clusterNameIn(given.infra));
  const hostedCluster = name === undefined ? undefined : { namespace: settings.namespace, name };
  return {
    ...given,
    caller,
    managementCluster: kubernetes && { kubernetes, hostedCluster },
    clusterFile: cluster && {
      path: cluster.path,
      clusterId: cluster.input.clusterID,
      addOn: { clientId: cluster.addOn.clientID, objectId: cluster.addOn.objectID },
    },
    watchExpiryDays: settings.watchExpiry,
    customHcpRoles: settings.assignCustomHcpRoles,
    disabledCapabilities: settings.disableClusterCapabilities,
    now: clock.now,
  };
}
