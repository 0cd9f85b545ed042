/** A directory for `kubectl apply -k`: the manifests of a hosted cluster, and its Secrets in private files. */
import type { Random } from "../azure/random.js";
import { shellWord } from "../errors/shell-word.js";
import { Failure } from "../errors/failure.js";
import { etcdKeyBytes, readEtcdKey } from "./files/etcd-key-secret.js";
import { readPullSecret } from "./files/pull-secret.js";
import { readText } from "../files/text-file.js";
import type { Writer } from "../files/written-mark.js";
import { clusterSecrets, etcdKeySecret, type ClusterKey, type SecretSources } from "./manifests/cluster-secrets.js";
import type { Screens } from "../render/screen.js";
import { fileIn } from "../run/input-files.js";
import { writeManifestFiles, type NamedManifests } from "../run/manifest-output.js";

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
  { directory, writer, random }: { readonly directory: string; readonly writer: Writer; readonly random: Random },
  { people }: Screens,
): Promise<readonly string[]> {
  const { pullSecretFile = "", sshKeyFile, signingKeyFile, needsEtcdKey, subscriptionId, tenantId } = sources;
  const { notices } = await readPullSecret(pullSecretFile);
  const secrets = clusterSecrets(cluster.metadata, {
    pullSecret: (await readText(pullSecretFile)).text,
    sshKey: sshKeyFile === undefined ? undefined : await readPublicKey(sshKeyFile),
    signingKey: await readSigningKey(signingKeyFile),
    subscriptionId,
    tenantId,
  });
  const etcdKey = needsEtcdKey ? [etcdKeySecret(cluster.metadata, await etcdKeyOf(directory, random))] : [];
  const contents: readonly NamedManifests[] = [
    { name: files.namespace, manifests: [namespace], mode: 0o644 },
    { name: files.secrets, manifests: secrets, mode: 0o600 },
    { name: files.etcdKey, manifests: etcdKey, mode: 0o600 },
    { name: files.cluster, manifests: [cluster], mode: 0o644 },
    { name: files.nodePools, manifests: nodePools, mode: 0o644 },
  ];
  const resources = contents.filter(({ manifests }) => manifests.length > 0);
  const list = { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources: resources.map(({ name }) => name) };
  await writeManifestFiles(directory, [{ name: files.kustomization, manifests: [list], mode: 0o644 }, ...resources], "yaml", writer);
  people.print(`written to ${directory}; apply it with \`kubectl apply -k ${shellWord(directory)}\``);
  return notices;
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
async function etcdKeyOf(directory: string, random: Random): Promise<Buffer> {
  const file = await fileIn(directory, files.etcdKey);
  return file === undefined ? random.bytes(etcdKeyBytes) : readEtcdKey(file);
}
