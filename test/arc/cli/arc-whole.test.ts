/** Azure Arc from nothing to nothing: connect, agents, both extensions, a mounted secret, verify, show and destroy. */
import { readFile, writeFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/azure/clock.js";
import { startArcAgents, stopArcAgents } from "../../harness/arc-agents.js";
import { emulatorConnection } from "../../harness/connected-azure.js";
import { testHelm } from "../../harness/helm.js";
import { kubernetesServer, type KubernetesObject } from "../../harness/kubernetes.js";
import { mountSecrets } from "../../harness/secrets-store.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { realTime, testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { arcClusterId } from "./connected-clusters.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";

const namespace = "azure-arc";
const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };

/** A node, and what the agents leave in the cluster, besides their deployments. */
const inCluster: readonly KubernetesObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name: "worker-1", labels: { "node.openshift.io/os_id": "rhel" } } },
    spec: { providerID: "azure:///subscriptions/x" },
  },
  {
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "azure-clusterconfig" } },
    data: { AZURE_SUBSCRIPTION_ID: subscription.split("/").at(-1), AZURE_RESOURCE_GROUP: "demo-arc", AZURE_RESOURCE_NAME: "demo" },
  },
  ...["azure-identity-certificate", "kube-aad-proxy-certificate"].map((name) => ({
    ...{ apiVersion: "v1", kind: "Secret", metadata: { namespace, name } },
  })),
  ...["config-agent-1", "kube-aad-proxy-1"].map((name) => ({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { namespace, name }, status: ready },
  })),
];

async function newestVersion({ directory }: TestEmulator, file: string): Promise<string> {
  const { keyVaultName } = JSON.parse(await readFile(file, "utf8")) as { keyVaultName: string };
  const connect = await emulatorConnection(directory);
  const { secrets } = await (await connect()).vaultContent(keyVaultName);
  return (await secrets.getSecret("db")).properties.version ?? "";
}

/** What the driver writes after it has mounted the secret. */
function mountedBy(pod: string, version: string): KubernetesObject {
  return {
    ...{ apiVersion: "secrets-store.csi.x-k8s.io/v1", kind: "SecretProviderClassPodStatus" },
    metadata: { name: `${pod}-arc-demo-akvprovider-demo`, namespace: "arc-demo" },
    status: { podName: pod, secretProviderClassName: "akvprovider-demo", mounted: true, objects: [{ id: "secret/db", version }] },
  };
}

test("from nothing to nothing, and every second run writes nothing", async () => {
  const azure = await testEmulator({ env: realTime });
  const [kubernetes, helm] = [await kubernetesServer(), await testHelm(temporaryDirectory().path)];
  const server = await azure.serve(systemClock);
  const access = ["--kubeconfig", kubernetes.kubeconfig, "--skip-diagnostics"];
  const run = (command: string, ...flags: readonly string[]) =>
    azure.cli([...command.split(" "), "--cloud", "local", "--name", "demo", ...flags], { env: { PATH: helm.path } });
  const path = (name: string) => azure.path(name);
  const before = Object.keys((await azure.snapshot()).resources);

  const creates: readonly (readonly [string, ...string[]])[] = [
    ["create arc", "--output-dir", path("arc"), ...access],
    ["create arc extension", "--extension-type", "key-vault"],
    ["create arc extension", "--extension-type", "policy"],
    [
      ...([
        "create arc secrets",
        "--secrets-identity",
        "service-principal",
        "--secret-name",
        "db",
        "--secret-file",
        path("value"),
      ] as const),
      ...["--output-file", path("secrets.json"), "--output-credential", path("credential.json")],
    ],
  ];
  await writeFile(path("value"), "s3cret");
  for (const [command, ...flags] of creates) {
    exits(await run(command, "--yes", ...flags), 0);
    if (command !== "create arc") continue;
    // The agents of the release start with the key of its values.
    const privateKey = await readFile(path("arc/arc-onboarding-key.pem"), "utf8");
    kubernetes.put(...inCluster);
    expect(await startArcAgents({ server, cluster: arcClusterId, privateKey, kubernetes })).toMatchObject({ status: 200 });
    exits(await run("wait arc"), 0);
  }
  await azure.traffic();
  kubernetes.requests.length = 0;
  for (const [command, ...flags] of creates) exits(await run(command, "--yes", ...flags), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(kubernetes.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);

  const files = ["--arc-secrets-file", path("secrets.json"), "--credential-file", path("credential.json")];
  const manifests = loadAll(exits(await azure.cli(["render", "arc", ...files]), 0).stdout) as KubernetesObject[];
  const [providerClass, credentials] = ["SecretProviderClass", "Secret"].map((wanted) => manifests.find(({ kind }) => kind === wanted));
  if (providerClass === undefined || credentials === undefined) throw new Error("not rendered");
  await expect.poll(() => mountSecrets({ server, providerClass, credentials }).catch(String)).toEqual({ db: "s3cret" });

  const version = await newestVersion(azure, path("secrets.json"));
  kubernetes.put(
    ...manifests.filter(({ kind }) => kind === "SecretProviderClass" || kind === "Pod"),
    mountedBy("secret-store-pod", version),
  );
  expect(exits(await run("verify arc", ...access.slice(0, 2)), 0).stdout).not.toMatch(/\b(?:FAIL|warn|skip)\b/);
  const shown = JSON.parse(exits(await run("show arc", "--output", "json"), 0).stdout) as { extensions: { name: string }[] };
  expect(shown).toMatchObject({ connectivityStatus: "Connected", agentVersion: "1.31.4" });
  expect(shown.extensions.map(({ name }) => name).sort()).toEqual(["akvsecretsprovider", "azurepolicy"]);

  exits(await run("destroy arc", "--yes", "--purge", "--arc-secrets-file", path("secrets.json"), ...access.slice(0, 2)), 0);
  expect(await helm.calls()).toEqual(["upgrade --install azure-arc", "uninstall azure-arc --namespace"]);
  expect(kubernetes.all().filter(({ kind }) => kind === "Namespace" || kind === "ClusterRoleBinding")).toEqual([]);
  const { resources, applications } = await azure.snapshot();
  expect(Object.keys(resources).filter((id) => !before.includes(id))).toEqual([]);
  expect(JSON.stringify(applications)).not.toContain("demo-secrets");
  const privateKey = await readFile(path("arc/arc-onboarding-key.pem"), "utf8");
  expect(await stopArcAgents({ server, cluster: arcClusterId, privateKey })).toMatchObject({ status: 404 });
});
