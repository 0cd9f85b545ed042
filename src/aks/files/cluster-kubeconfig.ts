/** The kubeconfig file of one AKS cluster, which no run for another cluster overwrites. */
import { LineCounter } from "yaml";
import { z } from "zod";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { advise, shell } from "../../errors/advice.js";
import { unknownOwner, type OutputFile } from "../../files/output-file.js";
import { parseYaml } from "../../files/parse-yaml.js";
import { readDocument } from "../../files/read.js";
import { kubeconfigText, receivedKubeconfig } from "../../files/received-kubeconfig.js";
import { readTextIfThere } from "../../files/text-file.js";
import { writeText } from "../../files/write.js";

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

/** The file at the path; any other kubeconfig, and one that also has other clusters, users or contexts, is not replaced. */
export function clusterKubeconfig(path: string, clusterId: string): OutputFile {
  return {
    path,
    otherOwner({ text }) {
      const content = kubeconfigSchema.safeParse(valueOf(text)).data;
      const [cluster, ...others] = content?.clusters ?? [];
      if (content === undefined || cluster === undefined) return unknownOwner;
      const recorded = clusterIdIn(cluster.cluster.extensions ?? []);
      if (recorded === undefined) return `a kubeconfig of ${cluster.cluster.server} that another program wrote`;
      if (!sameId(recorded, clusterId)) return `the kubeconfig of ${recorded}`;
      const hasOthers = others.length > 0 || content.users.length > 1 || content.contexts.length > 1;
      return hasOthers ? "a kubeconfig that also has clusters, users or contexts of others" : undefined;
    },
  };
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

/** A file with the same content is left as it is. @throws ARO-RUN-006 */
export async function writeKubeconfig(file: OutputFile, text: string): Promise<void> {
  const existing = await readTextIfThere(file.path);
  if (existing?.text === text && existing.mode === 0o600) return;
  await writeText(file, text, 0o600);
}

/** Undefined for text that is not YAML. The errors of the parser are dropped: they would quote credentials. */
function valueOf(text: string): unknown {
  const parsed = parseYaml(text, new LineCounter());
  return parsed === undefined || parsed.error !== undefined ? undefined : parsed.document.toJS();
}

function clusterIdIn(extensions: readonly z.output<typeof extension>[]): string | undefined {
  return extensions.find(({ name }) => name === extensionName)?.extension.clusterID;
}
