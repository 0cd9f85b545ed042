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
  const sources = await readSources(resolved);
  const { infraFile, input } = sources;
  return { facts: factsOf(sources), infraFile, bootImageId: input.bootImageID, notices: noticesOf(sources) };
}

/** What the facts are taken from. */
type Sources = Awaited<ReturnType<typeof readSources>>;

async function readSources(resolved: Resolved<"render hosted-cluster">) {
  const { azureCreds, inputDir, managementClusterFile } = resolved.settings;
  const { infra: infraFile, managedIdentities: managedIdentitiesFile, issuerUrl } = await inputFiles(resolved.settings);
  if (infraFile === undefined) throw new Failure("ARO-FILE-001", `${inputDir ?? ""} has no ${directoryFiles.infra}`);
  const { input, at } = await readHostedClusterInput(infraFile);
  await requireSameDirectory(resolved, input);
  const cluster = await readManagementCluster(managementClusterFile);
  const instead = "leave out --management-cluster-file";
  requireSamePlace(cluster, infraPlace(input), infraFile, instead);
  const { settings, origins } = await withFileRecord(resolved, input.options, infraFile);
  const identities = await readIdentities({ ...settings, managedIdentitiesFile });
  requireSamePlace(cluster, { tenantId: identities.controlPlane?.managedIdentitiesKeyVault.tenantID }, String(managedIdentitiesFile));
  const creds = azureCreds === undefined ? undefined : await readAzureCreds(azureCreds);
  requireSamePlace(cluster, { subscriptionId: creds?.subscriptionId, tenantId: creds?.tenantId }, String(azureCreds), instead);
  const [kms, workload] = [kmsIdentity(settings, identities), workloadOf(identities, input)];
  const keys = await encryptionKeys(settings);
  return { settings, origins, infraFile, input, at, issuerUrl, cluster, managedIdentitiesFile, identities, creds, kms, workload, keys };
}

/** The file of --infra-file, and the one in the directory. */
async function requireSameDirectory({ settings }: Resolved<"render hosted-cluster">, input: HostedClusterInput): Promise<void> {
  const file = settings.infraFile === undefined ? undefined : await fileIn(settings.inputDir, directoryFiles.infra);
  if (file === undefined) return;
  const { clusterName: name, infraID: infraId, subscriptionID: subscription } = await readInfraOutput(file);
  const origin = { source: "file", label: file } as const;
  requireSameCluster({ name, infraId, subscription }, { name: origin, infraId: origin, subscription: origin }, input);
}

function factsOf(sources: Sources): HostedClusterFacts {
  const { settings, input, issuerUrl } = sources;
  const { fromFile, given } = readersOf(sources);
  const { name, namespace, inputDir, oidcIssuerUrl } = settings;
  const discovery = inputDir === undefined ? undefined : join(inputDir, directoryFiles.discovery);
  return {
    name: name === undefined ? fromFile("clusterName", clusterNameIn(input), "; pass --name") : given("name", "--name", name),
    namespace: given("namespace", "--namespace", namespace),
    infraId: fromFile("infraID", input.infraID),
    baseDomain: fromFile("baseDomain", input.baseDomain),
    publicZoneId: fromFile("publicZoneID", input.publicZoneID),
    privateZoneId: fromFile("privateZoneID", input.privateZoneID),
    issuerUrl:
      oidcIssuerUrl === undefined && discovery !== undefined
        ? { value: issuerUrl, origin: discovery, lack: "pass --oidc-issuer-url" }
        : given("oidcIssuerUrl", "--oidc-issuer-url", oidcIssuerUrl),
    cloud: fromFile("cloud", input.cloud),
    location: fromFile("region", input.region),
    resourceGroup: fromFile("resourceGroupName", input.resourceGroupName),
    vnetId: fromFile("vnetID", input.vnetID),
    subnetId: fromFile("subnetID", input.subnetID),
    securityGroupId: fromFile("securityGroupID", input.securityGroupID),
    ...accountOf(sources),
    ...identitiesOf(sources),
    ...encryptionOf(sources),
    disabledCapabilities: given("disableClusterCapabilities", "--disable-cluster-capabilities", settings.disableClusterCapabilities),
  };
}

/** The values of the document and of the flags, each with what to do if it is missing. */
function readersOf({ at, origins }: Pick<Sources, "at" | "origins">) {
  return {
    fromFile<Value>(key: string, value: Value | undefined, more = ""): Sourced<Value> {
      return { value, origin: at([key]), lack: `the file has no ${key}${more}` };
    },
    given<Value>(key: SettingKey, flag: string, value: Value | undefined): Sourced<Value> {
      return { value, origin: origins[key]?.label ?? flag, lack: `pass ${flag}` };
    },
  };
}

function accountOf(sources: Sources): Pick<HostedClusterFacts, "subscriptionId" | "tenantId"> {
  const { input, cluster, creds } = sources;
  const { fromFile, given } = readersOf(sources);
  const known = (value: string | undefined, key: "subscriptionID" | "tenantID", ofCreds: string | undefined): Sourced<string> => {
    if (value === undefined && ofCreds !== undefined) return given("azureCreds", "--azure-creds", ofCreds);
    if (value === undefined && cluster !== undefined) return { value: cluster.input[key], origin: cluster.at(key), lack: "" };
    return fromFile(key, value, ", and neither --azure-creds nor --management-cluster-file was passed");
  };
  return {
    subscriptionId: known(input.subscriptionID, "subscriptionID", creds?.subscriptionId),
    tenantId: known(input.tenantID, "tenantID", creds?.tenantId),
  };
}

function identitiesOf(sources: Sources): Pick<HostedClusterFacts, "controlPlane" | "dataPlane" | "workload" | "kmsClientId"> {
  const { settings, input, at, managedIdentitiesFile, identities, workload } = sources;
  const { fromFile } = readersOf(sources);
  const { dataPlaneIdentitiesFile, workloadIdentitiesFile } = settings;
  return {
    controlPlane:
      identities.controlPlane === undefined
        ? fromFile("controlPlaneMIs", input.controlPlaneMIs?.controlPlane, "; pass --managed-identities-file")
        : { value: identities.controlPlane, origin: String(managedIdentitiesFile), lack: "" },
    dataPlane:
      identities.dataPlane === undefined
        ? fromFile("dataPlaneIdentities", input.dataPlaneIdentities, "; pass --data-plane-identities-file")
        : { value: identities.dataPlane, origin: dataPlaneIdentitiesFile ?? String(managedIdentitiesFile), lack: "" },
    workload: { value: workload, origin: workloadIdentitiesFile ?? at(["workloadIdentities"]), lack: "pass --workload-identities-file" },
    kmsClientId: {
      value: workload?.kmsClientID,
      origin: workloadIdentitiesFile ?? at(["kmsClientID"]),
      lack: "run create iam with --enable-kms, and pass its file as --workload-identities-file",
    },
  };
}

function encryptionOf(sources: Sources): Pick<HostedClusterFacts, "encryptionKey" | "backupKey" | "kms"> {
  const { settings, origins, managedIdentitiesFile, keys, kms } = sources;
  const { given } = readersOf(sources);
  const keyOf = (key: "encryptionKeyId" | "backupEncryptionKeyId", flag: string, id: string | undefined) => {
    const value = id === undefined ? undefined : parseEncryptionKeyId(id);
    const isInFile = keys.file !== undefined && settings[key] === undefined;
    return isInFile ? { value, origin: keys.file, lack: `pass ${flag}` } : given(key, flag, value);
  };
  return {
    encryptionKey: keyOf("encryptionKeyId", "--encryption-key-id", keys.active),
    backupKey: keyOf("backupEncryptionKeyId", "--backup-encryption-key-id", keys.backup),
    kms: {
      value: kms,
      origin: origins.kmsCredentialsSecretName?.label ?? managedIdentitiesFile ?? "--kms-credentials-secret-name",
      lack: "pass --kms-credentials-secret-name, or a combined file with a KMS identity",
    },
  };
}

function noticesOf({ settings: { name }, infraFile, input, creds, kms, workload, keys }: Sources): string[] {
  const inFile = clusterNameIn(input);
  const isOtherName = name !== undefined && inFile !== undefined && name !== inFile;
  const hasUnusedKms = (kms ?? workload?.kmsClientID) !== undefined && keys.active === undefined;
  const other = `the name of the HostedCluster is "${String(name)}", but ${infraFile} belongs to "${String(inFile)}", whose private DNS zone has that name`;
  return [
    ...(creds?.notices ?? []),
    ...(isOtherName ? [other] : []),
    ...(hasUnusedKms ? ["a KMS identity exists; pass --encryption-key-id to encrypt etcd with your own key"] : []),
  ];
}

/** As in hypershift, a cluster whose infrastructure file has workload identities is self-managed. A file of managed identities has precedence. */
function workloadOf(files: Identities, input: HostedClusterInput): WorkloadIdentities | undefined {
  return files.workload ?? (files.controlPlane === undefined ? workloadIn(input) : undefined);
}
