/** What a HostedCluster is made of, gathered from settings and files, each with where it came from. */
import { join } from "node:path";
import { Failure } from "../../errors/failure.js";
import { readAzureCreds } from "../../files/azure-creds.js";
import { readHostedClusterInput } from "../../files/hosted-cluster-input.js";
import { clusterNameIn } from "../../files/infra-output.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import type { HostedClusterFacts, Sourced } from "../../manifests/hosted-cluster.js";
import type { Resolved, SettingKey } from "../../settings/settings.js";
import { readIdentities } from "./identities.js";
import { inputFiles } from "./input-files.js";
import { kmsIdentity } from "./kms-identity.js";

export interface GatheredFacts {
  readonly facts: HostedClusterFacts;
  /** Path of the document of the infrastructure. */
  readonly infraJson: string;
  /** What works but may not be meant, one sentence each. */
  readonly notices: readonly string[];
}

/** @throws ARO-FILE-00x for a file that cannot be used; what is missing is told later, all at once. */
export async function gatherFacts({ settings, origins }: Resolved<"render hosted-cluster">): Promise<GatheredFacts> {
  const { dataPlaneIdentitiesFile, azureCreds, inputDir } = settings;
  const { infra: infraJson, managedIdentities: managedIdentitiesFile, issuerUrl } = await inputFiles(settings);
  if (infraJson === undefined) throw new Failure("ARO-FILE-001", `${inputDir ?? ""} has no ${directoryFiles.infra}`);
  const { input, at } = await readHostedClusterInput(infraJson);
  const files = await readIdentities({ ...settings, managedIdentitiesFile, workloadIdentitiesFile: undefined });
  const creds = azureCreds === undefined ? undefined : await readAzureCreds(azureCreds);

  const fromFile = <Value>(key: string, value: Value | undefined, more = ""): Sourced<Value> => {
    return { value, origin: at([key]), lack: `the file has no ${key}${more}` };
  };
  const given = <Value>(key: SettingKey, flag: string, value: Value | undefined): Sourced<Value> => {
    return { value, origin: origins[key]?.label ?? flag, lack: `give ${flag}` };
  };
  const known = (value: string | undefined, key: "subscriptionID" | "tenantID", ofCreds: string | undefined): Sourced<string> =>
    value === undefined && ofCreds !== undefined
      ? given("azureCreds", "--azure-creds", ofCreds)
      : fromFile(key, value, ", and no --azure-creds is given");

  const nameInFile = clusterNameIn(input);
  const kms = kmsIdentity(settings, files);
  const { encryptionKeyId } = settings;
  const facts: HostedClusterFacts = {
    name: settings.name === undefined ? fromFile("clusterName", nameInFile, ": give --name") : given("name", "--name", settings.name),
    namespace: given("namespace", "--namespace", settings.namespace),
    infraId: fromFile("infraID", input.infraID),
    baseDomain: fromFile("baseDomain", input.baseDomain),
    publicZoneId: fromFile("publicZoneID", input.publicZoneID),
    privateZoneId: fromFile("privateZoneID", input.privateZoneID),
    issuerUrl:
      settings.oidcIssuerUrl === undefined && inputDir !== undefined
        ? { value: issuerUrl, origin: join(inputDir, directoryFiles.discovery), lack: "give --oidc-issuer-url" }
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
        ? fromFile("controlPlaneMIs", input.controlPlaneMIs?.controlPlane, ": give --managed-identities-file")
        : { value: files.controlPlane, origin: String(managedIdentitiesFile), lack: "" },
    dataPlane:
      files.dataPlane === undefined
        ? fromFile("dataPlaneIdentities", input.dataPlaneIdentities, ": give --data-plane-identities-file")
        : { value: files.dataPlane, origin: dataPlaneIdentitiesFile ?? String(managedIdentitiesFile), lack: "" },
    encryptionKey: given(
      "encryptionKeyId",
      "--encryption-key-id",
      encryptionKeyId === undefined ? undefined : parseEncryptionKeyId(encryptionKeyId),
    ),
    kms: {
      value: kms,
      origin: origins.kmsCredentialsSecretName?.label ?? managedIdentitiesFile ?? "--kms-credentials-secret-name",
      lack: "give --kms-credentials-secret-name, or a combined file that has a kms identity",
    },
    disabledCapabilities: given("disableClusterCapabilities", "--disable-cluster-capabilities", settings.disableClusterCapabilities),
  };
  const notices = [
    ...(creds?.notices ?? []),
    ...(settings.name !== undefined && nameInFile !== undefined && settings.name !== nameInFile
      ? [`the HostedCluster is named "${settings.name}", but ${infraJson} is of "${nameInFile}": its private zone has that name`]
      : []),
    ...(kms && encryptionKeyId === undefined
      ? ["there is an identity for kms: with --encryption-key-id, etcd is encrypted by a key of yours"]
      : []),
  ];
  return { facts, infraJson, notices };
}
