/** `--kubeconfig-output-file`: the kubeconfig of a created cluster. It can contain a key, so that only its owner may read it. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { kubeconfigOwner, ownKubeconfig, writeKubeconfig } from "../../files/cluster-kubeconfig.js";
import { checkWritable } from "../../files/write.js";

const flag = "--kubeconfig-output-file";

/**
 * Before the first write to Azure.
 * @throws ARO-FILE-004 for any file that is not a kubeconfig of this cluster alone, and for a path that cannot be written
 */
export async function requireOwnKubeconfig(azure: Azure, path: string | undefined, clusterId: string): Promise<void> {
  if (path === undefined) return;
  const owner = await kubeconfigOwner(path, clusterId, () => serverOf(azure, clusterId));
  if (typeof owner === "object") {
    throw new Failure("ARO-FILE-004", `${flag}: ${path} is not the kubeconfig of this cluster alone, and would be overwritten`, {
      because: owner.because,
      next: [
        advise`choose another ${flag}, or delete the file if nobody needs it; ${shell`kubectl --kubeconfig FILE`} uses a file of its own`,
      ],
    });
  }
  await checkWritable(path);
}

/**
 * Once the cluster exists. Returns what a person must know to use the file: with kubelogin, the credentials are not in it.
 * @throws ARO-KUBE-004 for a kubeconfig that AKS does not write, ARO-RUN-006 if the file cannot be written
 */
export async function saveKubeconfig(azure: Azure, path: string, clusterId: string): Promise<string> {
  const { resourceGroup = "", name } = parseResourceId(clusterId);
  const { managedClusters } = await azure.clusters();
  // With local accounts, this user has a certificate or a token; without them, kubelogin signs in. Admin credentials are never needed.
  const { kubeconfigs = [] } = await managedClusters.listClusterUserCredentials(resourceGroup, name, { format: "exec" });
  const { text, command } = ownKubeconfig(Buffer.from(kubeconfigs[0]?.value ?? []).toString("utf8"), clusterId);
  await writeKubeconfig(path, text);
  return command === undefined
    ? `kubeconfig of ${name} written to ${path}; it contains credentials`
    : `kubeconfig of ${name} written to ${path}; it needs ${command}, which \`kubelogin convert-kubeconfig -l azurecli --kubeconfig FILE\` sets up for the sign-in of az`;
}

/** Hostname of the API server; undefined if the cluster does not exist. */
async function serverOf(azure: Azure, clusterId: string): Promise<string | undefined> {
  const { resourceGroup = "", name } = parseResourceId(clusterId);
  const { managedClusters } = await azure.clusters();
  return (await found(managedClusters.get(resourceGroup, name)))?.fqdn;
}
