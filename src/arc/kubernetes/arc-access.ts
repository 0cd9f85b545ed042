/** Reads and writes the objects and the Helm release of the agents in a cluster. */
import { BatchV1Api, CoreV1Api, RbacAuthorizationV1Api, createConfiguration, type ConfigurationOptions } from "@kubernetes/client-node";
import type { Clock } from "../../kubernetes/run-clock.js";
import type { ArcAccess, ClusterObject } from "../domain/cluster-access.js";
import { agents } from "../domain/names.js";
import { Failure } from "../../errors/failure.js";
import { apiClient, undefinedIfAbsent, type ApiClient } from "../../kubernetes/api-client.js";
import { diagnosticsJob, jobOf, resultOf, unreachableIn } from "./arc-diagnostics.js";
import { agentRelease, type Helm } from "./helm.js";
import type { Kubeconfig } from "../../kubernetes/kubeconfig.js";

const pollMs = 2_000;
/** The Job itself ends after five minutes. */
const mostPolls = 160;

export function openArcAccess(kubeconfig: Kubeconfig, helm: Helm | undefined, clock: Clock, signal: AbortSignal): ArcAccess {
  const { server } = kubeconfig;
  const client = apiClient(kubeconfig, signal);
  const { configuration, ask } = client;
  const core = new CoreV1Api(configuration);
  const rbac = new RbacAuthorizationV1Api(configuration);
  const withHelm = (): Helm => {
    if (helm) return helm;
    throw new Failure("ARO-ARC-004", "helm is not installed on this machine");
  };
  return {
    server,
    hasHelm: helm !== undefined,
    async connectedAs() {
      const { configMap: name, namespace } = agents;
      const found = await ask(`to get ConfigMap ${name} in ${namespace}`, () =>
        undefinedIfAbsent(() => core.readNamespacedConfigMap({ name, namespace })),
      );
      const { AZURE_SUBSCRIPTION_ID, AZURE_RESOURCE_GROUP, AZURE_RESOURCE_NAME } = found?.data ?? {};
      if (found === undefined) return undefined;
      return { subscriptionId: AZURE_SUBSCRIPTION_ID ?? "", groupName: AZURE_RESOURCE_GROUP ?? "", name: AZURE_RESOURCE_NAME ?? "" };
    },
    async has({ kind, metadata: { name } }) {
      const read: () => Promise<unknown> =
        kind === "Namespace" ? () => core.readNamespace({ name }) : () => rbac.readClusterRoleBinding({ name });
      return (await ask(`to get ${kind} ${name}`, () => undefinedIfAbsent(read))) !== undefined;
    },
    async hasSecret(name) {
      const { namespace } = agents;
      const read = () => core.readNamespacedSecret({ name, namespace }, metadataOnly);
      return (await ask(`to get the metadata of secret ${name} in ${namespace}`, () => undefinedIfAbsent(read))) !== undefined;
    },
    async create(object) {
      const { kind, metadata } = object;
      await ask(`to create ${kind} ${metadata.name}`, () => createObject(object, core, rbac));
    },
    async remove({ kind, metadata: { name } }) {
      const send: () => Promise<unknown> =
        kind === "Namespace" ? () => core.deleteNamespace({ name }) : () => rbac.deleteClusterRoleBinding({ name });
      return (await ask(`to delete ${kind} ${name}`, () => undefinedIfAbsent(send))) !== undefined;
    },
    diagnose: (hosts, proxy) => diagnose(client, { hosts, proxy }, clock, signal),
    release: () => agentRelease(withHelm()),
    async helm(what, words) {
      await withHelm().run(what, words);
    },
  };
}

/** The API server then leaves out the data. */
const { middleware } = createConfiguration({
  promiseMiddleware: [
    {
      pre(context) {
        context.setHeaderParam("accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        return Promise.resolve(context);
      },
      post: (context) => Promise.resolve(context),
    },
  ],
});
const metadataOnly: ConfigurationOptions = { middlewareMergeStrategy: "append", middleware };

async function createObject(object: ClusterObject, core: CoreV1Api, rbac: RbacAuthorizationV1Api): Promise<void> {
  const body = structuredClone(object);
  if (body.kind === "Namespace") await core.createNamespace({ body });
  else await rbac.createClusterRoleBinding({ body: body as unknown as Parameters<typeof rbac.createClusterRoleBinding>[0]["body"] });
}

interface Diagnosis {
  readonly hosts: readonly string[];
  readonly proxy: Readonly<Record<string, string>>;
}

/** A killed run may have left its Job. */
async function diagnose({ configuration, ask }: ApiClient, { hosts, proxy }: Diagnosis, clock: Clock, signal: AbortSignal) {
  const core = new CoreV1Api(configuration);
  const batch = new BatchV1Api(configuration);
  const namespace = agents.releaseNamespace;
  const remove = () =>
    ask(`to delete Job ${diagnosticsJob}`, () =>
      undefinedIfAbsent(() => batch.deleteNamespacedJob({ namespace, name: diagnosticsJob, propagationPolicy: "Background" })),
    );
  await remove();
  await ask(`to create Job ${diagnosticsJob}`, () => batch.createNamespacedJob({ namespace, body: jobOf(hosts, proxy) }));
  try {
    for (let polls = 0; polls < mostPolls; polls += 1) {
      const { items } = await ask(`to list pods in ${namespace}`, () =>
        core.listNamespacedPod({ namespace, labelSelector: `job-name=${diagnosticsJob}` }),
      );
      const result = items.flatMap((pod) => resultOf(pod) ?? [])[0];
      if (result) return unreachableIn(result.message);
      await clock.sleep(pollMs, signal);
    }
    throw new Failure("ARO-ARC-003", `the Job ${diagnosticsJob} in ${namespace} did not end within five minutes`, {
      next: ["check why its pod does not start, or pass --skip-diagnostics"],
    });
  } finally {
    await remove();
  }
}
