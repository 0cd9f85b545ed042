/** `--kubeconfig-output-file`: the kubeconfig of a created cluster. It can contain a key, so that only its owner may read it. */
import type { Azure } from "../../azure/azure.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { ownKubeconfig, writeKubeconfig } from "../files/cluster-kubeconfig.js";
import type { OutputFile } from "../../files/output-file.js";

/**
 * Once the cluster exists. Returns what a person must know to use the file: with kubelogin, the credentials are not in it.
 * @throws ARO-KUBE-004 for a kubeconfig that AKS does not write, ARO-RUN-006 if the file cannot be written
 */
export async function saveKubeconfig(azure: Azure, file: OutputFile, clusterId: string): Promise<string> {
  const { resourceGroup = "", name } = parseResourceId(clusterId);
  const { managedClusters } = await azure.clusters();
  // With local accounts, this user has a certificate or a token; without them, kubelogin signs in. Admin credentials are never needed.
  const { kubeconfigs = [] } = await managedClusters.listClusterUserCredentials(resourceGroup, name, { format: "exec" });
  const { text, command } = ownKubeconfig(Buffer.from(kubeconfigs[0]?.value ?? []).toString("utf8"), clusterId);
  await writeKubeconfig(file, text);
  return command === undefined
    ? `kubeconfig of ${name} written to ${file.path}; it contains credentials`
    : `kubeconfig of ${name} written to ${file.path}; it needs ${command}, which \`kubelogin convert-kubeconfig -l azurecli --kubeconfig FILE\` sets up for the sign-in of az`;
}
