/** The flow of the identities: each path from left to right, compared with a handwritten table. */
import { describe, expect, test } from "vitest";
import { identityFlow, type FlowFacts, type IdentityFlow } from "../../src/domain/identity-flow.js";

const fields = [
  "controlPlaneOperator",
  "nodePoolManagement",
  "cloudProvider",
  "disk",
  "file",
  "ingress",
  "network",
  "imageRegistry",
  "kms",
] as const;
const facts: FlowFacts = {
  clusterName: "demo",
  vault: { name: "kv-demo", tenantId: "the-tenant" },
  controlPlane: Object.fromEntries(fields.map((field) => [field, { clientId: `id of ${field}`, secretName: `secret of ${field}` }])),
  dataPlane: { imageRegistryMSIClientID: "id of registry", diskMSIClientID: "id of disk", fileMSIClientID: "id of file" },
  issuerUrl: "https://issuer.example.com/demo",
  groups: { managed: "m", nsg: "n", vnet: "v", dns: "d" },
  encryptionKey: { keyVaultName: "etcd-kv", keyName: "etcd", keyVersion: "1", vaultSuffix: "vault.azure.net" },
  customHcpRoles: false,
  disabledCapabilities: [],
};

/** Each path as a line, in the order of the diagram. */
function waysOf({ groups, arrows }: IdentityFlow): string[] {
  const nodes = new Map(groups.flatMap((group) => group.nodes.map((node) => [node.id, node])));
  const follow = (id: string): string[] => {
    const next = arrows.filter(({ from }) => from === id).map(({ to }) => to);
    const here = nodes.get(id)?.lines.join(", ") ?? "?";
    return next.length === 0 ? [here] : next.flatMap((to) => follow(to).map((rest) => `${here} > ${rest}`));
  };
  return arrows
    .filter(({ from }) => !arrows.some(({ to }) => to === from))
    .flatMap(({ from, to }) => follow(to).map((rest) => `${nodes.get(from)?.lines.join(", ") ?? "?"} > ${rest}`));
}

const scopesOf = ({ groups }: IdentityFlow) => groups.find(({ id }) => id === "scopes")?.nodes.map(({ lines }) => lines);

const mnv = "resource group m (managed), resource group n (security group), resource group v (network)";
const mv = "resource group m (managed), resource group v (network)";

describe("the flow of the identities", () => {
  test("leads each of twelve from its secret or token to its groups, those with the same groups side by side", () => {
    const flow = identityFlow(facts);
    const disk = "Azure Red Hat OpenShift Disk Storage Operator";
    expect(waysOf(flow)).toEqual([
      `secret of controlPlaneOperator > control-plane-operator, managed-azure-cpo > cpo, id of controlPlaneOperator > Contributor > ${mnv}`,
      `secret of cloudProvider > cloud-controller-manager, managed-azure-cloud-provider > cloud-provider, id of cloudProvider > Azure Red Hat OpenShift Cloud Controller Manager > ${mnv}`,
      `secret of file > azure-file-csi-driver-controller, managed-azure-file-csi > file, id of file > Azure Red Hat OpenShift File Storage Operator > ${mnv}`,
      `secret of ingress > ingress-operator, managed-azure-ingress > ingress, id of ingress > Azure Red Hat OpenShift Cluster Ingress Operator > ${mv}, resource group d (public zone)`,
      `secret of nodePoolManagement > capi-provider, managed-azure-nodepool-management > nodepool-mgmt, id of nodePoolManagement > Contributor > ${mv}`,
      `secret of network > cloud-network-config-controller, managed-azure-network > network, id of network > Azure Red Hat OpenShift Network Operator > ${mv}`,
      `secret of kms > kube-apiserver, managed-azure-kms > kms, id of kms > Key Vault Crypto User > key that encrypts etcd, etcd in etcd-kv`,
      `secret of disk > azure-disk-csi-driver-controller, managed-azure-disk-csi > disk, id of disk > ${disk} > resource group m (managed)`,
      `secret of imageRegistry > cluster-image-registry-operator, managed-azure-image-registry > image-registry, id of imageRegistry > Azure Red Hat OpenShift Image Registry Operator > resource group m (managed)`,
      `https://issuer.example.com/demo > registry, openshift-image-registry > image-registry-MI, id of registry > Azure Red Hat OpenShift Image Registry Operator > resource group m (managed)`,
      `https://issuer.example.com/demo > azure-disk-csi-driver-node-sa, openshift-cluster-csi-drivers > azure-disk-MI, id of disk > ${disk} > resource group m (managed)`,
      `https://issuer.example.com/demo > azure-file-csi-driver-node-sa, openshift-cluster-csi-drivers > azure-file-MI, id of file > Azure Red Hat OpenShift File Storage Operator > resource group m (managed)`,
    ]);
    expect(flow.title).toBe("identities of demo in tenant the-tenant");
    expect(flow.groups.map(({ title, nodes }) => `${title}: ${String(nodes.length)}`)).toEqual([
      "Key Vault kv-demo: 9",
      "issuer, signs tokens: 1",
      "pods, each with its SecretProviderClass: 9",
      "service accounts, in their namespaces: 3",
      "applications, by certificate: 9",
      "managed identities, by federation: 3",
      "roles: 12",
      "scopes: 5",
    ]);
  });

  test("names a group with several scopes once, and shows equal sets of groups once", () => {
    const flow = identityFlow({ ...facts, groups: { managed: "One", nsg: "one", vnet: "one", dns: "d" } });
    const one = "resource group One (managed, security group, network)";
    expect(scopesOf(flow)).toEqual([[one, "resource group d (public zone)"], ["key that encrypts etcd", "etcd in etcd-kv"], [one]]);
    expect(flow.groups.at(-1)?.nodes.map(({ subjects }) => subjects)).toEqual([["One", "d"], ["kms"], ["One"]]);
  });

  test("shows the hosted control plane roles, and omits the identities of a disabled capability", () => {
    const { kms: _, ...controlPlane } = facts.controlPlane;
    const ways = waysOf(identityFlow({ ...facts, controlPlane, customHcpRoles: true, disabledCapabilities: ["ImageRegistry"] }));
    expect(ways).toHaveLength(9);
    expect(ways.filter((way) => /registry|kms/i.test(way))).toEqual([]);
    expect(ways[0]).toContain("> Azure Red Hat OpenShift Hosted Control Planes Control Plane Operator >");
  });

  test("omits unknown names", () => {
    const unknown = { clientId: undefined, secretName: undefined };
    const flow = identityFlow({
      ...facts,
      ...{ clusterName: undefined, vault: undefined, dataPlane: undefined, issuerUrl: undefined, encryptionKey: undefined },
      controlPlane: { disk: unknown, kms: unknown },
      groups: {},
      disabledCapabilities: ["ImageRegistry"],
    });
    expect(flow.title).toBe("identities");
    expect(flow.groups[0]?.title).toBe("Key Vault");
    expect(waysOf(flow).slice(0, 3)).toEqual([
      "of kms > kube-apiserver, managed-azure-kms > kms > Key Vault Crypto User > key that encrypts etcd",
      "of disk > azure-disk-csi-driver-controller, managed-azure-disk-csi > disk > Azure Red Hat OpenShift Disk Storage Operator > resource group (managed)",
      "signing key of service accounts > azure-disk-csi-driver-node-sa, openshift-cluster-csi-drivers > azure-disk-MI > Azure Red Hat OpenShift Disk Storage Operator > resource group (managed)",
    ]);
    expect(identityFlow({ ...facts, controlPlane: {} }).groups.map(({ id }) => id)).not.toContain("secrets");
  });
});
