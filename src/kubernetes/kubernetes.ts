/** A management cluster as the checks see it: what they read from its API server, never a secret. */
import type { CoreV1Event, V1Deployment, V1Node, V1Pod, V1Service } from "@kubernetes/client-node";

export interface Kubernetes {
  readonly server: string;
  /** Path of the kubeconfig, for `kubectl`. */
  readonly kubeconfig: string;
  nodes(): Promise<readonly V1Node[]>;
  hasNamespace(name: string): Promise<boolean>;
  /** Undefined if there is none. */
  deployment(namespace: string, name: string): Promise<V1Deployment | undefined>;
  pods(namespace: string): Promise<readonly V1Pod[]>;
  /** Undefined if there is none. */
  service(namespace: string, name: string): Promise<V1Service | undefined>;
  /** Names of the resource definitions that the API server serves: `routes.route.openshift.io`. */
  resourceDefinitions(): Promise<readonly string[]>;
  /** Events of the volumes that pods there could not mount, unordered. */
  failedMounts(namespace: string): Promise<readonly CoreV1Event[]>;
  /** Of a namespace, or of all. Undefined if the API server does not know the type: the Secrets Store CSI driver is not installed. */
  secretProviderClasses(namespace?: string): Promise<readonly LiveSecretProviderClass[] | undefined>;
  /** The driver's status of each pod that mounts one; undefined as above. */
  podMounts(namespace?: string): Promise<readonly PodMount[] | undefined>;
  /** Undefined if no Secrets Store CSI driver is installed. */
  secretsStoreDriver(): Promise<InstalledDriver | undefined>;
}

/** The Helm release that installed a driver; without one, something else did. */
export interface InstalledDriver {
  readonly release: string | undefined;
  readonly releaseNamespace: string | undefined;
}

/** The members of `secrets-store.csi.x-k8s.io/v1` that the checks read. */
export interface LiveSecretProviderClass {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A SecretProviderClassPodStatus. */
export interface PodMount {
  readonly namespace: string;
  readonly pod: string;
  readonly secretProviderClass: string;
  readonly mounted: boolean;
  /** `id` is "secret/<name>", `version` that of the vault. */
  readonly objects: readonly { readonly id: string; readonly version: string }[];
}
