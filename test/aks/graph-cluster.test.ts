/** `graph management-cluster` and `graph service-cluster`: the steps of the create, and the traffic of the clusters. */
import { expect, test } from "vitest";
import { aksClusterOutput } from "../../src/files/aks-cluster-output.js";
import { createdCluster } from "./files/aks-clusters.js";
import { testEmulator } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";
import { fileOf } from "../identities/cli/identities.js";

test("the steps of a management cluster, in the order that must hold; no request to Azure", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await azure.cli(["graph", "management-cluster", "--name", "mgmt", "--preset", "production"]), 0);
  const numbers = new Map([...stdout.matchAll(/^ {4}(s\d+)\["([^"]*)"\]:::step$/gm)].map(([, id = "", title = ""]) => [title, id]));
  const numberOf = (words: RegExp) => [...numbers].find(([title]) => words.test(title))?.[1] ?? String(words);
  const arrows = [...stdout.matchAll(/^ {2}(s\d+) --> (s\d+)$/gm)].map(([, from = "", to = ""]) => [from, to] as const);
  const reaches = (from: string, to: string): boolean => from === to || arrows.some(([one, next]) => one === from && reaches(next, to));
  const cluster = numberOf(/^AKS cluster mgmt$/);
  for (const before of [
    /mgmt-outbound-ip$/,
    /mgmt-msi$/,
    /mgmt-kubelet-msi$/,
    /mgmt-vnet$/,
    / Managed Identity Operator /,
    / Key Vault Crypto User /,
  ])
    expect([String(before), reaches(numberOf(before), cluster)]).toEqual([String(before), true]);
  expect(await azure.traffic()).toEqual([]);
});

test("dot, with the choices that the file records unless a flag overrides them", async () => {
  const azure = await testEmulator();
  const recorded = { ...createdCluster, options: { preset: "dev", userPool: ["name=big,min=1,max=3"] } };
  const file = ["--management-cluster-file", await fileOf(azure, "mgmt.json", aksClusterOutput(recorded))];
  const dot = async (...flags: readonly string[]) =>
    exits(await azure.cli(["graph", "management-cluster", ...file, "--format", "dot", ...flags]), 0).stdout;
  const steps = await dot();
  expect(steps).toMatch(/^digraph steps \{/);
  expect(steps).toMatch(/label="agent pool big1?"/);
  expect(steps).not.toMatch(/Key Vault Crypto User/);
  expect(await dot("--preset", "production")).toMatch(/Key Vault Crypto User/);
  const other = exits(await azure.cli(["graph", "management-cluster", ...file, "--name", "other"]), 2);
  expect(other.stderr).toMatch(/--name +is "other", but the file of --management-cluster-file has "mgmt"/);
});

test("--flow prints the planned traffic, or that of the files of both clusters", async () => {
  const azure = await testEmulator();
  const planned = exits(
    await azure.cli(["graph", "service-cluster", "--name", "svc", "--ops-ingress", "--flow", "--environment", "int"]),
    0,
  ).stdout;
  expect(planned).toContain('title: "traffic of service cluster svc"');
  expect(planned).toMatch(/\["svc-ops-ingress-ip<br\/>operators' ingress<br\/>FirstPartyUsage:\/NonProd"\]:::address/);
  expect(planned).toMatch(/\["CorpNetSaw<br\/>service tag"\]:::source/);

  const service = {
    ...createdCluster,
    kind: "service-cluster" as const,
    name: "svc",
    ingressAddresses: [
      {
        id: (createdCluster.egressAddresses?.[0]?.id ?? "").replace(/[^/]+$/, "svc-ingress-ip"),
        ipAddress: "20.0.0.9",
        ipTags: [],
        purpose: "ingress" as const,
      },
    ],
  };
  const files = [
    ...["--management-cluster-file", await fileOf(azure, "mgmt.json", aksClusterOutput(createdCluster))],
    ...["--service-cluster-file", await fileOf(azure, "svc.json", aksClusterOutput(service))],
  ];
  const both = exits(await azure.cli(["graph", "management-cluster", "--flow", "--format", "dot", ...files]), 0).stdout;
  expect(both).toMatch(/^digraph clusters \{/);
  expect(both).toContain('label="traffic of management cluster mgmt and service cluster svc"');
  expect(both).toContain('"svc-ingress-ip\\ningress\\n20.0.0.9\\nno IP tags"');
  expect(both).toContain('"mgmt-outbound-ip\\negress\\n20.0.0.7\\nFirstPartyUsage:/NonProd"');
  expect(await azure.traffic()).toEqual([]);
});
