import { describe, expect, test } from "vitest";
import {
  hasOtherOwner,
  hasOwner,
  isSharing,
  kubernetesOrigin,
  otherOwner,
  ownedBy,
  ownershipTags,
  ownerTags,
  sharingOwnersIn,
  sharingOwnerTitle,
  type Owner,
} from "../../src/domain/ownership.js";

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

/** An owner of each kind; its tags; whether its resources may be in groups of others, and then its title. */
const owners: readonly (readonly [owner: Owner, tags: Record<string, string>, title: string | undefined])[] = [
  [cluster, { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" }, undefined],
  [{ identitySet: "demo" }, { "aro-hcp-identities": "demo" }, "identity set demo"],
  [{ iam: cluster }, { "aro-hcp-iam": "demo/demo-x7k2" }, "the workload identities of demo/demo-x7k2"],
  [{ dnsZone: "blue.example.com" }, { "aro-hcp-dns-zone": "blue.example.com" }, "DNS zone blue.example.com"],
  [{ arc: "demo" }, { "aro-hcp-arc": "demo" }, undefined],
  [{ kind: "management-cluster", name: "demo" }, { "aro-hcp-management-cluster": "demo" }, undefined],
  [{ kind: "service-cluster", name: "demo" }, { "aro-hcp-service-cluster": "demo" }, undefined],
];

describe.each(owners)("the owner %j", (owner, tags, title) => {
  test("has tags of its own, and only they prove it", () => {
    expect(ownershipTags(owner)).toEqual(tags);
    for (const [other, otherTags] of owners) {
      expect(ownedBy(otherTags, owner)).toBe(other === owner ? "ours" : "untagged");
      expect(hasOtherOwner(otherTags, owner)).toBe(other !== owner);
      expect(hasOtherOwner({ ...tags, ...otherTags }, owner)).toBe(false);
    }
    expect(ownerTags).toEqual(expect.arrayContaining(Object.keys(tags)));
    expect(hasOwner(tags)).toBe(true);
  });

  test("is another one with another value of its tag", () => {
    for (const tag of Object.keys(tags)) expect(hasOtherOwner({ ...tags, [tag]: "other" }, owner)).toBe(true);
    expect(hasOtherOwner({}, owner)).toBe(false);
  });

  test("is found by its tags if its resources may be in groups of others", () => {
    expect(isSharing(owner)).toBe(title !== undefined);
    const found = sharingOwnersIn(tags);
    expect(found).toEqual(title === undefined ? [] : [owner]);
    expect(found.map(sharingOwnerTitle)).toEqual(title === undefined ? [] : [title]);
  });
});

test("all sharing owners that the tags name are found, and workload identities only with both parts", () => {
  const all = Object.assign({}, ...owners.map(([, tags]) => tags)) as Record<string, string>;
  expect(sharingOwnersIn(all)).toEqual([{ identitySet: "demo" }, { iam: cluster }, { dnsZone: "blue.example.com" }]);
  expect(sharingOwnersIn({ "aro-hcp-iam": "demo" })).toEqual([]);
  expect(sharingOwnersIn(undefined)).toEqual([]);
});

test("one of the two tags of a cluster names no other owner", () => {
  expect(hasOtherOwner({ "aro-hcp-name": "demo" }, cluster)).toBe(false);
  expect(hasOtherOwner({ "aro-hcp-name": "demo", "aro-hcp-arc": "edge" }, cluster)).toBe(true);
});

test("any tag of ours names an owner, even one of a later version", () => {
  expect(hasOwner({ team: "a", "Aro-Hcp-Later": "x" })).toBe(true);
  for (const tags of [undefined, {}, { team: "aro-hcp-" }, { "not-aro-hcp-name": "demo" }]) expect(hasOwner(tags)).toBe(false);
});

test("another owner than the cluster is shown by its tags, or by those of another Kubernetes", () => {
  expect(otherOwner({ "aro-hcp-identities": "demo" }, cluster)).toBe("its ownership tags name another cluster or an identity set");
  expect(otherOwner({ "k8s-azure-cluster-name": "other" }, cluster)).toBe(
    "its tags show that the Kubernetes of another cluster created it",
  );
  for (const tags of [undefined, ownershipTags(cluster), { "k8s-azure-cluster-name": "demo-x7k2" }, { "k8s-azure-service": "a" }])
    expect(otherOwner(tags, cluster)).toBeUndefined();
});
