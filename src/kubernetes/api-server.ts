/** The API server of a management cluster, called through the official client: by a kubeconfig, with a time limit, until aborted. */
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  createConfiguration,
  CustomObjectsApi,
  ServerConfiguration,
  type RequestContext,
} from "@kubernetes/client-node";
import type { Kubeconfig } from "./kubeconfig.js";
import type { Kubernetes } from "./kubernetes.js";
import { kubernetesFailure, signInFailure } from "./refusals.js";
import { podMountIn, secretProviderClassIn } from "./secrets-store.js";
import { plural } from "../text/plural.js";

/** An API server answers in less than a second; the sign-in plugin may call Entra first. */
const longestAnswerMs = 20_000;
const longestSignInMs = 60_000;

const secretsStore = { group: "secrets-store.csi.x-k8s.io", version: "v1" } as const;

/** Sends nothing yet. Its methods throw ARO-KUBE-001, 002 or 003, or the reason of `signal`. */
export function openKubernetes({ path, server, config }: Kubeconfig, signal: AbortSignal): Kubernetes {
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(server.replace(/\/+$/, ""), {}),
    authMethods: {
      default: {
        getName: () => "kubeconfig",
        applySecurityAuthentication: (context: RequestContext) => signedIn(() => config.applySecurityAuthentication(context), signal),
      },
    },
    promiseMiddleware: [
      {
        pre: (context) => {
          context.setSignal(AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]));
          return Promise.resolve(context);
        },
        post: (context) => Promise.resolve(context),
      },
    ],
  });
  const core = new CoreV1Api(configuration);
  const apps = new AppsV1Api(configuration);
  const custom = new CustomObjectsApi(configuration);

  const ask = async <T>(what: string, send: () => Promise<T>): Promise<T> => {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      throw kubernetesFailure(error, { what, server });
    }
  };
  const askFor = <T>(what: string, send: () => Promise<T>): Promise<T | undefined> => ask(what, () => undefinedIfAbsent(send));
  const listed = async <T>(plural: string, namespace: string, read: (item: unknown) => T): Promise<T[] | undefined> => {
    const list: unknown = await askFor(`to list ${plural} in ${namespace}`, () =>
      custom.listNamespacedCustomObject({ ...secretsStore, namespace, plural }),
    );
    return list === undefined ? undefined : itemsIn(list).map(read);
  };

  return {
    server,
    kubeconfig: path,
    nodes: async () => (await ask("to list nodes", () => core.listNode())).items,
    hasNamespace: async (name) => (await askFor(`to get namespace ${name}`, () => core.readNamespace({ name }))) !== undefined,
    deployment: (namespace, name) =>
      askFor(`to get deployment ${name} in ${namespace}`, () => apps.readNamespacedDeployment({ namespace, name })),
    pods: async (namespace) => (await ask(`to list pods in ${namespace}`, () => core.listNamespacedPod({ namespace }))).items,
    failedMounts: async (namespace) =>
      (await ask(`to list events in ${namespace}`, () => core.listNamespacedEvent({ namespace, fieldSelector: "reason=FailedMount" })))
        .items,
    secretProviderClasses: (namespace) => listed("secretproviderclasses", namespace, secretProviderClassIn),
    podMounts: (namespace) => listed("secretproviderclasspodstatuses", namespace, podMountIn),
  };
}

async function undefinedIfAbsent<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  }
}

/** A plugin that waits for input would wait forever: its prompt is not visible. */
async function signedIn(apply: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const abort = AbortSignal.any([signal, AbortSignal.timeout(longestSignInMs)]);
  try {
    abort.throwIfAborted();
    await Promise.race([
      apply(),
      new Promise<never>((_, reject) => {
        abort.addEventListener("abort", () => reject(new Error(`no response within ${plural(longestSignInMs / 1000, "second")}`)), {
          once: true,
        });
      }),
    ]);
  } catch (error) {
    throw signInFailure(error);
  }
}

function itemsIn(list: unknown): readonly unknown[] {
  return typeof list === "object" && list !== null && "items" in list && Array.isArray(list.items) ? list.items : [];
}
