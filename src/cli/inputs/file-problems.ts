/** What is wrong with the files that a command reads, each by its own reader. A command reads them one after the other, so it would report one. */
import { optionalFields } from "../../domain/components.js";
import { Failure, type Problem } from "../../errors/failure.js";
import { readAksCluster } from "../../files/aks-cluster-output.js";
import { readArcSecrets } from "../../arc/files/arc-secrets-output.js";
import { readAzureCreds } from "../../files/azure-creds.js";
import { readExternalDns } from "../../dns-zone/files/external-dns.js";
import { readDataPlaneIdentities, readManagedIdentities, readWorkloadIdentities } from "../../files/identity-files.js";
import { readPullSecret } from "../../hosted-cluster/files/pull-secret.js";
import { readDocument } from "../../files/read.js";
import { readText } from "../../files/text-file.js";
import type { InputFile } from "../../settings/input-files.js";
import type { SettingKey } from "../../settings/settings.js";

/** Accepts what any command accepts. */
const reading = { disabledCapabilities: optionalFields.map(({ capability }) => capability) };

/** Commands read files of the other options in different ways. */
const readers: Readonly<Partial<Record<SettingKey, (path: string) => Promise<unknown>>>> = {
  azureCreds: readAzureCreds,
  managedIdentitiesFile: (path) => readManagedIdentities(path, reading),
  dataPlaneIdentitiesFile: readDataPlaneIdentities,
  workloadIdentitiesFile: (path) => readWorkloadIdentities(path, reading),
  managementClusterJson: (path) => readAksCluster(path, "management-cluster"),
  serviceClusterJson: (path) => readAksCluster(path, "service-cluster"),
  arcSecretsJson: readArcSecrets,
  externalDnsCredentials: readExternalDns,
  pullSecret: readPullSecret,
  infraJson: readDocument,
  kubeconfig: readDocument,
  managementKubeconfig: readDocument,
};

/** The problems of each file that has any. */
export async function fileProblems(files: readonly InputFile[]): Promise<readonly (readonly Problem[])[]> {
  const found = await Promise.all(files.map(problemsOf));
  return found.filter(({ length }) => length > 0);
}

async function problemsOf({ key, path, label }: InputFile): Promise<readonly Problem[]> {
  try {
    await (readers[key] ?? readText)(path);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ origin: label, message: error.message }, ...error.problems];
  }
}
