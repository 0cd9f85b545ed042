/** The values of a HostedCluster, collected from settings and files, each with its source. */
import { readIdentities, type Identities, withFileRecord, requireSameCluster } from "../../infra/index.js";
import { encryptionKeys } from "../../encryption-key/index.js";
import { infraPlace, readManagementCluster, requireSamePlace, kmsIdentity } from "../../identities/index.js";
import { join } from "node:path";
import { Failure } from "../../errors/failure.js";
import { readAzureCreds } from "../../files/azure-creds.js";
import { readHostedClusterInput, type HostedClusterInput } from "../../files/hosted-cluster-input.js";
import { workloadIn } from "../../files/infra-identities.js";
import { clusterNameIn, readInfraOutput } from "../../files/infra-output.js";
import type { WorkloadIdentities } from "../../files/identity-schemas.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import type { HostedClusterFacts, Sourced } from "../manifests/hosted-cluster.js";
import type { Resolved, SettingKey } from "../../settings/settings.js";
import { fileIn, inputFiles } from "../../run/input-files.js";

export interface GatheredFacts {
  readonly facts: HostedClusterFacts;
  /** Path of the infrastructure document. */
  readonly infraFile: string;
  /** The image in that document. */
  readonly bootImageId: string | undefined;
  /** Notices about valid but probably unintended settings, one sentence each. */
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-00x for an unusable file. Missing values are reported later, all together. */
export async function gatherFacts(resolved: Resolved<"render hosted-cluster">): Promise<GatheredFacts> {
  const { dataPlaneIdentitiesFile, azureCreds, inputDir } = resolved.settings;
  const { infra: infraFile, managedIdentities: managedIdentitiesFile, issuerUrl } = await inputFiles(resolved.settings);
  if (infraFile === undefined) throw new Failure("ARO-FILE-001", `${inputDir ?? ""} has no ${directoryFiles.infra}`);
  const { input, at } = await readHostedClusterInput(infraFile);
  const inDirectory = resolved.settings.infraFile === undefined ? undefined : await fileIn(inputDir, directoryFiles.infra);
  if (inDirectory !== undefined) {
    const { clusterName: name, infraID: infraId, subscriptionID: subscription } = await readInfraOutput(inDirectory);
    const origin = { source: "file", label: inDirectory } as const;
    requireSameCluster({ name, infraId, subscription }, { name: origin, infraId: origin, subscription: origin }, input);
  }
  const cluster = await readManagementCluster(resolved.settings.managementClusterFile);
  const instead = "leave out --management-cluster-file";
  requireSamePlace(cluster, infraPlace(input), infraFile, instead);
  const { settings, origins } = await withFileRecord(resolved, input.options, infraFile);
  const { workloadIdentitiesFile } = settings;
  const files = await readIdentities({ ...settings, managedIdentitiesFile });
  requireSamePlace(cluster, { tenantId: files.controlPlane?.managedIdentitiesKeyVault.tenantID }, String(managedIdentitiesFile));
  const creds = azureCreds === undefined ? undefined : await readAzureCreds(azureCreds);
  requireSamePlace(cluster, { subscriptionId: creds?.subscriptionId, tenantId: creds?.tenantId }, String(azureCreds), instead);

  const fromFile = <Value>(key: string, value: Value | undefined, more = ""): Sourced<Value> => {
    return { value, origin: at([key]), lack: `the file has no ${key}${more}` };
  };
  const given = <Value>(key: SettingKey, flag: string, value: Value | undefined): Sourced<Value> => {
    return { value, origin: origins[key]?.label ?? flag, lack: `pass ${flag}` };
  };
  const known = (value: string | undefined, key: "subscriptionID" | "tenantID", ofCreds: string | undefined): Sourced<string> => {
    if (value === undefined && ofCreds !== undefined) return given("azureCreds", "--azure-creds", ofCreds);
    if (value === undefined && cluster !== undefined) return { value: cluster.input[key], origin: cluster.at(key), lack: "" };
    return fromFile(key, value, ", and neither --azure-creds nor --management-cluster-file was passed");
  };

  const nameInFile = clusterNameIn(input);
  const kms = kmsIdentity(settings, files);
  const workload = workloadOf(files, input);
  const keys = await encryptionKeys(settings);
  const keyOf = (
    setting: "encryptionKeyId" | "backupEncryptionKeyId",
    flag: string,
    id: string | undefined,
  ): HostedClusterFacts["encryptionKey"] => {
    const value = id === undefined ? undefined : parseEncryptionKeyId(id);
    const isInFile = keys.file !== undefined && settings[setting] === undefined;
    return isInFile ? { value, origin: keys.file, lack: `pass ${flag}` } : given(setting, flag, value);
  };
  const facts: HostedClusterFacts = {
    name: settings.name === undefined ? fromFile("clusterName", nameInFile, "; pass --name") : given("name", "--name", settings.name),
    namespace: given("namespace", "--namespace", settings.namespace),
    infraId: fromFile("infraID", input.infraID),
    baseDomain: fromFile("baseDomain", input.baseDomain),
    publicZoneId: fromFile("publicZoneID", input.publicZoneID),
    privateZoneId: fromFile("privateZoneID", input.privateZoneID),
    issuerUrl:
      settings.oidcIssuerUrl === undefined && inputDir !== undefined
        ? { value: issuerUrl, origin: join(inputDir, directoryFiles.discovery), lack: "pass --oidc-issuer-url" }
        : given("oidcIssuerUrl", "--oidc-issuer-url", settings.oidcIssuerUrl),
    cloud: fromFile("cloud", input.cloud),
    location: fromFile("region", input.region),
    resourceGroup: fromFile("resourceGroupName", input.resourceGroupName),
    vnetId: fromFile("vnetID", input.vnetID),
    subnetId: fromFile("subnetID", input.subnetID),
    securityGroupId: fromFile("securityGroupID", input.securityGroupID),
    subscriptionId: known(input.subscriptionID, "subscriptionID", creds?.subscriptionId),
    tenantId: known(input.tenantID, "tenantID", creds?.tenantId),
    controlPlane:
      files.controlPlane === undefined
        ? fromFile("controlPlaneMIs", input.controlPlaneMIs?.controlPlane, "; pass --managed-identities-file")
        : { value: files.controlPlane, origin: String(managedIdentitiesFile), lack: "" },
    dataPlane:
      files.dataPlane === undefined
        ? fromFile("dataPlaneIdentities", input.dataPlaneIdentities, "; pass --data-plane-identities-file")
        : { value: files.dataPlane, origin: dataPlaneIdentitiesFile ?? String(managedIdentitiesFile), lack: "" },
    workload: { value: workload, origin: workloadIdentitiesFile ?? at(["workloadIdentities"]), lack: "pass --workload-identities-file" },
    kmsClientId: {
      value: workload?.kmsClientID,
      origin: workloadIdentitiesFile ?? at(["kmsClientID"]),
      lack: "run create iam with --enable-kms, and pass its file as --workload-identities-file",
    },
    encryptionKey: keyOf("encryptionKeyId", "--encryption-key-id", keys.active),
    backupKey: keyOf("backupEncryptionKeyId", "--backup-encryption-key-id", keys.backup),
    kms: {
      value: kms,
      origin: origins.kmsCredentialsSecretName?.label ?? managedIdentitiesFile ?? "--kms-credentials-secret-name",
      lack: "pass --kms-credentials-secret-name, or a combined file with a KMS identity",
    },
    disabledCapabilities: given("disableClusterCapabilities", "--disable-cluster-capabilities", settings.disableClusterCapabilities),
  };
  const notices = [
    ...(creds?.notices ?? []),
    ...(settings.name !== undefined && nameInFile !== undefined && settings.name !== nameInFile
      ? [
          `the name of the HostedCluster is "${settings.name}", but ${infraFile} belongs to "${nameInFile}", whose private DNS zone has that name`,
        ]
      : []),
    ...((kms ?? workload?.kmsClientID) !== undefined && keys.active === undefined
      ? ["a KMS identity exists; pass --encryption-key-id to encrypt etcd with your own key"]
      : []),
  ];
  return { facts, infraFile, bootImageId: input.bootImageID, notices };
}

/** As in hypershift, a cluster whose infrastructure file has workload identities is self-managed. A file of managed identities has precedence. */
function workloadOf(files: Identities, input: HostedClusterInput): WorkloadIdentities | undefined {
  return files.workload ?? (files.controlPlane === undefined ? workloadIn(input) : undefined);
}
