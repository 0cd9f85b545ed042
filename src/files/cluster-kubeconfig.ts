/** The kubeconfig file of one AKS cluster, which records the cluster's resource ID, so that no run overwrites the file of another one. */
import { z } from "zod";
import { parseResourceId, sameId } from "../domain/resource-id.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { readDocument } from "./read.js";
import { kubeconfigText, receivedKubeconfig } from "./received-kubeconfig.js";
import { readTextIfThere, writeText } from "./text-file.js";

/** Kubernetes clients keep extensions that they do not know, under names of their owners. */
const extensionName = "aro-hcp";
const extension = z.looseObject({ name: z.string(), extension: z.looseObject({ clusterID: z.string().optional() }) });

const kubeconfigSchema = z.looseObject({
  kind: z.literal("Config"),
  clusters: z.array(
    z.looseObject({
      name: z.string(),
      cluster: z.looseObject({ server: z.url({ protocol: /^https$/ }), extensions: z.array(extension).nullish() }),
    }),
  ),
  contexts: z.array(z.unknown()),
  users: z.array(z.unknown()),
});

type KubeconfigContent = z.output<typeof kubeconfigSchema>;

/** What an existing file is: nothing, a file of this cluster, or the reason why it may not be overwritten. */
export type KubeconfigOwner = "nobody" | "this-cluster" | { readonly because: string };

/** `server` is that of the cluster, undefined if it does not exist: a file that other programs wrote has only that. */
export async function kubeconfigOwner(
  path: string,
  clusterId: string,
  server: () => Promise<string | undefined>,
): Promise<KubeconfigOwner> {
  const existing = await readTextIfThere(path);
  if (existing === undefined || existing.text.trim() === "") return "nobody";
  const content = await contentIfAny(path);
  const [cluster, ...others] = content?.clusters ?? [];
  if (content === undefined || cluster === undefined) return { because: "it is not a kubeconfig" };
  if (others.length > 0 || content.users.length > 1 || content.contexts.length > 1) {
    return { because: "it also has clusters, users or contexts that do not belong to this cluster" };
  }
  const recorded = clusterIdIn(cluster.cluster.extensions ?? []);
  if (recorded !== undefined) return sameId(recorded, clusterId) ? "this-cluster" : { because: `it is the kubeconfig of ${recorded}` };
  const own = await server();
  if (own !== undefined && hostOf(cluster.cluster.server) === own.toLowerCase()) return "this-cluster";
  return { because: `it is a kubeconfig of ${cluster.cluster.server}` };
}

/** The cluster's ID in a kubeconfig of this program; undefined for other files. */
export async function kubeconfigClusterId(path: string): Promise<string | undefined> {
  const { value } = await readDocument(path);
  const [cluster] = kubeconfigSchema.safeParse(value).data?.clusters ?? [];
  return clusterIdIn(cluster?.cluster.extensions ?? []);
}

/**
 * The kubeconfig that AKS sent, rebuilt, with the cluster's ID.
 * @throws ARO-KUBE-004 if it contains anything but an address and credentials, or kubelogin
 */
export function ownKubeconfig(text: string, clusterId: string): { readonly text: string; readonly command: string | undefined } {
  const { resourceGroup = "", name } = parseResourceId(clusterId);
  const inspect = shell`az aks get-credentials --resource-group ${resourceGroup} --name ${name} --file FILE`;
  const received = receivedKubeconfig(text, {
    from: `AKS cluster ${clusterId}`,
    mayRunKubelogin: true,
    next: [advise`read what ${inspect} writes before you use it: AKS does not write such members`],
  });
  return {
    text: kubeconfigText(received, [{ name: extensionName, extension: { clusterID: clusterId } }]),
    command: received.user.exec?.command,
  };
}

/** Whole or not at all, readable by its owner only; a file with the same content is left as it is. @throws ARO-RUN-006 */
export async function writeKubeconfig(path: string, text: string): Promise<void> {
  const existing = await readTextIfThere(path);
  if (existing?.text === text && existing.mode === 0o600) return;
  await writeText(path, text, 0o600);
}

async function contentIfAny(path: string): Promise<KubeconfigContent | undefined> {
  try {
    return kubeconfigSchema.safeParse((await readDocument(path)).value).data;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function clusterIdIn(extensions: readonly z.output<typeof extension>[]): string | undefined {
  return extensions.find(({ name }) => name === extensionName)?.extension.clusterID;
}

function hostOf(server: string): string {
  return new URL(server).hostname.toLowerCase();
}
