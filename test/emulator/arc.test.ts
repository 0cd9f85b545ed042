/** Clusters connected to Azure Arc and their extensions, through Azure's own SDKs, with agents that report with the cluster's key. */
import { generateKeyPairSync } from "node:crypto";
import { ConnectedKubernetesClient } from "@azure/arm-hybridkubernetes";
import { SourceControlConfigurationClient } from "@azure/arm-kubernetesconfiguration";
import { ResourceManagementClient } from "@azure/arm-resources";
import { beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { seedState, wellKnown } from "../../src/emulator/index.js";
import { startArcAgents, stopArcAgents } from "../harness/arc-agents.js";
import { kubernetesServer } from "../harness/kubernetes.js";
import { openLocalServer, recording } from "./local-server.js";
import { all, sdkAccess } from "./sdk-access.js";

const { subscriptionId } = wellKnown;
const cluster = `/subscriptions/${subscriptionId}/resourceGroups/arc/providers/Microsoft.Kubernetes/connectedClusters/demo`;
const minute = 60_000;
const day = 24 * 60 * minute;

interface Pair {
  readonly privateKey: string;
  readonly publicKey: string;
}
const pairs: Pair[] = [];

beforeAll(() => {
  for (let made = 0; made < 2; made += 1) {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    pairs.push({
      privateKey: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
      publicKey: publicKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
    });
  }
});

/** `turn` moves the emulator's clock. */
async function arc() {
  const [mine, other] = pairs as [Pair, Pair];
  const started = Date.now();
  let now = started;
  const server = await openLocalServer({
    environment: recording(),
    clock: { ...systemClock, now: () => new Date(now) },
  });
  const providers = { "Microsoft.Kubernetes": "Registered", "Microsoft.KubernetesConfiguration": "Registered" };
  await seedState(server.directory, { providers });
  const { options } = sdkAccess(server);
  // A token ends with the emulator's clock, so each request gets a new one.
  const credential = { getToken: async () => ({ token: await server.token(), expiresOnTimestamp: 0 }) };
  const groups = new ResourceManagementClient(credential, subscriptionId, options).resourceGroups;
  await groups.createOrUpdate("arc", { location: "eastus" });
  const clusters = new ConnectedKubernetesClient(credential, subscriptionId, options).connectedClusterOperations;
  const { extensions } = new SourceControlConfigurationClient(credential, subscriptionId, options);
  const body = (agentPublicKeyCertificate: string) => ({
    location: "eastus",
    identity: { type: "SystemAssigned" as const },
    agentPublicKeyCertificate,
    distribution: "openshift",
    infrastructure: "azure",
  });
  return {
    server,
    clusters,
    extensions,
    body,
    started,
    agents: { server, cluster, privateKey: mine.privateKey },
    foreign: { server, cluster, privateKey: other.privateKey },
    otherKey: other.publicKey,
    turn: (milliseconds: number) => (now += milliseconds),
    connect: () => clusters.beginCreateAndWait("arc", "demo", body(mine.publicKey), { updateIntervalInMs: 0 }),
    status: async () => (await clusters.get("arc", "demo")).connectivityStatus,
    install: (name: string, extensionType: string, more: object = {}) =>
      extensions.beginCreate(
        "arc",
        "Microsoft.Kubernetes",
        "connectedClusters",
        "demo",
        name,
        {
          extensionType,
          releaseTrain: "Stable",
          identity: { type: "SystemAssigned" },
          scope: { cluster: { releaseNamespace: "kube-system" } },
          ...more,
        },
        { updateIntervalInMs: 0 },
      ),
    extension: (name: string) => extensions.get("arc", "Microsoft.Kubernetes", "connectedClusters", "demo", name),
    remove: (name: string, forceDelete?: boolean) =>
      extensions.beginDelete("arc", "Microsoft.Kubernetes", "connectedClusters", "demo", name, {
        updateIntervalInMs: 0,
        ...(forceDelete !== undefined && { forceDelete }),
      }),
  };
}

test("a cluster is Connecting until agents report with its key; another key is refused", async () => {
  const { connect, status, agents, foreign, clusters } = await arc();
  const made = await connect();
  expect(made).toMatchObject({ connectivityStatus: "Connecting", provisioningState: "Succeeded", identity: { type: "SystemAssigned" } });
  expect(made.agentVersion).toBeUndefined();
  expect(await startArcAgents(foreign)).toMatchObject({ status: 401 });
  expect(await status()).toBe("Connecting");
  expect(await startArcAgents(agents, { agentVersion: "1.30.0" })).toMatchObject({ status: 200 });
  expect(await clusters.get("arc", "demo")).toMatchObject({
    connectivityStatus: "Connected",
    agentVersion: "1.30.0",
    kubernetesVersion: "1.31.6",
    totalNodeCount: 3,
    totalCoreCount: 24,
  });
});

test("agents that stop are Offline after 15 minutes and Expired with their certificate, which is renewed while they run", async () => {
  const { connect, status, agents, turn, clusters, started } = await arc();
  await connect();
  await startArcAgents(agents);
  expect((await clusters.get("arc", "demo")).managedIdentityCertificateExpirationTime?.getTime()).toBe(started + 90 * day);
  turn(50 * day);
  expect(await status()).toBe("Connected");
  await stopArcAgents(agents);
  const { lastConnectivityTime, managedIdentityCertificateExpirationTime } = await clusters.get("arc", "demo");
  expect(lastConnectivityTime?.getTime()).toBe(started + 50 * day);
  expect(managedIdentityCertificateExpirationTime?.getTime()).toBe(started + 134 * day);
  turn(15 * minute - 1);
  expect(await status()).toBe("Connected");
  turn(1);
  expect(await status()).toBe("Offline");
  turn(84 * day - 15 * minute - 1);
  expect(await status()).toBe("Offline");
  turn(1);
  expect(await status()).toBe("Expired");
  expect(await startArcAgents(agents)).toMatchObject({ status: 401 });
  expect(await status()).toBe("Expired");
});

test("the key of a cluster cannot be changed, and its tags can", async () => {
  const { connect, clusters, body, otherKey } = await arc();
  await connect();
  await expect(clusters.beginCreateAndWait("arc", "demo", body(otherKey))).rejects.toMatchObject({ statusCode: 400 });
  expect((await clusters.update("arc", "demo", { tags: { team: "a" } })).tags).toEqual({ team: "a" });
  expect(await all(clusters.listByResourceGroup("arc"))).toHaveLength(1);
});

test("a connected cluster gives a kubeconfig and a relay, one that is not connected neither", async () => {
  const { connect, clusters, agents, server } = await arc();
  const api = await kubernetesServer();
  await seedState(server.directory, { knobs: { apiServer: api.apiServer } });
  await connect();
  const ask = (clientProxy: boolean) => clusters.listClusterUserCredential("arc", "demo", { authenticationMethod: "Token", clientProxy });
  await expect(ask(true)).rejects.toMatchObject({ code: "ClusterNotConnected" });
  await startArcAgents(agents);
  const { kubeconfigs, hybridConnectionConfig } = await ask(true);
  expect(Buffer.from(kubeconfigs?.[0]?.value ?? []).toString()).toContain(api.apiServer.server);
  expect(hybridConnectionConfig?.hybridConnectionName).toContain("microsoft.kubernetes/connectedclusters/");
  expect((await ask(false)).hybridConnectionConfig).toBeUndefined();
});

test("an extension installs if agents run, and has an identity that roles can be given to", async () => {
  const { connect, agents, install, extension, extensions } = await arc();
  await connect();
  await startArcAgents(agents);
  await (
    await install("akv", "Microsoft.AzureKeyVaultSecretsProvider", { configurationProtectedSettings: { a: "secret" } })
  ).pollUntilDone();
  const made = await extension("akv");
  expect(made).toMatchObject({ provisioningState: "Succeeded", statuses: [], identity: { type: "SystemAssigned" } });
  expect(made.currentVersion).toMatch(/^\d+\.\d+\.\d+$/);
  expect(made.identity?.principalId).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(made)).not.toContain("secret");
  expect(await all(extensions.list("arc", "Microsoft.Kubernetes", "connectedClusters", "demo"))).toHaveLength(1);
  expect((await startArcAgents(agents)).body.extensions).toMatchObject([{ name: "akv" }]);
});

test("an extension without agents hangs, installs when they come, and fails if they stay away", async () => {
  const { connect, agents, install, extension, turn, remove } = await arc();
  await connect();
  await install("akv", "Microsoft.AzureKeyVaultSecretsProvider");
  turn(20 * minute);
  expect(await extension("akv")).toMatchObject({ provisioningState: "Creating" });
  await startArcAgents(agents);
  expect(await extension("akv")).toMatchObject({ provisioningState: "Succeeded" });
  await stopArcAgents(agents);
  await install("policy", "microsoft.policyinsights");
  turn(30 * minute);
  const failed = await extension("policy");
  expect(failed).toMatchObject({ provisioningState: "Failed", errorInfo: { code: "ExtensionOperationFailed" } });
  expect(failed.errorInfo?.message).toContain("Unable to get a response from the Agent in time");
  await remove("policy");
  turn(30 * minute);
  expect(await extension("policy")).toMatchObject({ provisioningState: "Failed" });
  await (await remove("policy", true)).pollUntilDone();
  await expect(extension("policy")).rejects.toMatchObject({ statusCode: 404 });
});

test("an extension that Helm refuses fails with Helm's words, and can be written again", async () => {
  const { connect, agents, install, extension } = await arc();
  await connect();
  const type = "Microsoft.AzureKeyVaultSecretsProvider";
  const words = 'rendered manifests contain a resource that already exists: CSIDriver "secrets-store.csi.k8s.io"';
  await startArcAgents(agents, { helmErrors: { [type]: words } });
  await expect(install("akv", type).then((poller) => poller.pollUntilDone())).rejects.toThrow("ExtensionOperationFailed");
  const failed = await extension("akv");
  expect(failed).toMatchObject({ provisioningState: "Failed", statuses: [{ code: "InstallationFailed" }] });
  expect(failed.statuses?.[0]?.message).toContain(words);
  expect(failed.errorInfo?.message).toContain(words);
  await startArcAgents(agents);
  await (await install("akv", type)).pollUntilDone();
  expect(await extension("akv")).toMatchObject({ provisioningState: "Succeeded", statuses: [] });
});

test("type, namespace and train of an extension are fixed, and a cluster has one instance of a type", async () => {
  const { connect, agents, install } = await arc();
  await connect();
  await startArcAgents(agents);
  await (await install("akv", "Microsoft.AzureKeyVaultSecretsProvider")).pollUntilDone();
  const refused = { statusCode: 400, code: "BadRequest" };
  await expect(install("akv", "microsoft.policyinsights")).rejects.toMatchObject(refused);
  const again = (more: object) => install("akv", "Microsoft.AzureKeyVaultSecretsProvider", more);
  await expect(again({ releaseTrain: "Preview" })).rejects.toMatchObject(refused);
  await expect(again({ scope: { cluster: { releaseNamespace: "other" } } })).rejects.toMatchObject(refused);
  await expect(again({ version: "1.0.0" })).rejects.toMatchObject(refused);
  await expect(install("second", "Microsoft.AzureKeyVaultSecretsProvider")).rejects.toMatchObject({ statusCode: 409 });
});

test("an extension of a missing cluster is refused with the cluster's name, and goes with its cluster", async () => {
  const { connect, agents, install, extension, clusters } = await arc();
  await expect(install("akv", "x")).rejects.toMatchObject({
    code: "ResourceNotFound",
    message: expect.stringContaining("Microsoft.Kubernetes/connectedClusters/demo") as string,
  });
  await connect();
  await startArcAgents(agents);
  await (await install("akv", "x")).pollUntilDone();
  await clusters.beginDeleteAndWait("arc", "demo", { updateIntervalInMs: 0 });
  await expect(extension("akv")).rejects.toMatchObject({ statusCode: 404 });
  expect(await startArcAgents(agents)).toMatchObject({ status: 404 });
});

test("the region says which chart installs the agents, with and without a token", async () => {
  const { server } = await arc();
  const host = "eastus.dp.kubernetesconfiguration.azure.com";
  const path = "/azure-arc-k8sagents/GetLatestHelmPackagePath?api-version=2019-11-01-preview&releaseTrain=";
  const reply = await server.call(host, `${path}stable`, { method: "POST", token: await server.token() });
  expect(reply).toMatchObject({ status: 200 });
  expect((reply.body as { repositoryPath: string }).repositoryPath).toMatch(/^mcr\.microsoft\.com\/azurearck8s\/.+:\d+\.\d+\.\d+$/);
  expect(await server.call(host, `${path}stable`, { method: "POST" })).toMatchObject({ status: 200 });
  expect(await server.call(host, `${path}none`, { method: "POST" })).toMatchObject({ status: 400 });
});

test("an assigned policy is evaluated only while the policy extension and the agents run", async () => {
  const { server, connect, agents, install } = await arc();
  await connect();
  const token = await server.token();
  const ask = (method: string, path: string, version: string, body?: object) =>
    server.call("management.azure.com", `${cluster}/providers/${path}?api-version=${version}`, { method, token, ...(body && { body }) });
  const assignment = "Microsoft.Authorization/policyAssignments/no-privileged";
  const properties = { policyDefinitionId: "/providers/Microsoft.Authorization/policyDefinitions/95edb821-ddaf-4404-9732-666045e056b4" };
  expect(await ask("PUT", assignment, "2022-06-01", { properties })).toMatchObject({ status: 201 });
  const summary = async () => {
    const { body } = await ask("POST", "Microsoft.PolicyInsights/policyStates/latest/summarize", "2019-10-01");
    return (body as { value: { results: object; policyAssignments: object[] }[] }).value[0];
  };
  await startArcAgents(agents, { violations: { "no-privileged": 2 } });
  expect((await summary())?.policyAssignments).toEqual([]);
  await (await install("azurepolicy", "microsoft.policyinsights")).pollUntilDone();
  expect(await summary()).toMatchObject({
    results: { nonCompliantResources: 1, nonCompliantPolicies: 1 },
    policyAssignments: [{ results: { nonCompliantResources: 1 } }],
  });
  await startArcAgents(agents, { violations: { "no-privileged": 0 } });
  expect(await summary()).toMatchObject({ results: { nonCompliantResources: 0 }, policyAssignments: [{}] });
  await stopArcAgents(agents);
  expect((await summary())?.policyAssignments).toEqual([]);
  expect(await ask("DELETE", assignment, "2022-06-01")).toMatchObject({ status: 200 });
  expect(await ask("DELETE", assignment, "2022-06-01")).toMatchObject({ status: 204 });
});

test("a cluster of classic ARO gives its password, and a kubeconfig for the tests' API server", async () => {
  const { server } = await arc();
  const api = await kubernetesServer();
  const aro = `/subscriptions/${subscriptionId}/resourceGroups/arc/providers/Microsoft.RedHatOpenShift/openShiftClusters/classic`;
  await seedState(server.directory, {
    knobs: { apiServer: api.apiServer },
    providers: { "Microsoft.RedHatOpenShift": "Registered" },
    resources: { [aro]: { location: "eastus", properties: {} } },
  });
  const token = await server.token();
  const ask = (method: string, action: string) =>
    server.call("management.azure.com", `${aro}${action}?api-version=2023-11-22`, { method, token });
  expect(await ask("GET", "")).toMatchObject({
    body: { properties: { apiserverProfile: { url: expect.stringContaining("https://api.classic.") as string } } },
  });
  const { body } = await ask("POST", "/listAdminCredentials");
  expect(Buffer.from((body as { kubeconfig: string }).kubeconfig, "base64").toString()).toContain(api.apiServer.server);
  const password = await ask("POST", "/listCredentials");
  expect(password.body).toEqual({
    kubeadminUsername: "kubeadmin",
    kubeadminPassword: expect.stringMatching(/^(\w{5}-){3}\w{5}$/) as string,
  });
  expect(await ask("POST", "/listCredentials")).toMatchObject({ body: password.body });
});
