/** `verify arc` with a kubeconfig: each check of the agents in the cluster, broken alone. */
import { expect, test } from "vitest";
import { testHelm } from "../../harness/helm.js";
import { kubernetesServer, type KubernetesObject, type KubernetesServer } from "../../harness/kubernetes.js";
import { subscription } from "../../cli/demo-cluster.js";
import { checkLines } from "../../verify/advice.js";
import { arcState } from "./arc-state.js";
import { findings, rowOf } from "../../verify/healthy-state.js";

const namespace = "azure-arc";
const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
const creating = { phase: "Pending", containerStatuses: [{ name: "agent", state: { waiting: { reason: "ContainerCreating" } } }] };

const pod = (name: string, status: object = ready): KubernetesObject => ({
  ...{ apiVersion: "v1", kind: "Pod", metadata: { namespace, name } },
  status,
});
const secret = (name: string): KubernetesObject => ({ apiVersion: "v1", kind: "Secret", metadata: { namespace, name }, data: {} });
const coordinates = (name: string): KubernetesObject => ({
  ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "azure-clusterconfig" } },
  data: { AZURE_SUBSCRIPTION_ID: subscription.split("/").at(-1), AZURE_RESOURCE_GROUP: `${name}-arc`, AZURE_RESOURCE_NAME: name },
});
const binding: KubernetesObject = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "aro-hcp-arc-kube-aad-proxy" },
};
const node = (labels: object, providerID: string): KubernetesObject => ({
  ...{ apiVersion: "v1", kind: "Node", metadata: { name: "worker-1", labels } },
  spec: { providerID },
});
const openshift = { "node.openshift.io/os_id": "rhel" };
const deployment: KubernetesObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name: "kube-aad-proxy" } };
const unmounted: KubernetesObject = {
  ...{ apiVersion: "v1", kind: "Event", metadata: { namespace, name: "kube-aad-proxy-1.17" }, reason: "FailedMount" },
  involvedObject: { kind: "Pod", namespace, name: "kube-aad-proxy-1" },
  message: 'MountVolume.SetUp failed for volume "kube-aad-proxy-tls" : secret "kube-aad-proxy-certificate" not found',
};

interface Broken {
  readonly check: string;
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly state?: "warning";
  readonly change: (server: KubernetesServer) => void;
}

const faults: readonly Broken[] = [
  {
    ...{
      check: "agents-coordinates",
      evidence: /^the agents belong to other in resource group "other-arc"/,
      next: /with destroy arc$/,
    },
    change: (server) => server.put(coordinates("other")),
  },
  {
    ...{ check: "agents-coordinates", evidence: /^there is no ConfigMap azure-clusterconfig/, next: /create arc/ },
    change: (server) => server.remove("ConfigMap", namespace, "azure-clusterconfig"),
  },
  {
    ...{ check: "arc-distribution", state: "warning", evidence: /^Azure has openshift on azure; the nodes show openshift on aws$/ },
    next: /create arc .*--name demo --infrastructure aws /,
    change: (server) => server.put(node(openshift, "aws:///us-east-1a/i-0")),
  },
  {
    ...{ check: "agents-ready", evidence: /^config-agent-1 is CrashLoopBackOff$/, next: /oc get pods,events -n azure-arc/ },
    change: (server) => server.put(pod("config-agent-1", { containerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] })),
  },
  {
    ...{
      check: "agents-secrets",
      evidence: /^azure-identity-certificate missing in azure-arc$/,
      next: /deployment\/clusteridentityoperator/,
    },
    change: (server) => server.remove("Secret", namespace, "azure-identity-certificate"),
  },
  {
    ...{ check: "proxy-permission", evidence: /^there is no ClusterRoleBinding aro-hcp-arc-kube-aad-proxy, and no ready pod/ },
    next: /oc adm policy add-scc-to-user privileged system:serviceaccount:azure-arc:azure-arc-kube-aad-proxy-sa/,
    change(server) {
      server.remove("ClusterRoleBinding", undefined, binding.metadata.name);
      server.remove("Pod", namespace, "kube-aad-proxy-1");
    },
  },
  {
    ...{ check: "proxy-ready", evidence: /^kube-aad-proxy-1 is ContainerCreating: .*secret "kube-aad-proxy-certificate" not found$/ },
    next: /a pod that started before its permission .*`oc delete pod kube-aad-proxy-1 -n azure-arc`/,
    change: (server) => server.put(pod("kube-aad-proxy-1", creating), unmounted),
  },
  {
    ...{ check: "proxy-ready", evidence: /^no pod of it is admitted/, next: /oc rollout restart deployment\/kube-aad-proxy/ },
    change: (server) => server.remove("Pod", namespace, "kube-aad-proxy-1"),
  },
  {
    ...{ check: "proxy-ready", evidence: /^there is no deployment kube-aad-proxy/, next: /install the agents again/ },
    change: (server) => server.remove("Deployment", namespace, "kube-aad-proxy"),
  },
];

async function healthy() {
  const [state, server] = [await arcState(), await kubernetesServer()];
  server.put(coordinates("demo"), binding, deployment, secret("azure-identity-certificate"), secret("kube-aad-proxy-certificate"));
  server.put(node(openshift, "azure:///subscriptions/x"));
  server.put(pod("config-agent-1"), pod("kube-aad-proxy-1"), pod("installer-1", { phase: "Succeeded" }));
  const helm = await testHelm(state.path("."));
  await helm.setStatus("deployed");
  const verify = async () => {
    const results = await state.verify(["--kubeconfig", server.kubeconfig], { env: { PATH: helm.path } });
    checkLines(results);
    return results;
  };
  return { server, helm, verify };
}

test("the agents in the cluster pass, and each fault makes one check fail", async () => {
  const { server, verify } = await healthy();
  expect(findings(await verify())).toEqual([]);
  const secrets = server.requests.filter((request) => request.includes("/secrets/"));
  expect(secrets).toHaveLength(2);
  expect(secrets.filter((request) => !request.endsWith(" (metadata)"))).toEqual([]);
  const before = server.all();
  for (const { check, evidence, next, state = "failed", change } of faults) {
    change(server);
    const results = await verify();
    const subject = new URL(server.apiServer.server).origin;
    expect(findings(results)).toEqual([`${check}/${subject} ${state}`]);
    expect(rowOf(results, check, subject).evidence).toMatch(evidence);
    expect(rowOf(results, check, subject).next).toMatch(next);
    server.put(...before);
  }
});

test("a release that helm did not finish fails, and another grant than that of create arc passes", async () => {
  const { server, helm, verify } = await healthy();
  server.remove("ClusterRoleBinding", undefined, binding.metadata.name);
  expect(findings(await verify())).toEqual([]);
  await helm.setStatus("pending-install");
  const results = await verify();
  expect(findings(results)).toEqual([`agents-release/${server.apiServer.server} failed`]);
  expect(rowOf(results, "agents-release", server.apiServer.server).evidence).toBe(
    "the release azure-arc-k8sagents-1.31.4 is pending-install",
  );
});
