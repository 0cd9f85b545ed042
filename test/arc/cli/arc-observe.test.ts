/** `wait arc` and `show arc`: each state of the agents, with its time, and what Azure says of them. */
import { expect, test } from "vitest";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { setProperties } from "../../harness/state-changes.js";
import { arcClusterId, arcExtensionId, connectedCluster, startAgents, stopAgents } from "./connected-clusters.js";
import { groupId } from "../../cli/demo-cluster.js";
import { exits } from "../../cli/expectations.js";

const demo = ["--cloud", "local", "--name", "demo"];
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
const wait = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["wait", "arc", ...demo, ...flags], faster);
const show = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["show", "arc", ...demo, ...flags]);

async function seeded(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await connectedCluster(azure);
  return azure;
}

const isoTime = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

test("wait shows each state with its time, and ends when the agents are connected", async () => {
  const azure = await seeded();
  const waiting = wait(azure, "--output", "json");
  await azure.recorded((exchanges) => exchanges.filter(({ url }) => url.includes("/connectedClusters/demo")).length > 1);
  await startAgents(azure);
  const { stdout, stderr } = exits(await waiting, 0);
  expect(stderr).toMatch(new RegExp(`${isoTime.source} Connecting\n`));
  expect(stderr).toMatch(
    new RegExp(`${isoTime.source} Connected: agents 1\\.31\\.3, Kubernetes 1\\.30\\.7, last heartbeat ${isoTime.source}`),
  );
  expect(JSON.parse(stdout)).toEqual({
    ...{
      schemaVersion: 1,
      ok: true,
      command: "wait arc",
      name: "demo",
      clusterID: arcClusterId,
      state: "Connected",
      agentVersion: "1.31.3",
    },
    states: ["Connecting", "Connected"].map((state) => ({ state, at: expect.stringMatching(isoTime) as string })),
    lastConnectivityTime: expect.stringMatching(isoTime) as string,
  });
});

test("wait ends at once for agents that are connected, with the time of their last heartbeat", async () => {
  const azure = await seeded();
  await startAgents(azure);
  expect(exits(await wait(azure), 0).stdout).toMatch(new RegExp(`^Connected ${isoTime.source}\n$`));
});

test("wait fails for agents that were connected: Offline, and Expired with the way to renew the certificate", async () => {
  const azure = await seeded();
  await startAgents(azure);
  await stopAgents(azure);
  const offline = exits(await wait(azure), 1).stderr;
  expect(offline).toMatch(/are Offline; their last heartbeat was at \d{4}-.*\[ARO-ARC-005\]/);
  const day = 24 * 3_600_000;
  await setProperties(azure, arcClusterId, { agents: { startedAt: Date.now() - 200 * day, stoppedAt: Date.now() - 100 * day } });
  const expired = exits(await wait(azure), 1).stderr;
  expect(expired).toMatch(/are Expired/);
  expect(expired).toMatch(/the certificate of the cluster's identity expired at \d{4}-/);
  expect(expired).toMatch(/`aro-hcp create arc .*` prints, which renews the certificate/);
});

test("wait without agents ends with --timeout, and a connected cluster that does not exist is named", async () => {
  const azure = await seeded();
  expect(exits(await azure.cli(["wait", "arc", ...demo, "--timeout", "1s"]), 1).stderr).toMatch(/Connecting/);
  const missing = exits(await wait(azure, "--resource-group-name", "other"), 2).stderr.replace(/\s+/g, " ");
  expect(missing).toMatch(/no connected cluster demo was found in resource group "other"/);
});

/** Of az connectedk8s show. */
const members = [
  ...["aadProfile", "agentPublicKeyCertificate", "agentVersion", "arcAgentProfile", "arcAgentryConfigurations", "azureHybridBenefit"],
  ...["connectivityStatus", "distribution", "distributionVersion", "gateway", "id", "identity", "infrastructure", "kind"],
  ...["kubernetesVersion", "lastConnectivityTime", "location", "managedIdentityCertificateExpirationTime", "miscellaneousProperties"],
  ...["name", "offering", "oidcIssuerProfile", "privateLinkScopeResourceId", "privateLinkState", "provisioningState", "resourceGroup"],
  ...["securityProfile", "systemData", "tags", "totalCoreCount", "totalNodeCount", "type"],
];

test("show has every member of az connectedk8s show, and the extensions", async () => {
  const azure = await seeded();
  await startAgents(azure);
  exits(await azure.cli(["create", "arc", "extension", ...demo, "--extension-type", "key-vault", "--yes"], faster), 0);
  const shown = JSON.parse(exits(await show(azure, "--output", "json"), 0).stdout) as Record<string, unknown>;
  const { schemaVersion: _version, ok, command, extensions, ...others } = shown;
  expect({ ok, command }).toEqual({ ok: true, command: "show arc" });
  expect(Object.keys(others)).toEqual(members);
  expect(others).toMatchObject({
    ...{ connectivityStatus: "Connected", agentVersion: "1.31.3", kubernetesVersion: "1.30.7", totalNodeCount: 6, totalCoreCount: 36 },
    managedIdentityCertificateExpirationTime: expect.stringMatching(isoTime) as string,
  });
  expect(extensions).toMatchObject([{ id: arcExtensionId("akvsecretsprovider"), provisioningState: "Succeeded" }]);
});

test("show without a name lists the connected clusters of the subscription, or of a group", async () => {
  const azure = await testEmulator();
  const list = (...flags: readonly string[]) => azure.cli(["show", "arc", "--cloud", "local", ...flags]);
  expect(exits(await list(), 0).stdout).toContain("no connected cluster was found");
  await connectedCluster(azure);
  await startAgents(azure);
  expect(exits(await list(), 0).stdout).toMatch(/demo +demo-arc +eastus +Connected +1\.31\.3 +1\.30\.7 openshift azure/);
  const { connectedClusters } = JSON.parse(exits(await list("--output", "json"), 0).stdout) as { connectedClusters: object[] };
  expect(connectedClusters.map((one) => Object.keys(one))).toEqual([members]);
  expect(connectedClusters).toMatchObject([{ id: arcClusterId, connectivityStatus: "Connected", resourceGroup: "demo-arc" }]);
  await azure.seed({ resources: { [groupId("empty")]: { location: "eastus" } } });
  expect(exits(await list("--resource-group-name", "empty"), 0).stdout).toContain("no connected cluster was found");
  expect(exits(await list("--resource-group-name", "demo-arc"), 0).stdout).toContain("demo-arc");
});

test("show prints the heartbeat, the certificate, and the error of an extension", async () => {
  const azure = await seeded();
  const words = "timed out waiting for the condition";
  await startAgents(azure, { "microsoft.azurekeyvaultsecretsprovider": words });
  exits(await azure.cli(["create", "arc", "extension", ...demo, "--extension-type", "key-vault", "--yes"], faster), 1);
  const text = exits(await show(azure), 0).stdout;
  expect(text).toMatch(/last heartbeat +\d{4}-/);
  expect(text).toMatch(/certificate expires +\d{4}-/);
  expect(text).toMatch(/nodes +6 with 36 cores/);
  expect(text.replace(/\s+/g, " ")).toContain(words);
  await stopAgents(azure);
  expect(exits(await show(azure), 0).stdout).toMatch(/connectivity +Offline/);
});
