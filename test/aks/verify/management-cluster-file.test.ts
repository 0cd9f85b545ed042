/** `verify identities` with `--management-cluster-file`: the add-on is checked without a kubeconfig, and an outdated file is found. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aksClusterOutput } from "../../../src/files/aks-cluster-output.js";
import { addOn as otherAddOn, createdCluster } from "../files/aks-clusters.js";
import { findings, rowOf } from "../../verify/healthy-state.js";
import { managementCluster, type ManagementCluster } from "./management-cluster.js";

const subject = "management cluster";
const armChecks = ["management-cluster", "vault-addon", "vault-addon-rotation", "vault-addon-role", "vault-addon-nodes"];

interface AksAnswer {
  readonly properties: {
    readonly addonProfiles: {
      readonly azureKeyvaultSecretsProvider: { readonly identity: Record<"clientId" | "objectId" | "resourceId", string> };
    };
  };
}

/** The cluster as its file would have it. */
async function clusterFile({ state: { azure } }: ManagementCluster) {
  const { subscriptionId } = azure.connection;
  const clusterId = `/subscriptions/${subscriptionId}/resourceGroups/mgmt/providers/Microsoft.ContainerService/managedClusters/demo-mgmt`;
  const { body } = await (await azure.manager()).get(clusterId, "2025-07-01", z.custom<AksAnswer>());
  const { clientId, objectId, resourceId } = body.properties.addonProfiles.azureKeyvaultSecretsProvider.identity;
  return { path: "mgmt.json", clusterId, addOn: { id: resourceId, clientId, objectId } };
}

test("without a kubeconfig, the cluster and its add-on are checked, and the checks of its pods are skipped", async () => {
  const cluster = await managementCluster();
  const results = await cluster.verify({ managementCluster: undefined, clusterFile: await clusterFile(cluster) });
  expect(findings(results)).toEqual([]);
  const passed = results.filter((result) => result.subject === subject && result.state === "passed").map(({ check }) => check);
  expect(passed).toEqual(armChecks);
  expect(rowOf(results, "pods-start", subject)).toMatchObject({ state: "skipped", evidence: "--kubeconfig is not specified" });
});

test("an add-on that was enabled again has another identity than the file, with or without a kubeconfig", async () => {
  const cluster = await managementCluster();
  const file = { ...(await clusterFile(cluster)), addOn: otherAddOn };
  for (const changes of [{ clusterFile: file }, { clusterFile: file, managementCluster: undefined }]) {
    const results = await cluster.verify(changes);
    expect(findings(results)).toEqual([`vault-addon/${subject} failed`]);
    expect(rowOf(results, "vault-addon", subject).evidence).toMatch(
      /of AKS cluster demo-mgmt has identity .*; mgmt\.json has 3333.*, object 4444/,
    );
    expect(rowOf(results, "vault-addon", subject).next).toMatch(
      /`aro-hcp create management-cluster --name demo-mgmt --output-file mgmt\.json`/,
    );
  }
});

test("kubeconfig and file of two clusters are one failure", async () => {
  const cluster = await managementCluster();
  const { clusterId } = createdCluster;
  const results = await cluster.verify({ clusterFile: { path: "mgmt.json", clusterId: clusterId ?? "", addOn: otherAddOn } });
  expect(findings(results)).toEqual([`management-cluster/${subject} failed`]);
  expect(rowOf(results, "management-cluster", subject).evidence).toMatch(
    /^the nodes of https:.* belong to .*demo-mgmt, but mgmt\.json describes .*\/mgmt$/,
  );
});

test("a cluster that was deleted is one failure", async () => {
  const cluster = await managementCluster();
  const file = await clusterFile(cluster);
  const results = await cluster.verify({ managementCluster: undefined, clusterFile: { ...file, clusterId: `${file.clusterId}-old` } });
  expect(findings(results)).toEqual([`management-cluster/${subject} failed`]);
});

test("the command reads the file, and refuses that of another subscription than infra.json", async () => {
  const cluster = await managementCluster();
  const { clusterId, addOn } = await clusterFile(cluster);
  const { subscriptionId, tenantId } = cluster.state.azure.connection;
  const path = join(cluster.state.root, "mgmt.json");
  const run = async (changes: object) => {
    const known = { ...createdCluster, subscriptionId, tenantId, clusterId, keyVaultAddOn: addOn };
    await writeFile(path, JSON.stringify({ ...aksClusterOutput(known), ...changes }), { mode: 0o600 });
    const { files } = cluster.state;
    return cluster.state.run("verify", "identities", "--input-dir", files, "--management-cluster-file", path, "--only", "vault-addon-role");
  };
  expect(await run({})).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok {3}management cluster$/m) as string });
  const elsewhere = await run({ subscriptionID: otherAddOn.objectId });
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringMatching(/subscription is "4444.*infra\.json has/) as string });
  expect(elsewhere.stderr).toContain("pass only its --kubeconfig");
});
