/** Calls the API server of a management cluster by a kubeconfig, with a time limit. */
import {
  ApiextensionsV1Api,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  StorageV1Api,
  type CoreV1Event,
  type V1CustomResourceDefinition,
  type V1Node,
  type V1Pod,
} from "@kubernetes/client-node";
import { apiClient, undefinedIfAbsent } from "./api-client.js";
import type { Kubeconfig } from "./kubeconfig.js";
import type { Kubernetes } from "./kubernetes.js";
import { podMountIn, secretProviderClassIn } from "./secrets-store.js";

const secretsStore = { group: "secrets-store.csi.x-k8s.io", version: "v1" } as const;

/** Sends nothing yet. Its methods throw ARO-KUBE-001, 002 or 003, or the reason of `signal`. */
export function openKubernetes({ path, server, config, after }: Kubeconfig, signal: AbortSignal): Kubernetes {
  const { configuration, ask } = apiClient({ server, config, after }, signal);
  const core = new CoreV1Api(configuration);
  const apps = new AppsV1Api(configuration);
  const custom = new CustomObjectsApi(configuration);
  const storage = new StorageV1Api(configuration);
  const extensions = new ApiextensionsV1Api(configuration);

  const askFor = <T>(what: string, send: () => Promise<T>): Promise<T | undefined> => ask(what, () => undefinedIfAbsent(send));
  const askForOne = <T extends V1Named>(what: string, send: () => Promise<T>) => askFor(what, async () => named(await send()));
  const askForItems = <T>(what: string, send: () => Promise<unknown>) => ask(what, async () => itemsIn<T>(await send()));
  const listed = async <T>(plural: string, namespace: string | undefined, read: (item: unknown) => T): Promise<T[] | undefined> => {
    const items = await askFor(`to list ${plural} ${namespace === undefined ? "in all namespaces" : `in ${namespace}`}`, async () =>
      itemsIn<unknown>(
        namespace === undefined
          ? await custom.listClusterCustomObject({ ...secretsStore, plural })
          : await custom.listNamespacedCustomObject({ ...secretsStore, namespace, plural }),
      ),
    );
    return items?.map(read);
  };

  return {
    server,
    kubeconfig: path,
    nodes: () => askForItems<V1Node>("to list nodes", () => core.listNode()),
    hasNamespace: async (name) => (await askForOne(`to get namespace ${name}`, () => core.readNamespace({ name }))) !== undefined,
    deployment: (namespace, name) =>
      askForOne(`to get deployment ${name} in ${namespace}`, () => apps.readNamespacedDeployment({ namespace, name })),
    pods: (namespace) => askForItems<V1Pod>(`to list pods in ${namespace}`, () => core.listNamespacedPod({ namespace })),
    service: (namespace, name) =>
      askForOne(`to get service ${name} in ${namespace}`, () => core.readNamespacedService({ namespace, name })),
    resourceDefinitions: async () =>
      (
        await askForItems<V1CustomResourceDefinition>("to list resource definitions", () => extensions.listCustomResourceDefinition())
      ).flatMap(({ metadata, status }) => (isEstablished(status) ? (metadata?.name ?? []) : [])),
    failedMounts: (namespace) =>
      askForItems<CoreV1Event>(`to list events in ${namespace}`, () =>
        core.listNamespacedEvent({ namespace, fieldSelector: "reason=FailedMount" }),
      ),
    secretProviderClasses: (namespace) => listed("secretproviderclasses", namespace, secretProviderClassIn),
    podMounts: (namespace) => listed("secretproviderclasspodstatuses", namespace, podMountIn),
    async secretsStoreDriver() {
      const name = "secrets-store.csi.k8s.io";
      const driver = await askForOne(`to get CSI driver ${name}`, () => storage.readCSIDriver({ name }));
      const { annotations } = driver?.metadata ?? {};
      return (
        driver && { release: annotations?.["meta.helm.sh/release-name"], releaseNamespace: annotations?.["meta.helm.sh/release-namespace"] }
      );
    },
  };
}

/** Only then does the API server serve the type. */
function isEstablished(status: V1CustomResourceDefinition["status"]): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True") ?? false;
}

interface V1Named {
  readonly metadata?: { readonly name?: string };
}

/** @throws Error if a proxy returned it in place of the API server */
function named<T extends V1Named>(object: T): T {
  if (typeof object?.metadata?.name !== "string") throw new Error("the response is not a Kubernetes object");
  return object;
}

/** @throws Error as above */
function itemsIn<T>(list: unknown): readonly T[] {
  const items = typeof list === "object" && list !== null && "items" in list ? list.items : undefined;
  if (!Array.isArray(items) || !items.every((item) => typeof item === "object" && item !== null))
    throw new Error("the response is not a list of Kubernetes objects");
  return items as readonly T[];
}
