/** The graph of a cluster's traffic: who can reach which address, and what the cluster reaches. */
import { expect, test } from "vitest";
import { clusterFlow, type ClusterFacts } from "../../../src/aks/domain/cluster-flow.js";

const management: ClusterFacts = {
  kind: "management-cluster",
  name: "mgmt",
  location: "eastus",
  securityGroup: "mgmt-cluster-node-nsg",
  egress: [{ name: "mgmt-outbound-ip", ipAddress: "20.0.0.7", ipTags: [{ type: "FirstPartyUsage", tag: "/NonProd" }] }],
  ingress: [],
  sharedIngressTags: [],
  rules: undefined,
  addOnClientId: "3333",
  vaults: ["kv-demo"],
  etcdKeyId: "https://ah-mgmt.vault.azure.net/keys/aks-etcd-encryption/0a",
};
const service: ClusterFacts = {
  ...management,
  kind: "service-cluster",
  name: "svc",
  egress: [{ name: "svc-outbound-ip", ipAddress: undefined, ipTags: [] }],
  ingress: [
    { name: "svc-ingress-ip", ipAddress: "20.0.0.8", ipTags: [], purpose: "ingress" },
    { name: "svc-ops-ingress-ip", ipAddress: "20.0.0.9", ipTags: [], purpose: "ops" },
  ],
  rules: { ops: true, genevaServiceTag: "GenevaActions", sreServiceTag: "CorpNetSaw" },
  vaults: [],
  etcdKeyId: undefined,
};

/** Each path from a source to what is reached, by the first lines of its nodes. */
function pathsOf(clusters: readonly ClusterFacts[]): string[] {
  const { groups, arrows } = clusterFlow(clusters);
  const names = new Map(groups.flatMap(({ nodes }) => nodes.map(({ id, lines: [name] }) => [id, name] as const)));
  const from = (id: string): string[][] => {
    const next = arrows.filter((arrow) => arrow.from === id);
    return next.length === 0 ? [[names.get(id) ?? ""]] : next.flatMap(({ to }) => from(to).map((rest) => [names.get(id) ?? "", ...rest]));
  };
  const starts = [...names.keys()].filter((id) => !arrows.some(({ to }) => to === id));
  return starts.flatMap(from).map((path) => path.join(" > "));
}

test("a management cluster is open to everyone on two ports, and leaves through its address and the add-on", () => {
  const exits = ["mgmt-outbound-ip > internet", "Key Vault add-on > Key Vault kv-demo", "cluster identity > Key Vault ah-mgmt"];
  expect(pathsOf([management]).toSorted()).toEqual(
    ["kas-443-in-internet", "kas-6443-in-internet"]
      .flatMap((rule) => exits.map((exit) => `anywhere > ${rule} > shared ingress > mgmt > ${exit}`))
      .toSorted(),
  );
});

test("each service tag reaches its own address of a service cluster, or the only one", () => {
  expect(pathsOf([service])).toEqual([
    "AzureResourceManager > rp-in-arm > svc-ingress-ip > svc > svc-outbound-ip > internet",
    "GenevaActions > admin-in-geneva > svc-ops-ingress-ip > svc > svc-outbound-ip > internet",
    "CorpNetSaw > sre-in-ops > svc-ops-ingress-ip > svc > svc-outbound-ip > internet",
  ]);
  const [shared] = service.ingress;
  const one: ClusterFacts = { ...service, ingress: shared ? [shared] : [], rules: { ...service.rules!, ops: false } };
  expect(pathsOf([one]).map((path) => path.split(" > ")[2])).toEqual(["svc-ingress-ip", "svc-ingress-ip", "svc-ingress-ip"]);
});

test("addresses show their IP tags, and two clusters in one graph share only what both reach", () => {
  const { title, groups } = clusterFlow([service, management]);
  expect(title).toBe("traffic of service cluster svc and management cluster mgmt");
  const linesOf = (kind: string) => groups.find(({ id }) => id === kind)?.nodes.map(({ lines }) => lines.join(", "));
  expect(linesOf("exit")).toEqual([
    "svc-outbound-ip, egress, no IP tags",
    "mgmt-outbound-ip, egress, 20.0.0.7, FirstPartyUsage:/NonProd",
    "Key Vault add-on, 3333, Key Vault Secrets User",
    "cluster identity, Key Vault Crypto User",
  ]);
  expect(linesOf("reached")).toEqual(["internet", "Key Vault kv-demo, secrets", "Key Vault ah-mgmt, key aks-etcd-encryption of etcd"]);
  expect(linesOf("cluster")).toEqual(["svc, service cluster, eastus", "mgmt, management cluster, eastus"]);
});
