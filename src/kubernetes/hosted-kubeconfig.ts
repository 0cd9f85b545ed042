/** The admin kubeconfig of a HostedCluster, which HyperShift keeps in a secret beside it on the management cluster. */
import { CoreV1Api } from "@kubernetes/client-node";
import { Failure } from "../errors/failure.js";
import { apiClient, undefinedIfAbsent } from "./api-client.js";
import type { Kubeconfig } from "./kubeconfig.js";

/** As it is in the secret; without text if the HostedCluster does not exist any more. @throws ARO-FILE-003 if the secret has no kubeconfig */
export async function hostedKubeconfig(
  management: Kubeconfig,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<{ readonly text: string | undefined; readonly from: string }> {
  const { configuration, ask } = apiClient(management, signal);
  const core = new CoreV1Api(configuration);
  const secretName = `${name}-admin-kubeconfig`;
  const from = `secret ${secretName} in ${namespace}`;
  const secret = await ask(`to get ${from}`, () => undefinedIfAbsent(() => core.readNamespacedSecret({ namespace, name: secretName })));
  if (secret === undefined) return { text: undefined, from };
  const value = secret.data?.["kubeconfig"];
  if (value !== undefined) return { text: Buffer.from(value, "base64").toString("utf8"), from };
  throw new Failure("ARO-FILE-003", `the ${from} has no kubeconfig`, {
    next: ["wait until the control plane of the HostedCluster is available"],
  });
}
