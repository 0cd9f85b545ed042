/** Manifests from the files of a real `create all`, read by a different library than the one that wrote them, and compared with handwritten ones. */
import { readFile, stat } from "node:fs/promises";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { demoIssuer } from "../harness/demo-issuer.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groups, ids, subscription } from "../cli/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { clientIdOf, combined, fileOf, workload } from "../identities/cli/identities.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const zoneGroup = "dns";
const tenant = "7e7a0000-0000-4000-8000-000000000001";
const reader = "1f0e0000-0000-4000-8000-00000000000a";

async function createAll(azure: TestEmulator, flags: readonly string[]): Promise<void> {
  await placePrivateKey(azure.path("demo"), testKey());
  const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"];
  exits(await azure.cli(["create", "all", ...cluster, "--dns-zone-rg-name", zoneGroup, "--output-dir", azure.path("demo"), ...flags]), 0);
}

const classOf = (namespace: string, name: string, secret: string, encoding = "utf-8") => ({
  apiVersion: "secrets-store.csi.x-k8s.io/v1",
  kind: "SecretProviderClass",
  metadata: { name, namespace },
  spec: {
    provider: "azure",
    parameters: {
      usePodIdentity: "false",
      useVMManagedIdentity: "true",
      userAssignedIdentityID: reader,
      keyvaultName: "kv-of-demo",
      tenantId: tenant,
      objects: `\narray:\n  - |\n    objectName: ${secret}\n    objectEncoding: ${encoding}\n    objectType: secret\n`,
    },
  },
});

const nine = (namespace: string) => [
  classOf(namespace, "managed-azure-cpo", "demo-cpo"),
  classOf(namespace, "managed-azure-nodepool-management", "demo-nodepool-mgmt"),
  classOf(namespace, "managed-azure-cloud-provider", "demo-cloud-provider"),
  classOf(namespace, "managed-azure-file-csi", "demo-file"),
  classOf(namespace, "managed-azure-disk-csi", "demo-disk"),
  classOf(namespace, "managed-azure-ingress", "demo-ingress"),
  classOf(namespace, "managed-azure-network", "demo-network"),
  classOf(namespace, "managed-azure-image-registry", "demo-image-registry"),
  classOf(namespace, "managed-azure-kms", "demo-kms"),
];

type Named = Record<string, Record<string, unknown>>;
interface EncryptionOf {
  readonly type: string;
  readonly kms?: { readonly azure: Named };
}

const issuer = demoIssuer;
const platform = (managedIdentities: object) => ({
  type: "Azure",
  azure: {
    cloud: "AzurePublicCloud",
    location: "eastus",
    resourceGroup: groups.managed,
    vnetID: ids.vnet,
    subnetID: ids.subnet,
    securityGroupID: ids.nsg,
    subscriptionID: subscription.split("/")[2],
    tenantID: tenant,
    azureAuthenticationConfig: { azureAuthenticationConfigType: "ManagedIdentities", managedIdentities },
  },
});
const release = "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64";
const withRelease = ["--release-image", release];
const route = (service: string) => ({ service, servicePublishingStrategy: { type: "Route" } });
const hostedCluster = {
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "HostedCluster",
  metadata: { name: "demo", namespace: "clusters" },
  spec: {
    infraID: "demo-x7k2",
    dns: { baseDomain: "hcp.example.com", publicZoneID: ids.publicZone, privateZoneID: ids.privateZone },
    issuerURL: issuer,
    serviceAccountSigningKey: { name: "demosa-token-issuer-key" },
    release: { image: release },
    pullSecret: { name: "demo-pull-secret" },
    fips: false,
    networking: {
      networkType: "OVNKubernetes",
      clusterNetwork: [{ cidr: "10.132.0.0/14" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }],
    },
    services: [
      { service: "APIServer", servicePublishingStrategy: { type: "LoadBalancer" } },
      ...["Ignition", "Konnectivity", "OAuthServer"].map(route),
    ],
    etcd: { managementType: "Managed", managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } } },
    olmCatalogPlacement: "management",
    controllerAvailabilityPolicy: "SingleReplica",
  },
};
const nodePool = {
  apiVersion: "hypershift.openshift.io/v1beta1",
  kind: "NodePool",
  metadata: { name: "demo", namespace: "clusters" },
  spec: {
    clusterName: "demo",
    replicas: 0,
    arch: "amd64",
    release: { image: release },
    management: { upgradeType: "Replace", autoRepair: false },
    platform: {
      type: "Azure",
      azure: {
        vmSize: "Standard_D4s_v5",
        subnetID: ids.subnet,
        image: { type: "AzureMarketplace", azureMarketplace: { imageGeneration: "Gen2" } },
        osDisk: { sizeGiB: 120, diskStorageAccountType: "Premium_LRS" },
      },
    },
  },
};
const namespaceOf = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

test("the files of create all are rendered completely, without requests to Azure", async () => {
  const azure = await testEmulator();
  await createAll(azure, ["--enable-kms", "--key-vault-name", "kv-of-demo"]);
  const file = (name: string) => azure.path(`demo/${name}`);
  await azure.traffic();

  const classes = ["render", "secret-provider-classes", "--name", "demo"];
  const given = ["--managed-identities-file", file("identities.json"), "--key-vault-user-client-id", reader];
  const yaml = exits(await azure.cli([...classes, ...given]), 0);
  expect(loadAll(yaml.stdout)).toEqual(nine("clusters-demo"));
  expect(yaml.stderr).toBe("");

  // The file of the control plane has no KMS identity. The variable is HyperShift's.
  const alone = [
    "--managed-identities-file",
    file("managed-identities.json"),
    "--format",
    "json",
    "--namespace",
    "ns",
    "--name",
    "demo.dev",
  ];
  const env = { ARO_HCP_KEY_VAULT_USER_CLIENT_ID: reader };
  const json = exits(await azure.cli(["render", "secret-provider-classes", ...alone], { env }), 0);
  expect(JSON.parse(json.stdout)).toEqual({ apiVersion: "v1", kind: "List", items: nine("ns-demo-dev").slice(0, -1) });

  const named = ["--kms-credentials-secret-name", "other-kms", "--disable-cluster-capabilities", "ImageRegistry"];
  const output = azure.path("classes.yaml");
  const written = exits(await azure.cli([...classes, ...given, ...named, "--output-file", output]), 0);
  expect(written).toMatchObject({ stdout: "", stderr: `written to ${output}\n` });
  expect(loadAll(await readFile(output, "utf8"))).toEqual([
    ...nine("clusters-demo").slice(0, 7),
    classOf("clusters-demo", "managed-azure-kms", "other-kms"),
  ]);
  expect((await stat(output)).mode & 0o777).toBe(0o644);

  const cluster = ["render", "hosted-cluster", "--infra-file", file("infra.json"), "--oidc-issuer-url", issuer, ...withRelease];
  const encrypted = ["--encryption-key-id", `https://etcd-kv.vault.azure.net/keys/etcd/${"0a".repeat(16)}`];
  const whole = [...encrypted, "--managed-identities-file", file("identities.json"), "--disable-cluster-capabilities", "Insights"];
  const full = exits(await azure.cli([...cluster, ...whole]), 0);
  // The key of the directory is used if no flag names another.
  const { activeKeyID } = JSON.parse(await readFile(file("encryption-key.json"), "utf8")) as { activeKeyID: string };
  const [, keyVersion = ""] = /\/keys\/demo-etcd-encryption\/(\w+)$/.exec(activeKeyID) ?? [];
  const inDirectory = exits(
    await azure.cli(["render", "hosted-cluster", "--input-dir", azure.path("demo"), ...withRelease, "--format", "json"]),
    0,
  );
  const list = JSON.parse(inDirectory.stdout) as { items: object[] };
  expect(list.items[1]).toMatchObject({
    spec: {
      secretEncryption: { kms: { azure: { activeKey: { keyVaultName: "kv-of-demo", keyName: "demo-etcd-encryption", keyVersion } } } },
    },
  });
  const made = JSON.parse(await readFile(file("identities.json"), "utf8")) as { controlPlane: Named; dataPlane: unknown; kms: Named };
  const wholeCluster = {
    ...hostedCluster,
    spec: {
      ...hostedCluster.spec,
      platform: platform({ controlPlane: made.controlPlane, dataPlane: made.dataPlane }),
      secretEncryption: {
        type: "kms",
        kms: {
          provider: "Azure",
          azure: { activeKey: { keyVaultName: "etcd-kv", keyName: "etcd", keyVersion: "0a".repeat(16) }, kms: made.kms },
        },
      },
      capabilities: { disabled: ["Insights"] },
    },
  };
  expect(loadAll(full.stdout)).toEqual([namespaceOf("clusters"), wholeCluster, nodePool]);
  // The test expects the names of the identities; Azure assigns their client IDs.
  expect(Object.values(made.controlPlane).map((identity) => identity["credentialsSecretName"])).toEqual([
    ...[undefined, "demo-cpo", "demo-nodepool-mgmt", "demo-cloud-provider", "demo-file", "demo-disk"],
    ...["demo-ingress", "demo-network", "demo-image-registry"],
  ]);
  expect(full.stderr).toContain(
    `kubectl create secret generic demosa-token-issuer-key --namespace clusters --from-file=key=${file("serviceaccount-signer.private")}`,
  );
  expect(full.stdout + full.stderr).not.toContain("PRIVATE KEY");

  const plain = exits(
    await azure.cli([...cluster, "--format", "json", "--namespace", "ns", "--sa-token-issuer-private-key-path", "it's"]),
    0,
  );
  const plainCluster = {
    ...hostedCluster,
    metadata: { name: "demo", namespace: "ns" },
    spec: {
      ...hostedCluster.spec,
      platform: platform({ controlPlane: made.controlPlane, dataPlane: made.dataPlane }),
      secretEncryption: { type: "aescbc", aescbc: { activeKey: { name: "demo-etcd-encryption-key" } } },
    },
  };
  const pool = { ...nodePool, metadata: { name: "demo", namespace: "ns" } };
  expect(JSON.parse(plain.stdout)).toEqual({ apiVersion: "v1", kind: "List", items: [namespaceOf("ns"), plainCluster, pool] });
  expect(plain.stderr).toContain(
    "head -c 32 /dev/urandom | kubectl create secret generic demo-etcd-encryption-key --namespace ns --from-file=key=/dev/stdin",
  );
  expect(plain.stderr).toContain(String.raw`--namespace ns --from-file='key=it'\''s'`);

  // The directory replaces the flags.
  const directory = ["--input-dir", azure.path("demo")];
  expect(exits(await azure.cli(["render", "secret-provider-classes", ...directory, "--key-vault-user-client-id", reader]), 0).stdout).toBe(
    yaml.stdout,
  );
  const fromDirectory = [
    ...["render", "hosted-cluster", ...directory, ...encrypted, ...withRelease],
    ...["--disable-cluster-capabilities", "Insights"],
  ];
  expect(exits(await azure.cli(fromDirectory), 0)).toMatchObject({ stdout: full.stdout, stderr: full.stderr });
  const overwriting = exits(await azure.cli([...fromDirectory, "--output-file", file("data-plane-identities.json")]), 2);
  expect(overwriting.stderr).toMatch(/--output-file .* is also an input \(data-plane-identities\.json of --input-dir\)/);
  for (const command of ["secret-provider-classes", "hosted-cluster"]) {
    const incomplete = exits(
      await azure.cli(["render", command, ...(command === "hosted-cluster" ? withRelease : ["--key-vault-user-client-id", reader])]),
      2,
    );
    expect(incomplete.stderr.match(/is required without --input-dir/g)).toHaveLength(2);
  }

  // The diagram of the identity flow contains all values of the directory.
  const diagram = exits(await azure.cli(["graph", "--flow", "--input-dir", azure.path("demo")]), 0).stdout;
  expect(diagram).toContain(`title: "identities of demo in tenant ${tenant}"`);
  const { managedIdentitiesKeyVault: _, ...identities } = made.controlPlane;
  const secrets = [...Object.values(identities), made.kms].map(({ clientID, credentialsSecretName }) => [clientID, credentialsSecretName]);
  for (const reported of [...secrets.flat(), ...Object.values(made.dataPlane as object), issuer, "kv-of-demo"])
    expect(diagram).toContain(String(reported));
  expect(diagram).toContain(
    `resource group ${groups.managed} (managed)<br/>resource group ${groups.vnet} (network)<br/>resource group ${zoneGroup} (public zone)`,
  );

  expect(await azure.traffic()).toEqual([]);
});

test("a credentials file completes a file of hypershift, and missing or wrong values are reported with their lines", async () => {
  const azure = await testEmulator();
  const infra = await fileOf(
    azure,
    "infra.yaml",
    "infraID: demo-x7k2\nbaseDomain: hcp.example.com\npublicZoneID: ''\nregion: eastus\nresourceGroupName: g\n",
  );
  const creds = await fileOf(azure, "creds.json", { subscriptionId: reader, tenantId: tenant });
  const args = ["render", "hosted-cluster", "--infra-file", infra, "--azure-creds", creds, "--oidc-issuer-url", issuer, ...withRelease];
  const { stdout, stderr } = exits(await azure.cli(args), 2);
  expect(stdout).toBe("");
  expect(stderr).toContain("[ARO-MANIFEST-001]");
  const lines = stderr.split("\n").filter((line) => line.startsWith("  ") && !/^  (?:next|more) /.test(line));
  expect(
    lines.map((line) =>
      line
        .trim()
        .replace(/^\S*\//, "")
        .replace(/ +/g, " ")
        .split(":")
        .slice(0, 2)
        .join(":"),
    ),
  ).toEqual([
    "infra.yaml:1 metadata.name is missing",
    "infra.yaml:3 spec.dns.publicZoneID is missing",
    "infra.yaml:1 spec.dns.privateZoneID is missing",
    "infra.yaml:5 spec.platform.azure.resourceGroup must be 2 to 90 letters, digits, underscores, parentheses, hyphens and periods",
    "infra.yaml:1 spec.platform.azure.vnetID is missing",
    "infra.yaml:1 spec.platform.azure.subnetID is missing",
    "infra.yaml:1 spec.platform.azure.securityGroupID is missing",
    "infra.yaml:1 spec.platform.azure.azureAuthenticationConfig.managedIdentities.controlPlane is missing",
    "infra.yaml:1 spec.platform.azure.azureAuthenticationConfig.managedIdentities.dataPlane is missing",
  ]);
});

test("workload identities of the infrastructure file or of a file of their own are rendered, and managed identities of a file precede them", async () => {
  const azure = await testEmulator();
  const cluster = {
    infraID: "demo-x7k2",
    clusterName: "demo",
    baseDomain: "hcp.example.com",
    subscriptionID: reader,
    tenantID: tenant,
    region: "eastus",
  };
  const inSubscription = (id: string) => id.replace(subscription, `/subscriptions/${reader}`);
  const network = {
    resourceGroupName: groups.managed,
    ...{ publicZoneID: ids.publicZone, privateZoneID: ids.privateZone },
    ...{ vnetID: inSubscription(ids.vnet), subnetID: inSubscription(ids.subnet), securityGroupID: inSubscription(ids.nsg) },
  };
  const kmsClientID = clientIdOf("diskMSIClientID");
  const own = { workloadIdentities: workload, kmsClientID };
  const infra = await fileOf(azure, "infra.json", { ...cluster, ...network, ...own });
  const without = await fileOf(azure, "without.json", { ...cluster, ...network });
  const identities = ["--workload-identities-file", await fileOf(azure, "iam.json", { ...workload, kmsClientID })];
  const keyed = ["--encryption-key-id", `https://etcd-kv.vault.azure.net/keys/etcd/${"0a".repeat(16)}`];
  const render = async (path: string, flags: readonly string[]) => {
    const files = ["--infra-file", path, "--oidc-issuer-url", issuer, ...withRelease];
    const { stdout } = exits(await azure.cli(["render", "hosted-cluster", ...files, "--format", "json", ...flags]), 0);
    const { items } = JSON.parse(stdout) as { items: { spec: { platform: { azure: Named }; secretEncryption: EncryptionOf } }[] };
    if (items[1] === undefined) throw new Error("there is no HostedCluster");
    return items[1].spec;
  };
  const wanted = { azureAuthenticationConfigType: "WorkloadIdentities", workloadIdentities: workload };
  for (const [path, flags] of [
    [infra, []],
    [without, identities],
  ] as const) {
    const spec = await render(path, [...flags, ...keyed]);
    expect(spec.platform.azure["azureAuthenticationConfig"]).toEqual(wanted);
    expect(spec.secretEncryption.kms?.azure["workloadIdentity"]).toEqual({ clientID: kmsClientID });
    expect((await render(path, flags)).secretEncryption.type).toBe("aescbc");
  }
  const managed = await render(infra, ["--managed-identities-file", await fileOf(azure, "ids.json", combined)]);
  expect(managed.platform.azure["azureAuthenticationConfig"]).toHaveProperty("azureAuthenticationConfigType", "ManagedIdentities");
  const both = [...identities, "--managed-identities-file", azure.path("ids.json")];
  const given = ["--infra-file", infra, "--oidc-issuer-url", issuer, ...withRelease, ...both];
  const refused = exits(await azure.cli(["render", "hosted-cluster", ...given]), 2);
  expect(refused.stderr).toMatch(/a cluster uses workload identities or managed identities, not both/);
  expect(await azure.traffic()).toEqual([]);
});
