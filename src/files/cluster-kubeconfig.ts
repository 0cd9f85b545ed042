/** The kubeconfig file of one AKS cluster, which records the cluster's resource ID, so that no run overwrites the file of another one. */
import { Document, LineCounter } from "yaml";
import { z } from "zod";
import { sameId } from "../domain/resource-id.js";
import { Failure } from "../errors/failure.js";
import { parseYaml } from "./parse-yaml.js";
import { readDocument } from "./read.js";
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
  users: z.array(z.looseObject({ name: z.string(), user: z.looseObject({ exec: z.looseObject({ command: z.string() }).nullish() }) })),
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
 * The text of AKS with the cluster's ID.
 * @throws ARO-FILE-003 if it is not a kubeconfig of one cluster
 */
export function ownKubeconfig(text: string, clusterId: string): { readonly text: string; readonly command: string | undefined } {
  const parsed = kubeconfigSchema.safeParse(valueOf(text));
  const [cluster] = parsed.data?.clusters ?? [];
  if (!parsed.success || cluster === undefined) {
    throw new Failure("ARO-FILE-003", `AKS returned no usable kubeconfig for ${clusterId}`, {
      because: "it has no cluster with an HTTPS address, or no list of users and contexts",
    });
  }
  const mark = { name: extensionName, extension: { clusterID: clusterId } };
  const others = (cluster.cluster.extensions ?? []).filter(({ name }) => name !== extensionName);
  const clusters = [{ ...cluster, cluster: { ...cluster.cluster, extensions: [...others, mark] } }];
  return {
    text: new Document({ ...parsed.data, clusters }, { schema: "yaml-1.1", aliasDuplicateObjects: false }).toString({ lineWidth: 0 }),
    command: parsed.data.users.find(({ user }) => user.exec)?.user.exec?.command,
  };
}

/** Whole or not at all, readable by its owner only; a file with the same content is left as it is. @throws ARO-RUN-006 */
export async function writeKubeconfig(path: string, text: string): Promise<void> {
  const existing = await readTextIfThere(path);
  if (existing?.text === text && existing.mode === 0o600) return;
  await writeText(path, text, 0o600);
}

/** Undefined for text that is not YAML. The errors of the parser are dropped: they would quote credentials. */
function valueOf(text: string): unknown {
  const parsed = parseYaml(text, new LineCounter());
  return parsed === undefined || parsed.error !== undefined ? undefined : parsed.document.toJS();
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
