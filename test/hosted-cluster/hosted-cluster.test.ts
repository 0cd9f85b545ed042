import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure, type Problem } from "../../src/errors/failure.js";
import { controlPlaneSchema, dataPlaneSchema } from "../../src/files/identity-schemas.js";
import { hostedCluster, type HostedClusterFacts } from "../../src/hosted-cluster/manifests/hosted-cluster.js";
import type { HostedClusterChoices } from "../../src/hosted-cluster/manifests/hosted-cluster-choices.js";
import * as samples from "../identities/cli/identities.js";

const subscription = "11111111-1111-1111-1111-111111111111";
const network = (path: string, group = "net") =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/${path}`;

const key = { keyVaultName: "etcd-kv", keyName: "etcd", keyVersion: "0a".repeat(16), vaultSuffix: "vault.azure.net" };
const values = {
  name: "demo",
  namespace: "clusters",
  infraId: "demo-x7k2",
  baseDomain: "hcp.example.com",
  publicZoneId: network("dnszones/hcp.example.com"),
  privateZoneId: network("privateDnsZones/demo.hcp.example.com"),
  issuerUrl: "https://demo.blob.core.windows.net/demo",
  cloud: "AzurePublicCloud",
  location: "eastus",
  resourceGroup: "demo-demo-x7k2",
  vnetId: network("virtualNetworks/demo"),
  subnetId: network("virtualNetworks/demo/subnets/default"),
  securityGroupId: network("networkSecurityGroups/demo"),
  subscriptionId: subscription,
  tenantId: "22222222-2222-2222-2222-222222222222",
  controlPlane: controlPlaneSchema.parse(samples.controlPlane),
  dataPlane: dataPlaneSchema.parse(samples.dataPlane),
  encryptionKey: key,
  backupKey: undefined,
  workload: undefined,
  kmsClientId: undefined,
  kms: { credentialsSecretName: "demo-kms", objectEncoding: "utf-8" as const },
  disabledCapabilities: ["Insights"],
};
type Values = { readonly [Key in keyof typeof values]?: unknown };

const choices: HostedClusterChoices = {
  releaseImage: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64",
  annotations: {},
  hasSshKey: false,
  controlPlaneAvailability: "SingleReplica",
  infraAvailability: undefined,
  fips: false,
  etcdVolume: { size: "8Gi", storageClass: undefined },
  clusterCidr: ["10.132.0.0/14"],
  serviceCidr: ["172.31.0.0/16"],
  externalDnsDomain: undefined,
  access: { topology: "Public", natSubnetId: undefined, allowedSubscriptions: [], podNetworkInstance: undefined },
};

/** Each value has a source of its own, so that a problem shows its value. */
function facts(changed: Values = {}): HostedClusterFacts {
  const all = Object.entries({ ...values, ...changed }).map(([key, value]) => [key, { value, origin: `of ${key}`, lack: `give ${key}` }]);
  return Object.fromEntries(all) as HostedClusterFacts;
}

function problemsOf(changed: Values, chosen: Partial<HostedClusterChoices> = {}): readonly Problem[] {
  try {
    hostedCluster(facts(changed), { ...choices, ...chosen });
    return [];
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "ARO-MANIFEST-001") throw error;
    return error.problems;
  }
}

/** Every fact that a HostedCluster cannot do without, by the field that says so. */
const fields = {
  name: "metadata.name",
  namespace: "metadata.namespace",
  infraId: "spec.infraID",
  baseDomain: "spec.dns.baseDomain",
  publicZoneId: "spec.dns.publicZoneID",
  privateZoneId: "spec.dns.privateZoneID",
  issuerUrl: "spec.issuerURL",
  location: "spec.platform.azure.location",
  resourceGroup: "spec.platform.azure.resourceGroup",
  vnetId: "spec.platform.azure.vnetID",
  subnetId: "spec.platform.azure.subnetID",
  securityGroupId: "spec.platform.azure.securityGroupID",
  subscriptionId: "spec.platform.azure.subscriptionID",
  tenantId: "spec.platform.azure.tenantID",
  controlPlane: "spec.platform.azure.azureAuthenticationConfig.managedIdentities.controlPlane",
  dataPlane: "spec.platform.azure.azureAuthenticationConfig.managedIdentities.dataPlane",
  kms: "spec.secretEncryption.kms.azure.kms",
} as const;
type Needed = keyof typeof fields;
const needed = Object.keys(fields) as Needed[];

test("all missing values are reported at once, each with its field, its source and what to do", () => {
  fc.assert(
    fc.property(fc.subarray(needed), (missing) => {
      const problems = problemsOf(Object.fromEntries(missing.map((key) => [key, undefined])));
      const wanted = missing.map((key) => ({ origin: `of ${key}`, message: `${fields[key]} is missing: give ${key}` }));
      expect(problems.toSorted((a, b) => a.origin.localeCompare(b.origin))).toEqual(
        wanted.toSorted((a, b) => a.origin.localeCompare(b.origin)),
      );
    }),
  );
});

test("a backup key and a managed HSM are named as the API names them", () => {
  const backupKey = { ...key, keyVersion: "0b".repeat(16) };
  const { vaultSuffix: _active, ...activeKey } = key;
  const { vaultSuffix: _backup, ...backup } = backupKey;
  const kmsOf = (changed: Parameters<typeof facts>[0]) => {
    const { secretEncryption } = hostedCluster(facts(changed), choices).spec;
    return "kms" in secretEncryption ? secretEncryption.kms.azure : undefined;
  };
  expect(kmsOf({})).not.toHaveProperty("keyVaultType");
  expect(kmsOf({ backupKey })).toMatchObject({ activeKey, backupKey: backup });
  const inHsm = { vaultSuffix: "managedhsm.azure.net" };
  expect(kmsOf({ encryptionKey: { ...key, ...inHsm }, backupKey: { ...backupKey, ...inHsm } })).toMatchObject({
    ...{ activeKey, backupKey: backup },
    keyVaultType: "ManagedHSM",
  });
});

test("without a key in a vault, one in a Secret encrypts etcd; without a cloud and disabled capabilities none is named", () => {
  const { spec } = hostedCluster(facts({ encryptionKey: undefined, kms: undefined, cloud: undefined, disabledCapabilities: [] }), choices);
  expect(spec.secretEncryption).toEqual({ type: "aescbc", aescbc: { activeKey: { name: "demo-etcd-encryption-key" } } });
  expect(spec).not.toHaveProperty("capabilities");
  expect(spec.platform.azure).not.toHaveProperty("cloud");
});

test.each([
  ["the cluster's own domain", "demo.hcp.example.com", 1],
  ["a parent of it, in another case", "HCP.example.com", 1],
  ["another domain that ends alike", "cp.example.com", 0],
  ["a domain below it", "ext.demo.hcp.example.com", 0],
])("a domain of external-dns that would hide the applications is refused: %s", (_what, externalDnsDomain, count) => {
  expect(problemsOf({}, { externalDnsDomain })).toHaveLength(count);
});

describe("a cluster with workload identities", () => {
  const selfManaged = { controlPlane: undefined, dataPlane: undefined, workload: samples.workload };

  test("names its topology also if it is public, which one with managed identities omits", () => {
    const { spec } = hostedCluster(facts({ ...selfManaged, encryptionKey: undefined }), choices);
    expect(spec.platform.azure).toHaveProperty("topology", "Public");
    expect(spec.platform.azure).not.toHaveProperty("private");
    expect(hostedCluster(facts(), choices).spec.platform.azure).not.toHaveProperty("topology");
  });
  const kmsClientId = samples.dataPlane.diskMSIClientID;

  test("has them for both planes, and a KMS identity without a secret", () => {
    const workload = { ...samples.workload, kmsClientID: kmsClientId };
    const { spec } = hostedCluster(facts({ ...selfManaged, workload, kmsClientId }), choices);
    expect(spec.platform.azure.azureAuthenticationConfig).toEqual({
      azureAuthenticationConfigType: "WorkloadIdentities",
      workloadIdentities: samples.workload,
    });
    expect(spec.secretEncryption).toHaveProperty("kms.azure.workloadIdentity", { clientID: kmsClientId });
    expect(spec.secretEncryption).not.toHaveProperty("kms.azure.kms");
  });

  test("needs a KMS identity only with a key, and no identity of the control plane operator", () => {
    const { controlPlaneOperator: _, ...workload } = samples.workload;
    expect(problemsOf({ ...selfManaged, workload, encryptionKey: undefined })).toEqual([]);
    const kms = "spec.secretEncryption.kms.azure.workloadIdentity.clientID is missing: give kmsClientId";
    expect(problemsOf(selfManaged)).toEqual([{ origin: "of kmsClientId", message: kms }]);
  });

  test("needs the identity of the image registry even if that is disabled, because the API does", () => {
    const { imageRegistry: _, ...workload } = samples.workload;
    const problems = problemsOf({ ...selfManaged, workload, encryptionKey: undefined, disabledCapabilities: ["ImageRegistry"] });
    expect(problems.map(({ origin }) => origin)).toEqual(["of workload"]);
  });
});

const longName = "n".repeat(64);
const { imageRegistry: _, ...withoutImageRegistry } = values.controlPlane;

describe("what the API refuses is refused before", () => {
  test.each<[string, Values, keyof typeof values]>([
    ["a name with an underscore", { name: "a_b" }, "name"],
    ["names that are too long together", { name: "n".repeat(55) }, "name"],
    ["an infra ID in upper case", { infraId: "X7K2" }, "infraId"],
    ["a domain whose last label is punycode", { baseDomain: "example.xn--p1ai" }, "baseDomain"],
    ["a private zone as the public one", { publicZoneId: values.privateZoneId }, "publicZoneId"],
    ["an issuer over HTTP", { issuerUrl: "http://issuer.example.com" }, "issuerUrl"],
    ["another cloud", { cloud: "AzureMoonCloud" }, "cloud"],
    ["a group of a single letter", { resourceGroup: "g" }, "resourceGroup"],
    ["a group that ends with a period", { resourceGroup: "group." }, "resourceGroup"],
    ["a group of 91 letters", { resourceGroup: "g".repeat(91) }, "resourceGroup"],
    [
      "an ID of more than 255 characters",
      { securityGroupId: network(`networkSecurityGroups/${"n".repeat(80)}`, "g".repeat(90)) + "x".repeat(20) },
      "securityGroupId",
    ],
    ["a network in place of a security group", { securityGroupId: values.vnetId }, "securityGroupId"],
    ["a subnet ID in Azure's other casing", { subnetId: values.subnetId.replace("resourceGroups", "resourcegroups") }, "subnetId"],
    [
      "a subnet in a group that ends with a period",
      { vnetId: network("virtualNetworks/v", "g."), subnetId: network("virtualNetworks/v/subnets/s", "g.") },
      "subnetId",
    ],
    ["a subnet of another network", { subnetId: network("virtualNetworks/other/subnets/default") }, "subnetId"],
    ["a network of another subscription", { subscriptionId: "33333333-1111-1111-1111-111111111111" }, "vnetId"],
    ["a tenant's domain", { tenantId: "contoso.onmicrosoft.com" }, "tenantId"],
    [
      "a secret's name of 128 characters",
      { controlPlane: { ...values.controlPlane, disk: { ...values.controlPlane.disk, credentialsSecretName: longName + longName } } },
      "controlPlane",
    ],
    ["an encoding that there is not", { kms: { ...values.kms, objectEncoding: "utf8" } }, "kms"],
    ["an invalid client ID of the data plane", { dataPlane: { ...values.dataPlane, diskMSIClientID: "disk" } }, "dataPlane"],
    ["no identity for an image registry that is not disabled", { controlPlane: withoutImageRegistry }, "controlPlane"],
    ["Ingress disabled without Console", { disabledCapabilities: ["Ingress"] }, "disabledCapabilities"],
    ["a backup in another vault", { backupKey: { ...key, keyVaultName: "other", keyVersion: "0b".repeat(16) } }, "backupKey"],
    ["a vault of another cloud", { cloud: "AzureChinaCloud" }, "encryptionKey"],
  ])("%s", (_what, changed, culprit) => {
    expect(problemsOf(changed).map(({ origin }) => origin)).toContain(`of ${culprit}`);
  });

  test.each<[string, Values]>([
    ["a name with periods", { name: "demo.dev" }],
    ["IDs in Azure's casing", { publicZoneId: values.publicZoneId.toLowerCase(), vnetId: values.vnetId.toUpperCase() }],
    ["no image registry's identity where it is disabled", { controlPlane: withoutImageRegistry, disabledCapabilities: ["ImageRegistry"] }],
    ["Ingress and Console disabled", { disabledCapabilities: ["Ingress", "Console"] }],
    ["identities without client IDs", { kms: { credentialsSecretName: "k", objectEncoding: "base64" } }],
  ])("and what it takes is taken: %s", (_what, changed) => {
    expect(problemsOf(changed)).toEqual([]);
  });
});
