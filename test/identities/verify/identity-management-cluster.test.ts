/** For every check of the management cluster: a fault makes only this check fail, and it passes after its advice is followed. */
import { expect, test } from "vitest";
import { openKubernetes } from "../../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../../src/kubernetes/kubeconfig.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { verifiedFlow } from "../../../src/identities/verify/flow.js";
import { recording } from "../../emulator/local-server.js";
import { ownSurroundings } from "../../harness/surroundings.js";
import { commandsIn, findings, rowOf } from "../../verify/healthy-state.js";
import { clusterChecks, hostedCluster, managementCluster, type ManagementCluster } from "../../aks/verify/management-cluster.js";
import { blockPod, clusterRows, later } from "../../aks/verify/management-cluster-rows.js";

const subject = "management cluster";
const failed = (results: readonly Result[]) => findings(results).map((line) => line.replace(/ (?:failed|warning)$/, ""));

/** Follows the advice of these findings in order, and a command that several of them print once. */
async function followAll(cluster: ManagementCluster, results: readonly Result[], rows: readonly string[]): Promise<void> {
  const followed = new Set<string>();
  for (const row of rows) {
    const [check = "", about = ""] = row.split("/");
    const commands = commandsIn(rowOf(results, check, about));
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      if (!command.startsWith("hypershift install") && !followed.has(command)) await cluster.follow(command);
      followed.add(command);
    }
  }
}

test("every check passes on a healthy management cluster, with requests that only read and without reading secrets", async () => {
  const { state, server, verifyAll } = await managementCluster(recording());
  const healthy = await verifyAll();
  expect(findings(healthy)).toEqual([]);
  const passed = healthy.filter(({ check, state }) => clusterChecks.includes(check) && state === "passed");
  // Three checks apply to each of nine components.
  expect(passed).toHaveLength(clusterChecks.length + 3 * 8);
  const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig, ownSurroundings), new AbortController().signal);
  const { found } = verifiedFlow(await state.chain({ managementCluster: { kubernetes, hostedCluster } }), healthy);
  const shown = [...found.values()].flat();
  expect(healthy.filter((result) => !shown.includes(result))).toEqual([]);
  expect(server.requests.filter((line) => !line.startsWith("GET ") || /\/secrets(?:$|[/?])/.test(line))).toEqual([]);
});

test("every check of the management cluster has a row here, or a test in management-cluster-access.test.ts", () => {
  const tested = new Set([...clusterRows.map(({ check }) => check), "management-cluster"]);
  expect([...tested].sort()).toEqual([...clusterChecks].sort());
});

test.each(clusterRows.map((row) => [`${row.check} reports ${row.fault}`, row] as const))("%s", async (_name, row) => {
  const { check, component = subject, warning, given, leaves = [] } = row;
  const cluster = await managementCluster();
  await row.breaks(cluster);
  let results = await cluster.verify(given);
  expect(findings(results)).toEqual([`${check}/${component} ${warning === true ? "warning" : "failed"}`]);
  expect(rowOf(results, check, component).evidence).toMatch(row.evidence);
  for (const left of [...leaves, []]) {
    await followAll(cluster, results, failed(results));
    results = await cluster.verify(given);
    expect(failed(results)).toEqual(left);
  }
});

test("secret-provider-class reports an API server without this resource type, and the advice enables the add-on again", async () => {
  const cluster = await managementCluster();
  cluster.server.unknown.add("secretproviderclasses").add("secretproviderclasspodstatuses");
  const results = await cluster.verify();
  expect(new Set(failed(results).map((row) => row.split("/")[0]))).toEqual(new Set(["secret-provider-class"]));
  expect(rowOf(results, "secret-provider-class", "cpo").evidence).toMatch(/^the API server has no SecretProviderClass resource/);
  await followAll(cluster, results, ["secret-provider-class/cpo"]);
  cluster.server.unknown.clear();
  // The add-on is enabled again and rotates secrets, but with another identity.
  expect(failed(await cluster.verify())).toEqual(["operator-environment", "vault-addon-role"].map((id) => `${id}/${subject}`));
});

test("checks that need a failed check are skipped with its name", async () => {
  const cluster = await managementCluster();
  await cluster.follow("kubectl set env deployment/operator --namespace hypershift MANAGED_SERVICE=");
  const results = await cluster.verify();
  expect(rowOf(results, "secret-provider-class", "cpo").evidence).toBe(`depends on operator-environment of ${subject}, which failed`);
});

test("a mounted version is compared only after the add-on's poll interval", async () => {
  const cluster = await managementCluster();
  const { secrets } = await cluster.state.azure.vaultContent(cluster.state.vault);
  await clusterRows.find(({ fault }) => fault === "an older version of the secret")?.breaks(cluster);
  const { createdOn } = (await secrets.getSecret("demo-file")).properties;
  const early = await cluster.verify({ now: () => new Date((createdOn?.getTime() ?? 0) + 30_000) });
  expect(rowOf(early, "secret-mounted", "file")).toMatchObject({
    state: "skipped",
    evidence: expect.stringContaining("the add-on polls every 2 min") as string,
  });
});

test("a disabled secret is reported once: checks that depend on it do not report it again", async () => {
  const cluster = await managementCluster();
  const { secrets } = await cluster.state.azure.vaultContent(cluster.state.vault);
  await secrets.updateSecretProperties("demo-network", "", { enabled: false });
  blockPod(cluster, "cloud-network-config-controller-1", "SecretDisabled");
  expect(failed(await cluster.verify(later))).toEqual(["secret-exists/network"]);
});
