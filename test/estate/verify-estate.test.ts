/** `verify estate`: each cluster of aro-hcp is verified from what Azure has, whoever else has made something beside it. */
import { expect, test } from "vitest";
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { wellKnown } from "../../src/emulator/index.js";
import { exits } from "../cli/expectations.js";
import { deleteResources } from "../harness/state-changes.js";
import { demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { cluster, group, inGroup, merged } from "./estate-seed.js";

const verify = ["verify", "estate", "--cloud", "local"];

interface Document {
  readonly results: readonly { readonly check: string; readonly subject: string; readonly state: string; readonly evidence: string }[];
}

async function estate(): Promise<TestEmulator> {
  const azure = await testEmulator();
  for (const name of ["blue", "green"]) {
    const flags = ["--name", name, "--infra-id", `${name}1`, ...demoDomain, "--dns-zone-rg-name", "dns", "--output-file", azure.path(name)];
    exits(await azure.cli(["create", "infra", "--cloud", "local", ...flags]), 0);
  }
  await azure.seed(cluster({ naming: "hypershift", name: "theirs", infraId: "t1" }));
  return azure;
}

test("what aro-hcp made is verified by its name, and one that is broken stops no other", async () => {
  const azure = await estate();
  const { stdout } = exits(await azure.cli(verify), 0);
  expect(stdout).toContain("cluster blue/blue1");
  expect(stdout).toContain("4 passed");
  await deleteResources(
    azure,
    `${resourceGroupId(wellKnown.subscriptionId, "green-green1")}/providers/Microsoft.Network/loadBalancers/green1`,
  );
  const broken = exits(await azure.cli([...verify, "--output", "json"]), 6);
  const { results } = JSON.parse(broken.stdout) as Document;
  const failed = results.filter(({ state }) => state === "failed");
  expect(failed).toMatchObject([{ check: "estate-part-works", subject: "cluster green/green1" }]);
  expect(failed[0]?.evidence).toContain("load balancer green1");
  expect(results.filter(({ state }) => state === "passed").map(({ subject }) => subject)).toContain("cluster blue/blue1");
  const junit = await azure.cli([...verify, "clusters", "--output", "junit"]);
  expect(junit.stdout).toMatch(/<testsuite name="verify estate: cluster blue\/blue1" tests="\d\d" failures="0"/);
});

test("an estate without clusters of aro-hcp is no success, and neither is one that could not be read", async () => {
  const azure = await estate();
  const { stderr } = exits(await azure.cli([...verify, "management-clusters"]), 2);
  expect(stderr).toContain("no management cluster of aro-hcp was found");
  const refused = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no right" } } };
  const faults = [
    {
      method: "GET",
      path: `/subscriptions/${wellKnown.subscriptionId}/providers/Microsoft.Authorization/roleAssignments$`,
      times: 99,
      answer: refused,
    },
  ];
  const { code, stdout } = await azure.cli([...verify, "--output", "json"], { faults });
  const { ok, results } = JSON.parse(stdout) as Document & { readonly ok: boolean };
  expect({ code, ok }).toEqual({ code: 6, ok: false });
  expect(
    results
      .filter(({ state }) => state === "failed")
      .map(({ evidence }) => evidence)
      .join("\n"),
  ).toContain("ARO-AUTHZ-001: reading the role assignments");
});

test("a cluster that is half gone, and two of one name, are each a part of their own", async () => {
  const azure = await estate();
  await deleteResources(
    azure,
    `${resourceGroupId(wellKnown.subscriptionId, "green-green1-vnet")}/providers/Microsoft.Network/privateDnsZones/green-azurecluster.${wellKnown.dnsZone}`,
  );
  const cluster = {
    location: "eastus",
    tags: { "aro-hcp-arc": "edge" },
    identity: { type: "SystemAssigned" },
    properties: { agentPublicKeyCertificate: "" },
  };
  await azure.seed({ providers: { "Microsoft.Kubernetes": "Registered" } });
  for (const name of ["edge-arc", "edge-other"]) {
    await azure.seed(merged([group(name), inGroup(name, "Microsoft.Kubernetes/connectedClusters", "edge", cluster)]));
  }
  const { code, stdout } = await azure.cli([...verify, "--output", "json"]);
  const { results } = JSON.parse(stdout) as Document;
  const works = results.filter(({ check }) => check === "estate-part-works");
  expect(code).toBe(6);
  expect(
    works.map(({ subject }) => subject.replace(/^connected cluster edge in .*\/resourceGroups\/([\w-]+)\/.*/, "edge in $1")).toSorted(),
  ).toEqual(["cluster blue/blue1", "cluster green/green1", "edge in edge-arc", "edge in edge-other"]);
  expect(works.find(({ subject }) => subject === "cluster green/green1")?.evidence).toContain("private DNS zone");
});
