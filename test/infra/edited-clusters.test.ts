/** Settings of an AKS cluster that somebody has edited: tags say nothing, and an output file is checked like flags. */
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { aksClusterIds } from "../harness/aks-cluster.js";
import { addTags, resource } from "../harness/state-changes.js";
import { testEmulator } from "../harness/test-emulator.js";
import { aksClusterOutput } from "../../src/files/aks-cluster-output.js";
import { createdCluster } from "../aks/files/aks-clusters.js";
import { exits, titled } from "../cli/expectations.js";

const mgmt = ["--cloud", "local", "--name", "mgmt"];
const ids = aksClusterIds();
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };

test.each([
  { preset: "nope" },
  { location: "eastus", keyVaultId: "/x", clusterIdentityId: "x", userPool: ["size=;rm"] },
  { location: "eastus", preset: "production", ingressAddress: true, tags: { team: "blue" } },
])("the tags of an earlier version say nothing, and the next create removes them: %j", async (record) => {
  const azure = await testEmulator();
  const create = ["create", "management-cluster", ...mgmt, "--yes"];
  exits(await azure.cli(create, faster), 0);
  const tagged = await Promise.all([ids.group, ids.cluster].map(async (id) => [id, { ...(await resource(azure, id)) }] as const));
  for (const id of [ids.group, ids.cluster]) await addTags(azure, id, { "aro-hcp-options": JSON.stringify(record) });
  const { stdout } = exits(await azure.cli(["show", "management-cluster", ...mgmt, "--output", "json"], faster), 0);
  expect(stdout).not.toContain("mgmt-ingress-ip");
  const { stderr } = exits(await azure.cli([...create, "--dry-run"], faster), 0);
  expect(stderr).toMatch(/update +resource group mgmt[\s\S]*tags\.aro-hcp-options/);
  exits(await azure.cli(create, faster), 0);
  for (const [id, { tags }] of tagged) expect((await resource(azure, id))?.tags).toEqual(tags);
});

describe("an output file", () => {
  const whole = createdCluster;
  const edits: readonly { readonly what: string; readonly change: object; readonly words: RegExp }[] = [
    { what: "an unknown preset", change: { options: { preset: "nope" } }, words: /options\.preset: "nope" is not one of/ },
    { what: "an unlisted environment", change: { options: { location: "eastus", environment: "prod" } }, words: /options\.environment/ },
    { what: "a cloud that is none", change: { cloud: "local\nkind: Secret" }, words: /cloud: expected one of AzurePublicCloud, / },
    { what: "a name with a line break", change: { name: "a\nb" }, words: /name: must have 1 to 63/ },
    { what: "a group with a line break", change: { resourceGroupName: "x\ny" }, words: /resourceGroupName: expected the name/ },
    { what: "a text instead of an ID", change: { clusterID: "mgmt" }, words: /clusterID: expected the ID/ },
    { what: "a vault that is none", change: { vaultIDs: ["x"] }, words: /vaultIDs\.0: expected the ID/ },
  ];
  const commands = ["show", "graph", "destroy"] as const;

  test.each(titled(edits))("with %s is refused by every command that reads it", async (_what, { change, words }) => {
    const azure = await testEmulator();
    const path = azure.path("mgmt.json");
    await writeFile(path, JSON.stringify({ ...aksClusterOutput(whole), ...change }));
    // A destroy does not use the options of the file.
    for (const command of commands.filter((one) => !("options" in change) || one !== "destroy")) {
      const { stderr } = await azure.cli([command, "management-cluster", "--cloud", "local", "--management-cluster-file", path]);
      expect(stderr).toMatch(words);
      expect(stderr).toContain("ARO-FILE-003");
    }
  });

  const other = "99999999-9999-4999-8999-999999999999";
  const { subscriptionId, tenantId } = wellKnown;
  const places = [
    {
      what: "another cloud",
      change: { cloud: "AzureChinaCloud" },
      words: /belongs to AzureChinaCloud, but this run uses AzurePublicCloud/,
    },
    { what: "another tenant", change: { tenantID: other }, words: /belongs to tenant 9999/ },
    { what: "another subscription", change: { subscriptionID: other }, words: /--subscription +is "5b5c.*has "9999/ },
  ];

  test.each(titled(places))("of %s is refused by every command that looks for its cluster", async (_what, { change, words }) => {
    const azure = await testEmulator();
    const path = azure.path("mgmt.json");
    await writeFile(path, JSON.stringify({ ...aksClusterOutput({ ...whole, subscriptionId, tenantId }), ...change }));
    const flags = ["--cloud", "local", "--subscription", subscriptionId, "--management-cluster-file", path];
    for (const [command, ...more] of [["show"], ["verify"], ["destroy", "--yes"]] as const) {
      const { stderr } = exits(await azure.cli([command, "management-cluster", ...flags, ...more]), 2);
      expect(stderr).toMatch(words);
    }
  });

  test("of a service cluster with an edited zone makes no manifest", async () => {
    const azure = await testEmulator();
    const path = azure.path("svc.json");
    const options = { regionalZone: "eastus.example.com\nkind: Secret", opsHost: "admin" };
    await writeFile(path, JSON.stringify({ ...aksClusterOutput({ ...whole, kind: "service-cluster", name: "svc" }), options }));
    const result = await azure.cli(["render", "ingress", "--service-cluster-file", path, "--ingress-backend", "a.b:443"]);
    expect(result.stdout).toBe("");
    expect(result.stderr).toMatch(/options\.regionalZone/);
    expect(await readFile(path, "utf8")).toContain("Secret");
  });
});

test("a node resource group with the name of the cluster is refused, also in a group of others", async () => {
  const azure = await testEmulator();
  const flags = ["--resource-group-name", "shared", "--node-resource-group-name", "mgmt"];
  const { stderr } = exits(await azure.cli(["create", "management-cluster", ...mgmt, "--yes", ...flags], faster), 2);
  expect(stderr).toContain("is the name of the cluster");
});
