/** The admin kubeconfig of a HostedCluster, which HyperShift keeps in a secret beside it on the management cluster. */
import { CoreV1Api } from "@kubernetes/client-node";
import { Failure } from "../errors/failure.js";
import { apiClient, undefinedIfAbsent } from "./api-client.js";
import type { Kubeconfig } from "./kubeconfig.js";

/** Undefined if the HostedCluster does not exist any more. @throws ARO-FILE-003 if the secret has no kubeconfig */
export async function hostedKubeconfig(
  management: Kubeconfig,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { configuration, ask } = apiClient(management, signal);
  const core = new CoreV1Api(configuration);
  const secretName = `${name}-admin-kubeconfig`;
  const secret = await ask(`to get secret ${secretName} in ${namespace}`, () =>
    undefinedIfAbsent(() => core.readNamespacedSecret({ namespace, name: secretName })),
  );
  if (secret === undefined) return undefined;
  const value = secret.data?.["kubeconfig"];
  if (value !== undefined) return Buffer.from(value, "base64").toString("utf8");
  throw new Failure("ARO-FILE-003", `the secret ${secretName} in ${namespace} has no kubeconfig`, {
    next: ["wait until the control plane of the HostedCluster is available"],
  });
}
