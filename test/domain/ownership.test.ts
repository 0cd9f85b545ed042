import { describe, expect, test } from "vitest";
import { kubernetesOrigin, ownedBy, ownershipTags } from "../../src/domain/ownership.js";

const cluster = { name: "demo", infraId: "demo-x7k2" };

describe("ownedBy", () => {
  test("only its own tag proves an identity set, not that of a cluster", () => {
    const set = { identitySet: "demo" };
    expect(ownershipTags(set)).toEqual({ "aro-hcp-identities": "demo" });
    expect(ownedBy({ "Aro-Hcp-Identities": "demo" }, set)).toBe("ours");
    expect(ownedBy({ "aro-hcp-identities": "Demo" }, set)).toBe("other-owner");
    expect(ownedBy(ownershipTags(cluster), set)).toBe("untagged");
    expect(ownedBy(ownershipTags(set), cluster)).toBe("untagged");
  });

  test("the ownership tags prove the owner, in any casing of their names", () => {
    expect(ownedBy(ownershipTags(cluster), cluster)).toBe("ours");
    expect(ownedBy({ "ARO-HCP-Name": "demo", "Aro-Hcp-Infra-Id": "demo-x7k2", team: "a" }, cluster)).toBe("ours");
  });

  test("a resource of a cluster whose infra ID has ours as a prefix is not ours", () => {
    expect(ownedBy(ownershipTags({ name: "demo", infraId: "demo-x7k2-b" }), cluster)).toBe("other-owner");
    expect(ownedBy(ownershipTags({ name: "demo", infraId: "DEMO-X7K2" }), cluster)).toBe("other-owner");
  });

  test.each([[undefined], [{}], [{ team: "a" }], [{ "aro-hcp-infra-id": "demo-x7k2" }], [{ "aro-hcp-name": "demo" }]])(
    "%j proves nothing",
    (tags) => {
      expect(ownedBy(tags, cluster)).toBe("untagged");
    },
  );

  test("one different tag outweighs a matching one", () => {
    expect(ownedBy({ "aro-hcp-name": "other", "aro-hcp-infra-id": "demo-x7k2" }, cluster)).toBe("other-owner");
    expect(ownedBy({ "aro-hcp-infra-id": "other" }, cluster)).toBe("other-owner");
  });
});

describe("kubernetesOrigin", () => {
  test.each([
    [{ "kubernetes.io_cluster.demo-x7k2": "owned" }, "this-cluster"],
    [{ "sigs.k8s.io_cluster-api-provider-azure_cluster_demo-x7k2": "owned" }, "this-cluster"],
    [{ "k8s-azure-cluster-name": "demo-x7k2", "k8s-azure-service": "ns/router" }, "this-cluster"],
    [{ "kubernetes-cluster-name": "demo-x7k2" }, "this-cluster"],
    [{ "kubernetes.io-created-for-pv-name": "pvc-1", "kubernetes.io_cluster.demo-x7k2": "owned" }, "this-cluster"],
    [{ "kubernetes.io_cluster.demo-x7k2-b": "owned" }, "other-cluster"],
    [{ "kubernetes.io_cluster.demo-x7k2": "owned", "kubernetes.io_cluster.other": "owned" }, "other-cluster"],
    [{ "k8s-azure-cluster-name": "other" }, "other-cluster"],
    [{ "sigs.k8s.io_cluster-api-provider-azure_cluster_other": "owned", "k8s-azure-service": "a/b" }, "other-cluster"],
    [{ "k8s-azure-cluster-name": "kubernetes" }, "unnamed-cluster"],
    [{ "k8s-azure-cluster-name": "demo" }, "unnamed-cluster"],
    [{ "k8s-azure-dns-label-service": "a/b" }, "unnamed-cluster"],
    [{ "k8s-azure-created-by": "kubernetes-azure-dd", "kubernetes.io-created-for-pvc-namespace": "a" }, "unnamed-cluster"],
    [{ "kubernetes.io_cluster.demo-x7k2": "shared" }, "none"],
    [{ team: "a" }, "none"],
    [undefined, "none"],
  ] as const)("%j was made by %s", (tags, origin) => {
    expect(kubernetesOrigin(tags, cluster)).toBe(origin);
  });
});
