/** The Secrets beside a HostedCluster, named and filled as hypershift's `create cluster azure` does. */
import { secretNames } from "../../domain/hosted-cluster-choices.js";
import { shellWord } from "../../errors/shell-word.js";
import { etcdKeyBytes } from "../files/etcd-key-secret.js";

export interface ClusterKey {
  readonly name: string;
  readonly namespace: string;
}

export interface ClusterSecret {
  readonly apiVersion: "v1";
  readonly kind: "Secret";
  readonly metadata: ClusterKey & { readonly labels: Readonly<Record<string, string>> };
  readonly type?: "Opaque";
  /** The values, in base64. */
  readonly data: Readonly<Record<string, string>>;
}

export interface SecretContents {
  /** The pull secret as it is in its file. */
  readonly pullSecret: string;
  /** The public key; undefined without one. */
  readonly sshKey: string | undefined;
  /** The private key that signs service account tokens, in PEM. */
  readonly signingKey: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
}

/** The labels of `hypershift create cluster azure --render`. */
const labels = { "hypershift.openshift.io/safe-to-delete-with-cluster": "true" };

export function clusterSecrets(cluster: ClusterKey, contents: SecretContents): readonly ClusterSecret[] {
  const { sshKey } = contents;
  return [
    secretOf(cluster, "pullSecret", { ".dockerconfigjson": contents.pullSecret }),
    ...(sshKey === undefined ? [] : [secretOf(cluster, "sshKey", { "id_rsa.pub": sshKey })]),
    secretOf(cluster, "cloudCredentials", { AZURE_SUBSCRIPTION_ID: contents.subscriptionId, AZURE_TENANT_ID: contents.tenantId }),
    secretOf(cluster, "signingKey", { key: contents.signingKey }),
  ];
}

/** The Secret of the key that encrypts etcd, if no key in a vault does. */
export function etcdKeySecret(cluster: ClusterKey, key: Buffer): ClusterSecret {
  return { ...secretOf(cluster, "etcdKey", { key }), type: "Opaque" };
}

function secretOf(cluster: ClusterKey, name: keyof typeof secretNames, data: Readonly<Record<string, string | Buffer>>): ClusterSecret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: secretNames[name](cluster.name), namespace: cluster.namespace, labels },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  };
}

/** Tells a person who creates the Secrets where the contents are. */
export interface SecretSources {
  readonly pullSecretFile: string | undefined;
  readonly sshKeyFile: string | undefined;
  readonly signingKeyFile: string;
  readonly needsEtcdKey: boolean;
  readonly subscriptionId: string;
  readonly tenantId: string;
}

/** The kubectl commands that create Secrets with the same names and contents, without labels. They contain no secret. */
export function secretCommands(cluster: ClusterKey, sources: SecretSources): readonly string[] {
  const { pullSecretFile = "pull-secret.json", sshKeyFile, needsEtcdKey, subscriptionId, tenantId } = sources;
  const create = (name: keyof typeof secretNames, ...words: readonly string[]) =>
    [`kubectl create secret generic ${secretNames[name](cluster.name)} --namespace ${cluster.namespace}`, ...words].join(" ");
  const file = (key: string, path: string) => `--from-file=${shellWord(`${key}=${path}`)}`;
  const literal = (key: string, value: string) => `--from-literal=${key}=${value}`;
  return [
    create("pullSecret", file(".dockerconfigjson", pullSecretFile)),
    ...(sshKeyFile === undefined ? [] : [create("sshKey", file("id_rsa.pub", sshKeyFile))]),
    create("cloudCredentials", literal("AZURE_SUBSCRIPTION_ID", subscriptionId), literal("AZURE_TENANT_ID", tenantId)),
    create("signingKey", file("key", sources.signingKeyFile)),
    ...(needsEtcdKey ? [`head -c ${etcdKeyBytes} /dev/urandom | ${create("etcdKey", "--from-file=key=/dev/stdin")}`] : []),
  ];
}
