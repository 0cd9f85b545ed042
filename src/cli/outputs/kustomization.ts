/** A directory for `kubectl apply -k`: the manifests of a hosted cluster, and its Secrets in files that only their owner can read. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../../errors/failure.js";
import { etcdKeyBytes, readEtcdKey } from "../../files/etcd-key-secret.js";
import { readPullSecret } from "../../files/pull-secret.js";
import { makeDirectory, readText, readTextIfThere, writeText } from "../../files/text-file.js";
import { clusterSecrets, etcdKeySecret, type ClusterKey, type SecretSources } from "../../manifests/cluster-secrets.js";
import { manifestsText } from "../../manifests/text.js";
import type { Screens } from "../../render/screen.js";
import { fileIn } from "../inputs/input-files.js";

const files = {
  kustomization: "kustomization.yaml",
  namespace: "namespace.yaml",
  secrets: "secrets.yaml",
  /** Apart from the others, because a rerun reads it. */
  etcdKey: "etcd-encryption-key.yaml",
  cluster: "hosted-cluster.yaml",
  nodePools: "node-pools.yaml",
} as const;

export interface ClusterManifests {
  readonly namespace: object;
  readonly cluster: object & { readonly metadata: ClusterKey };
  readonly nodePools: readonly object[];
}

/** Returns notices about the given files. @throws ARO-FILE-00x; ARO-FILE-004 for a directory with manifests of another cluster */
export async function writeKustomization(
  { namespace, cluster, nodePools }: ClusterManifests,
  sources: SecretSources,
  directory: string,
  { people }: Screens,
): Promise<readonly string[]> {
  const header = `# Written by aro-hcp for ${JSON.stringify(`${cluster.metadata.namespace}/${cluster.metadata.name}`)}\n`;
  await requireOwn(directory, header);
  const { pullSecretFile = "", sshKeyFile, signingKeyFile, needsEtcdKey, subscriptionId, tenantId } = sources;
  const { notices } = await readPullSecret(pullSecretFile);
  const secrets = clusterSecrets(cluster.metadata, {
    pullSecret: (await readText(pullSecretFile)).text,
    sshKey: sshKeyFile === undefined ? undefined : await readPublicKey(sshKeyFile),
    signingKey: await readSigningKey(signingKeyFile),
    subscriptionId,
    tenantId,
  });
  const etcdKey = needsEtcdKey ? [etcdKeySecret(cluster.metadata, await etcdKeyOf(directory))] : [];
  const contents: readonly (readonly [file: string, manifests: readonly object[], mode: 0o600 | 0o644])[] = [
    [files.namespace, [namespace], 0o644],
    [files.secrets, secrets, 0o600],
    [files.etcdKey, etcdKey, 0o600],
    [files.cluster, [cluster], 0o644],
    [files.nodePools, nodePools, 0o644],
  ];
  const resources = contents.filter(([, manifests]) => manifests.length > 0);
  await makeDirectory(directory, Object.values(files));
  // The first: by its header, the rerun of an interrupted run knows the other files.
  const list = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources: resources.map(([file]) => file) };
  await writeText(join(directory, files.kustomization), header + manifestsText([list], "yaml"), 0o644);
  for (const [file, manifests, mode] of resources) await writeText(join(directory, file), manifestsText(manifests, "yaml"), mode);
  people.print(`written to ${directory}; apply it with kubectl apply -k`);
  return notices;
}

/** @throws ARO-FILE-004 for a directory with files of these names that no run for this cluster wrote */
async function requireOwn(directory: string, header: string): Promise<void> {
  const kustomization = await readTextIfThere(join(directory, files.kustomization));
  if (kustomization?.text.startsWith(header) === true) return;
  for (const file of Object.values(files)) {
    if ((await fileIn(directory, file)) === undefined) continue;
    throw new Failure("ARO-FILE-004", `${directory} contains ${file}, which was not written for this hosted cluster`, {
      because: "the run would overwrite it",
      next: ["choose another --output-dir, or delete the old files if nobody needs them"],
    });
  }
}

/** Never a private key: the Secret is for the nodes. */
async function readPublicKey(file: string): Promise<string> {
  const { text } = await readText(file);
  if (/^(?:ssh-|ecdsa-|sk-)\S+ [\w+/=]+(?: .*)?\s*$/.test(text)) return text;
  throw new Failure("ARO-FILE-003", `${file} is not a public SSH key`, { next: ["pass the file whose name ends in .pub"] });
}

async function readSigningKey(file: string): Promise<string> {
  const { text } = await readText(file);
  if (/^-----BEGIN (?:RSA )?PRIVATE KEY-----/m.test(text)) return text;
  throw new Failure("ARO-FILE-003", `${file} is not a private key in PEM`, {
    next: ["pass the serviceaccount-signer.private of create key-pair with --sa-token-issuer-private-key-path"],
  });
}

/**
 * The key that an earlier run created, because the API server could not read etcd with another one; or a new key.
 * @throws ARO-FILE-00x for a file without the key
 */
async function etcdKeyOf(directory: string): Promise<Buffer> {
  const file = await fileIn(directory, files.etcdKey);
  return file === undefined ? randomBytes(etcdKeyBytes) : readEtcdKey(file);
}
