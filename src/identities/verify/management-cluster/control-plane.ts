/** The objects in the namespace of a hosted control plane. Each list is read once, for all components. */
import type { CoreV1Event, V1Pod } from "@kubernetes/client-node";
import { oncePerKey } from "../../../azure/concurrency.js";
import { controlPlaneNamespace, type HostedClusterKey } from "../../../domain/hosted-cluster-key.js";
import type { Kubernetes, LiveSecretProviderClass, PodMount } from "../../../kubernetes/kubernetes.js";

export interface ControlPlane {
  readonly cluster: HostedClusterKey;
  readonly namespace: string;
  exists(): Promise<boolean>;
  /** Undefined if the API server does not know the type. */
  classes(): Promise<readonly LiveSecretProviderClass[] | undefined>;
  mounts(): Promise<readonly PodMount[]>;
  pods(): Promise<readonly V1Pod[]>;
  failedMounts(): Promise<readonly CoreV1Event[]>;
}

export function controlPlaneOf(kubernetes: Kubernetes, cluster: HostedClusterKey): ControlPlane {
  const namespace = controlPlaneNamespace(cluster);
  const lists = oncePerKey<unknown>();
  // Each key names one kind of list.
  const once = <T>(key: string, list: () => Promise<T>) => lists.get(key, list) as Promise<T>;
  return {
    cluster,
    namespace,
    exists: () => once("namespace", () => kubernetes.hasNamespace(namespace)),
    classes: () => once("classes", () => kubernetes.secretProviderClasses(namespace)),
    mounts: () => once("mounts", async () => (await kubernetes.podMounts(namespace)) ?? []),
    pods: () => once("pods", () => kubernetes.pods(namespace)),
    failedMounts: () => once("events", () => kubernetes.failedMounts(namespace)),
  };
}
