/** What `ccoctl azure create-all` leaves: an issuer and the identities that trust it, as a seed. */
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { wellKnown } from "../../src/emulator/index.js";
import { discoveryDocument, discoveryPath, keySetPath } from "../../src/oidc/documents.js";
import { changeState } from "../harness/state-changes.js";
import type { TestEmulator } from "../harness/test-emulator.js";
import { guid } from "./cluster-parts.js";
import { group, inGroup, merged, type Seed } from "./estate-seed.js";

/** Of each request for credentials, namespace and name of the secret, and a service account that uses it. */
const requests = [
  ["openshift-cloud-controller-manager-azure-cloud-credentials", "openshift-cloud-controller-manager:cloud-controller-manager"],
  [
    "openshift-cloud-network-config-controller-cloud-credentials",
    "openshift-cloud-network-config-controller:cloud-network-config-controller",
  ],
  ["openshift-cluster-csi-drivers-azure-disk-credentials", "openshift-cluster-csi-drivers:azure-disk-csi-driver-operator"],
  ["openshift-cluster-csi-drivers-azure-file-credentials", "openshift-cluster-csi-drivers:azure-file-csi-driver-operator"],
  ["openshift-image-registry-installer-cloud-credentials", "openshift-image-registry:registry"],
  ["openshift-ingress-operator-cloud-credentials", "openshift-ingress-operator:ingress-operator"],
  ["openshift-machine-api-azure-cloud-credentials", "openshift-machine-api:machine-api-controllers"],
] as const;

export function ccoctlTags(name: string): Readonly<Record<string, string>> {
  return { [`openshift.io_cloud-credential-operator_${name}`]: "owned" };
}

export function ccoctlUrl(name: string): string {
  return `https://${name}.blob.core.windows.net/${name}`;
}

export function ccoctlGroup(name: string): string {
  return `${name}-oidc`;
}

export function ccoctlAccount(name: string): string {
  return `${resourceGroupId(wellKnown.subscriptionId, ccoctlGroup(name))}/providers/Microsoft.Storage/storageAccounts/${name}`;
}

export function ccoctlIdentities(name: string): readonly string[] {
  const group = resourceGroupId(wellKnown.subscriptionId, ccoctlGroup(name));
  return requests.map(([ending]) => `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}-${ending}`);
}

/** A managed identity of ccoctl's for a credential of an issuer. */
export function trust(identity: string, name: string, issuer: string, account: string): Seed {
  const properties = { issuer, subject: `system:serviceaccount:${account}`, audiences: ["openshift"] };
  return { resources: { [`${identity}/federatedIdentityCredentials/${name}`]: { properties } } };
}

/** Group, storage account, container and identities with their roles on the installation group, which exists. */
export function ccoctlIssuer(name: string, installationGroup = name): Seed {
  const tags = ccoctlTags(name);
  const identities = ccoctlIdentities(name);
  const scope = resourceGroupId(wellKnown.subscriptionId, installationGroup);
  const principal = (id: string) => guid(`principal ${id}`);
  return merged([
    group(ccoctlGroup(name), tags),
    inGroup(ccoctlGroup(name), "Microsoft.Storage/storageAccounts", name, {
      tags,
      ...{ kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: { allowBlobPublicAccess: true } },
    }),
    { resources: { [`${ccoctlAccount(name)}/blobServices/default/containers/${name}`]: { properties: { publicAccess: "Container" } } } },
    { resources: {}, identities: identities.map((id) => ({ id, tags, principalId: principal(id), clientId: guid(`client ${id}`) })) },
    ...requests.map(([, account], at) => trust(identities[at] ?? "", account.split(":")[1] ?? "", ccoctlUrl(name), account)),
    {
      resources: {},
      roleAssignments: identities.map((id) => ({
        ...{ scope, role: "b24988ac-6180-42a0-ab88-20f7382dd24c", name: guid(`role ${id}`), principalId: principal(id) },
      })),
    },
  ]);
}

/** Uploads the documents as ccoctl does: with neither type nor cache rules. */
export async function publishIssuer(azure: TestEmulator, name: string, key?: { readonly kid: string }): Promise<void> {
  const documents = {
    [discoveryPath]: JSON.stringify(discoveryDocument(ccoctlUrl(name))),
    [keySetPath]: JSON.stringify({
      keys: [key ?? { kty: "RSA", alg: "RS256", use: "sig", kid: guid(`key ${name}`), n: "AQAB", e: "AQAB" }],
    }),
  };
  await changeState(azure, ({ resources }) => {
    const container = resources[`${ccoctlAccount(name)}/blobServices/default/containers/${name}`.toLowerCase()];
    if (container === undefined) throw new Error(`no container of ${name}`);
    const lastModifiedAt = "Mon, 05 Jan 2026 10:00:00 GMT";
    const blobs = Object.entries(documents).map(([path, text]) => {
      const content = Buffer.from(text).toString("base64");
      return [
        path,
        { content, size: text.length, etag: `"${guid(path)}"`, lastModifiedAt, contentType: "application/octet-stream" },
      ] as const;
    });
    container.properties["blobs"] = Object.fromEntries(blobs);
  });
}
