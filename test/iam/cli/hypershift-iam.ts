/** What `hypershift create iam azure` makes, by hand: identities without tags, and their federated identity credentials. */
import { connectedAzure } from "../../harness/connected-azure.js";
import type { TestEmulator } from "../../harness/test-emulator.js";
import { groupId } from "../../cli/demo-cluster.js";

const account = (namespace: string, name: string) => `system:serviceaccount:${namespace}:${name}`;
const csi = (name: string) => account("openshift-cluster-csi-drivers", name);

/** `--name demo --infra-id demo-x7k2`: subjects by the name of the credential, by the name of the identity. */
export const hypershiftIam: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "demo-disk-demo-x7k2": {
    "demo-disk-fed-id-node": csi("azure-disk-csi-driver-node-sa"),
    "demo-disk-fed-id-operator": csi("azure-disk-csi-driver-operator"),
    "demo-disk-fed-id-controller": csi("azure-disk-csi-driver-controller-sa"),
  },
  "demo-file-demo-x7k2": {
    "demo-file-fed-id-node": csi("azure-file-csi-driver-node-sa"),
    "demo-file-fed-id-operator": csi("azure-file-csi-driver-operator"),
    "demo-file-fed-id-controller": csi("azure-file-csi-driver-controller-sa"),
  },
  "demo-image-registry-demo-x7k2": {
    "demo-image-registry-fed-id-registry": account("openshift-image-registry", "registry"),
    "demo-image-registry-fed-id-operator": account("openshift-image-registry", "cluster-image-registry-operator"),
  },
  "demo-ingress-demo-x7k2": { "demo-ingress-fed-id": account("openshift-ingress-operator", "ingress-operator") },
  "demo-cloud-provider-demo-x7k2": { "demo-cloud-provider-fed-id": account("kube-system", "azure-cloud-provider") },
  "demo-node-pool-mgmt-demo-x7k2": { "demo-node-pool-mgmt-fed-id": account("kube-system", "capi-provider") },
  "demo-network-demo-x7k2": {
    "demo-network-fed-id": account("openshift-cloud-network-config-controller", "cloud-network-config-controller"),
  },
  "demo-control-plane-operator-demo-x7k2": { "demo-cpo-fed-id": account("kube-system", "control-plane-operator") },
};

export const hypershiftKms = { "demo-kms-demo-x7k2": { "demo-kms-fed-id": account("kube-system", "kms-provider") } };

export const iamGroup = "demo-iam";

/** With the writes of hypershift, which sets no tags. */
export async function hypershiftCreatesIam(azure: TestEmulator, issuer: string): Promise<void> {
  await azure.seed({ resources: { [groupId(iamGroup)]: { location: "eastus" } } });
  const { userAssignedIdentities, federatedIdentityCredentials } = await (await connectedAzure(azure.directory)).identities();
  for (const [identity, credentials] of Object.entries(hypershiftIam)) {
    await userAssignedIdentities.createOrUpdate(iamGroup, identity, { location: "eastus" });
    for (const [name, subject] of Object.entries(credentials)) {
      await federatedIdentityCredentials.createOrUpdate(iamGroup, identity, name, { issuer, subject, audiences: ["openshift"] });
    }
  }
}
