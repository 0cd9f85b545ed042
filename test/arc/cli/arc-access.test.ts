/** `create arc` and `destroy arc` with access to the cluster: what they do on its API server and with helm, in which order. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resource } from "../../harness/state-changes.js";
import { testHelm, type TestHelm } from "../../harness/helm.js";
import { kubernetesServer, type KubernetesServer } from "../../harness/kubernetes.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";

const demo = ["--cloud", "local", "--name", "demo"];
const id = `${subscription}/resourceGroups/demo-arc/providers/Microsoft.Kubernetes/connectedClusters/demo`;

interface Cluster {
  readonly azure: TestEmulator;
  readonly kubernetes: KubernetesServer;
  readonly directory: string;
  /** Runs with the helm of the test. */
  run(command: string, ...flags: readonly string[]): ReturnType<TestEmulator["cli"]>;
  readonly helm: TestHelm;
  /** What helm was called with. */
  calls(): Promise<string[]>;
}

async function cluster({ withHelm = true, unreachable = "" } = {}): Promise<Cluster> {
  const [azure, kubernetes] = [await testEmulator(), await kubernetesServer()];
  const { path } = temporaryDirectory();
  const helm = await testHelm(path, withHelm);
  // The job controller, and the kubelet that runs the pod.
  kubernetes.onCreate(({ kind, metadata: { name, namespace } }) => {
    if (kind !== "Job") return;
    kubernetes.put({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: `${name}-x7k2p`, namespace: namespace ?? "", labels: { "job-name": name } },
      status: { containerStatuses: [{ name: "check", state: { terminated: { exitCode: 0, message: unreachable } } }] },
    });
  });
  const env = { ARO_HCP_LOCAL_TIME_SCALE: "1000", PATH: helm.path };
  return {
    azure,
    kubernetes,
    directory: path,
    run: (command, ...flags) => azure.cli([command, "arc", ...demo, "--yes", ...flags], { env }),
    helm,
    calls: helm.calls,
  };
}

function writesTo({ requests }: KubernetesServer): string[] {
  return requests.filter((request) => !request.startsWith("GET ")).map((request) => request.split("?", 1)[0] ?? "");
}

const jobs = "/apis/batch/v1/namespaces/azure-arc-release/jobs";

test("checks, permission and agents in this order; a second run writes nothing, and a destroy leaves nothing", async () => {
  const { azure, kubernetes, directory, run, calls } = await cluster();
  const access = ["--kubeconfig", kubernetes.kubeconfig];
  exits(await run("create", "--output-dir", join(directory, "arc"), ...access), 0);
  const written = writesTo(kubernetes);
  expect(written[0]).toBe("POST /api/v1/namespaces");
  expect(written).toContain(`POST ${jobs}`);
  expect(written).toContain("POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings");
  expect(kubernetes.get("Job", "azure-arc-release", "aro-hcp-arc-diagnostics")).toBeUndefined();
  expect(kubernetes.get("ClusterRoleBinding", undefined, "aro-hcp-arc-kube-aad-proxy")).toMatchObject({
    roleRef: { name: "system:openshift:scc:privileged" },
    subjects: [{ kind: "ServiceAccount", name: "azure-arc-kube-aad-proxy-sa", namespace: "azure-arc" }],
  });
  expect(await calls()).toEqual(["upgrade --install azure-arc"]);

  kubernetes.put(connectedAs("demo"));
  kubernetes.requests.length = 0;
  await azure.traffic();
  exits(await run("create", "--output-dir", join(directory, "arc"), ...access), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(writesTo(kubernetes)).toEqual([]);
  expect(await calls()).toHaveLength(1);

  exits(await run("destroy", ...access), 0);
  expect(await calls()).toEqual(["upgrade --install azure-arc", "uninstall azure-arc --namespace"]);
  expect(kubernetes.get("Namespace", undefined, "azure-arc-release")).toBeUndefined();
  expect(kubernetes.get("ClusterRoleBinding", undefined, "aro-hcp-arc-kube-aad-proxy")).toBeUndefined();
  expect(await resource(azure, id)).toBeUndefined();
});

function connectedAs(name: string) {
  const data = { AZURE_SUBSCRIPTION_ID: subscription.split("/").at(-1), AZURE_RESOURCE_GROUP: `${name}-arc`, AZURE_RESOURCE_NAME: name };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "azure-clusterconfig", namespace: "azure-arc" }, data };
}

const node = (name: string, labels: object, providerID: string) => ({
  ...{ apiVersion: "v1", kind: "Node", metadata: { name, labels } },
  spec: { providerID },
});

test("a new connected cluster gets the distribution and the infrastructure that its nodes show, or that flags say", async () => {
  const { azure, kubernetes, directory, run } = await cluster();
  const create = (...flags: readonly string[]) =>
    run("create", "--output-dir", join(directory, "arc"), "--kubeconfig", kubernetes.kubeconfig, ...flags);
  const kind = async () => {
    const { distribution, infrastructure } = (await resource(azure, id))?.properties ?? {};
    return [distribution, infrastructure];
  };
  kubernetes.put(node("master-0", { "node.openshift.io/os_id": "rhcos" }, "aws:///us-east-1a/i-0"));
  exits(await create(), 0);
  expect(await kind()).toEqual(["openshift", "aws"]);
  expect(await readFile(join(directory, "arc", "arc-values.yaml"), "utf8")).toContain("kubernetesInfra: aws");

  exits(await run("destroy", "--kubeconfig", kubernetes.kubeconfig), 0);
  kubernetes.forbidden.add("list nodes");
  expect(exits(await create(), 5).stderr).toContain("no permission to list nodes");
  exits(await create("--distribution", "generic", "--infrastructure", "azure_stack_hub"), 0);
  expect(await kind()).toEqual(["generic", "azure_stack_hub"]);
});

test("a cluster that is connected elsewhere is refused, and nothing is written", async () => {
  const { azure, kubernetes, directory, run } = await cluster();
  kubernetes.put(connectedAs("other"));
  await azure.traffic();
  const { stderr } = exits(await run("create", "--output-dir", join(directory, "arc"), "--kubeconfig", kubernetes.kubeconfig), 5);
  expect(stderr).toContain("ARO-ARC-002");
  expect(stderr).toContain("is connected as other in resource group");
  expect(await writesSince(azure)).toEqual([]);
  expect(writesTo(kubernetes)).toEqual([]);
});

test("an address that the cluster does not reach fails the run before the connected cluster exists", async () => {
  const { azure, kubernetes, directory, run, calls } = await cluster({ unreachable: "name gbl.his.arc.azure.com\n" });
  const { stderr } = exits(await run("create", "--output-dir", join(directory, "arc"), "--kubeconfig", kubernetes.kubeconfig), 5);
  expect(stderr).toContain("ARO-ARC-003");
  expect(stderr).toContain("gbl.his.arc.azure.com: its name is not resolved");
  expect(await resource(azure, id)).toBeUndefined();
  expect(await calls()).toEqual([]);
});

test("without helm, everything else is done, and the command for the agents is printed", async () => {
  const { azure, kubernetes, directory, run } = await cluster({ withHelm: false });
  const { stdout, stderr } = exits(await run("create", "--output-dir", join(directory, "arc"), "--kubeconfig", kubernetes.kubeconfig), 0);
  expect(stderr).toContain("helm is not installed on this machine");
  expect(stdout).toContain("helm upgrade --install azure-arc oci://mcr.microsoft.com/");
  expect(kubernetes.get("ClusterRoleBinding", undefined, "aro-hcp-arc-kube-aad-proxy")).toBeDefined();
  expect(await resource(azure, id)).toBeDefined();
});

test("what helm reports is shown, and the next run continues there", async () => {
  const { kubernetes, directory, run, calls, helm } = await cluster();
  const flags = ["--output-dir", join(directory, "arc"), "--kubeconfig", kubernetes.kubeconfig];
  await helm.break();
  const { stderr } = exits(await run("create", ...flags), 1);
  expect(stderr).toContain("ARO-ARC-004");
  expect(stderr).toContain("Error: context deadline exceeded");
  await helm.fix();
  exits(await run("create", ...flags), 0);
  expect(await calls()).toHaveLength(2);
});

test("a classic ARO cluster is reached by its resource ID, and its kubeconfig is deleted", async () => {
  const { azure, kubernetes, directory, run, calls } = await cluster();
  const classic = `${subscription}/resourceGroups/classic/providers/Microsoft.RedHatOpenShift/openShiftClusters/classic`;
  const flags = ["--openshift-cluster-id", classic];
  const missing = exits(await run("create", "--output-dir", join(directory, "arc"), ...flags), 5);
  expect(missing.stderr).toContain("ARO-OWN-003");
  await azure.seed({
    knobs: { apiServer: kubernetes.apiServer },
    providers: { "Microsoft.RedHatOpenShift": "Registered" },
    resources: {
      [`${subscription}/resourceGroups/classic`]: { location: "eastus" },
      [classic]: { location: "eastus", properties: {} },
    },
  });
  exits(await run("create", "--output-dir", join(directory, "arc"), ...flags), 0);
  expect(kubernetes.get("ClusterRoleBinding", undefined, "aro-hcp-arc-kube-aad-proxy")).toBeDefined();
  expect(await calls()).toEqual(["upgrade --install azure-arc"]);
  exits(await run("destroy", ...flags), 0);
  expect(kubernetes.get("Namespace", undefined, "azure-arc-release")).toBeUndefined();
});

test("a HostedCluster is reached by its secret on the management cluster", async () => {
  const { kubernetes, directory, run, calls } = await cluster();
  const kubeconfig = Buffer.from(await readFile(kubernetes.kubeconfig, "utf8")).toString("base64");
  kubernetes.put({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "demo-admin-kubeconfig", namespace: "clusters" },
    data: { kubeconfig },
  });
  const flags = ["--management-kubeconfig", kubernetes.kubeconfig, "--hosted-cluster", "clusters/demo"];
  exits(await run("create", "--output-dir", join(directory, "arc"), ...flags), 0);
  expect(await calls()).toEqual(["upgrade --install azure-arc"]);
});
