/** `render hosted-cluster` against what hypershift renders for the same flags, and against HyperShift's published types where they are there. */
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { exits } from "../cli/expectations.js";
import { fileOf } from "../identities/cli/identities.js";
import { testKey } from "../issuer/signing-keys.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { hasPublishedTypes, publishedType } from "./custom-resource.js";
import * as recorded from "./recorded-render.js";

type Minimal = ReturnType<typeof recorded.minimal>;
interface Case {
  /** The same flags as hypershift's. */
  readonly flags: readonly string[];
  /** What they change; by default, nothing. */
  readonly change?: (minimal: Minimal) => void;
}

const pullSecret = JSON.stringify({ auths: { "quay.io": { auth: Buffer.from("user:password").toString("base64") } } });
const publicKey = `ssh-ed25519 ${"A".repeat(68)} me@example.com\n`;
const natSubnet = recorded.infra.subnetID.replace("default", "nat");
const otherSubscription = "22222222-2222-2222-2222-222222222222";
const encryptionSet = `/subscriptions/${recorded.subscription}/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/disks`;

const spec = (more: object) => (minimal: Minimal) => Object.assign(minimal.cluster.spec, more);
const inAzure = (more: object) => ({ platform: { type: "Azure", azure: { ...recorded.azureOfCluster, ...more } } });
const privateLink = (topology: string) =>
  inAzure({
    topology,
    private: { type: "PrivateLink", privateLink: { natSubnetID: natSubnet, additionalAllowedSubscriptions: [otherSubscription] } },
  });
const pools =
  (azure: object, more: object = {}) =>
  (minimal: Minimal) => {
    minimal.nodePools = [recorded.pool({ ...recorded.azureOfPool, ...azure }, "demo", more)];
  };
const privateFlags = [
  ...["--endpoint-access-private-nat-subnet-id", natSubnet],
  ...["--endpoint-access-private-additional-allowed-subscriptions", otherSubscription],
];
const marketplace = { publisher: "azureopenshift", offer: "aro4", sku: "aro_414", version: "414.92.2024021" };
const marketplaceFlags = Object.entries(marketplace).flatMap(([key, value]) => [`--marketplace-${key}`, value]);
const domain = "ext.example.net";

const cases: Readonly<Record<string, Case>> = {
  "no flags": { flags: [] },
  "replicas, instance type and an ephemeral disk": {
    flags: [
      ...["--node-pool-replicas", "312", "--instance-type", "Standard_DS2_v2"],
      ...["--disk-storage-account-type", "Standard_LRS", "--enable-ephemeral-disk"],
    ],
    change: pools(
      { vmSize: "Standard_DS2_v2", osDisk: { diskStorageAccountType: "Standard_LRS", persistence: "Ephemeral", sizeGiB: 120 } },
      { replicas: 312 },
    ),
  },
  "availability zones": {
    flags: ["--availability-zones", "1,2"],
    change: (minimal) => {
      minimal.nodePools = ["1", "2"].map((zone) => recorded.pool({ ...recorded.azureOfPool, availabilityZone: zone }, `demo-${zone}`));
    },
  },
  "a Marketplace image": {
    flags: marketplaceFlags,
    change: pools({ image: { type: "AzureMarketplace", azureMarketplace: marketplace } }),
  },
  "a Marketplace image of the first generation": {
    flags: [...marketplaceFlags, "--image-generation", "Gen1"],
    change: pools({ image: { type: "AzureMarketplace", azureMarketplace: { ...marketplace, imageGeneration: "Gen1" } } }),
  },
  "nodes of arm64 with encrypted disks": {
    flags: [
      ...["--arch", "arm64", "--disk-encryption-set-id", encryptionSet, "--root-disk-size", "200"],
      ...["--encryption-at-host", "Disabled", "--diagnostics-storage-account-type", "UserManaged"],
      ...["--diagnostics-storage-account-uri", "https://demo.blob.core.windows.net/", "--auto-repair", "--node-upgrade-type", "InPlace"],
    ],
    change: pools(
      {
        vmSize: "Standard_D4ps_v5",
        osDisk: { diskStorageAccountType: "Premium_LRS", encryptionSetID: encryptionSet, sizeGiB: 200 },
        encryptionAtHost: "Disabled",
        diagnostics: { storageAccountType: "UserManaged", userManaged: { storageAccountURI: "https://demo.blob.core.windows.net/" } },
      },
      { arch: "arm64", management: { autoRepair: true, upgradeType: "InPlace" } },
    ),
  },
  "private access": {
    flags: ["--endpoint-access", "Private", ...privateFlags],
    change: spec({
      ...privateLink("Private"),
      services: [{ service: "APIServer", servicePublishingStrategy: { type: "Route", route: {} } }, ...recorded.routes],
    }),
  },
  "public and private access": {
    flags: ["--endpoint-access", "PublicAndPrivate", ...privateFlags],
    change: spec(privateLink("PublicAndPrivate")),
  },
  "hostnames of external-dns": {
    flags: ["--external-dns-domain", domain],
    change: spec({
      services: recorded.hosts(domain, { APIServer: "api", Ignition: "ignition", Konnectivity: "konnectivity", OAuthServer: "oauth" }),
    }),
  },
  "private access with hostnames of external-dns": {
    flags: ["--external-dns-domain", domain, "--endpoint-access", "Private", ...privateFlags],
    change: spec({
      ...privateLink("Private"),
      services: [
        ...recorded.hosts(domain, { APIServer: "api" }),
        ...recorded.routes.slice(0, 2),
        ...recorded.hosts(domain, { OAuthServer: "oauth" }),
      ],
    }),
  },
  "a key in a managed HSM": {
    flags: [
      ...["--encryption-key-id", "https://etcd-hsm.managedhsm.azure.net/keys/etcd/0a0a"],
      ...["--kms-credentials-secret-name", "demo-kms"],
    ],
    change: (minimal) => {
      const azure = {
        activeKey: { keyVaultName: "etcd-hsm", keyName: "etcd", keyVersion: "0a0a" },
        keyVaultType: "ManagedHSM",
        kms: { credentialsSecretName: "demo-kms", objectEncoding: "utf-8" },
      };
      spec({ secretEncryption: { type: "kms", kms: { provider: "Azure", azure } } })(minimal);
    },
  },
  "an SSH key, availability, FIPS, ranges, volumes, annotations and capabilities": {
    flags: [
      ...["--ssh-key", "id.pub", "--control-plane-availability-policy", "HighlyAvailable", "--infra-availability-policy", "SingleReplica"],
      ...["--fips", "--cluster-cidr", "10.200.0.0/14", "--service-cidr", "10.220.0.0/16", "--etcd-storage-class", "premium"],
      ...["--etcd-storage-size", "16Gi", "--annotations", "hypershift.openshift.io/control-plane-operator-image=quay.io/a/b:c,d"],
      ...["--annotations", "note=1", "--disable-cluster-capabilities", "ImageRegistry,openshift-samples"],
    ],
    change: (minimal) => {
      spec({
        controllerAvailabilityPolicy: "HighlyAvailable",
        infrastructureAvailabilityPolicy: "SingleReplica",
        fips: true,
        networking: {
          networkType: "OVNKubernetes",
          clusterNetwork: [{ cidr: "10.200.0.0/14" }],
          serviceNetwork: [{ cidr: "10.220.0.0/16" }],
        },
        etcd: {
          managed: { storage: { persistentVolume: { size: "16Gi", storageClassName: "premium" }, type: "PersistentVolume" } },
          managementType: "Managed",
        },
        capabilities: { disabled: ["ImageRegistry", "openshift-samples"] },
        sshKey: { name: "demo-ssh-key" },
      })(minimal);
      const annotations = { "hypershift.openshift.io/control-plane-operator-image": "quay.io/a/b:c,d", note: "1" };
      Object.assign(minimal.cluster.metadata, { annotations });
      const [first, ...others] = minimal.secrets;
      const data = { "id_rsa.pub": Buffer.from(publicKey).toString("base64") };
      if (first) minimal.secrets = [first, { ...first, metadata: { ...first.metadata, name: "demo-ssh-key" }, data }, ...others];
    },
  },
};

/** A cluster's files from hypershift, and the flags that pass them. */
async function given(azure: TestEmulator): Promise<{ readonly flags: readonly string[]; readonly signingKey: string }> {
  const { privatePem } = testKey();
  const file = (name: string, content: unknown) => fileOf(azure, name, content);
  const creds = { subscriptionId: recorded.subscription, tenantId: recorded.tenant };
  return {
    signingKey: privatePem,
    flags: [
      ...["--name", "demo", "--infra-file", await file("infra.json", recorded.infra), "--oidc-issuer-url", recorded.issuer],
      ...["--azure-creds", await file("creds.json", creds), "--release-image", recorded.release],
      ...["--sa-token-issuer-private-key-path", await file("signer.private", privatePem)],
      ...["--pull-secret", await file("pull-secret.json", pullSecret)],
    ],
  };
}

/** Without what means nothing: a status, empty objects, and a timeout of 0, which is none. */
function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key, child]) => key !== "status" && child !== "0s");
  const meant = entries.map(([key, child]) => [key, meaning(child)] as const);
  return Object.fromEntries(meant.filter(([, child]) => JSON.stringify(child) !== "{}"));
}

async function documents(path: string): Promise<readonly object[]> {
  return loadAll(await readFile(path, "utf8")) as object[];
}

const nodePool = hasPublishedTypes ? await publishedType("nodepools-Default.crd.yaml") : undefined;
const hostedCluster = hasPublishedTypes ? await publishedType("hostedclusters-Hypershift-Default.crd.yaml") : undefined;

describe("equal in meaning to what hypershift renders", () => {
  test.each(Object.entries(cases))("%s", async (_name, { flags, change }) => {
    const azure = await testEmulator();
    const { flags: files, signingKey } = await given(azure);
    await writeFile(azure.path("id.pub"), publicKey);
    const directory = azure.path("manifests");
    const own = flags.map((flag) => (flag === "id.pub" ? azure.path(flag) : flag));
    exits(await azure.cli(["render", "hosted-cluster", ...files, ...own, "--output-dir", directory]), 0);
    const expected = structuredClone(recorded.minimal(signingKey, pullSecret));
    change?.(expected);

    const of = (file: string) => documents(`${directory}/${file}`);
    const isEncryptedBySecret = (expected.cluster.spec["secretEncryption"] as { type: string }).type === "aescbc";
    expect((await of("namespace.yaml")).map(meaning)).toEqual([meaning(expected.namespace)]);
    expect((await of("secrets.yaml")).map(meaning)).toEqual(expected.secrets.map(meaning));
    expect((await of("hosted-cluster.yaml")).map(meaning)).toEqual([meaning(expected.cluster)]);
    expect((await of("node-pools.yaml")).map(meaning)).toEqual(expected.nodePools.map(meaning));
    const resources = ["namespace", "secrets", ...(isEncryptedBySecret ? ["etcd-encryption-key"] : []), "hosted-cluster", "node-pools"];
    expect(await of("kustomization.yaml")).toEqual([
      { apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", resources: resources.map((name) => `${name}.yaml`) },
    ]);
    if (isEncryptedBySecret) {
      const [key] = (await of("etcd-encryption-key.yaml")) as [Minimal["etcdKey"]];
      expect({ ...key, data: expected.etcdKey.data }).toEqual(expected.etcdKey);
      expect(Buffer.from((key.data as { key: string }).key, "base64")).toHaveLength(32);
    }
    for (const file of await readdir(directory)) {
      expect([file, (await stat(`${directory}/${file}`)).mode & 0o777]).toEqual([file, /secrets|key/.test(file) ? 0o600 : 0o644]);
    }
    expect(await azure.traffic()).toEqual([]);

    for (const manifest of (await of("hosted-cluster.yaml")).filter(() => hostedCluster)) expect(hostedCluster?.(manifest)).toEqual([]);
    for (const manifest of (await of("node-pools.yaml")).filter(() => nodePool)) expect(nodePool?.(manifest)).toEqual([]);
  });
});

describe.skipIf(!hasPublishedTypes)("valid against the published types", () => {
  test.each<[string, readonly string[], object]>([
    ["autoscaled NodePools", ["--node-pool-autoscaling", "0:5"], { autoScaling: { min: 0, max: 5 } }],
    ["Swift networking", ["--endpoint-access", "Private", "--pod-network-instance", "pni"], {}],
    ["the image of the release", ["--image-generation", "Gen2"], {}],
  ])("%s", async (_name, flags, pool) => {
    const azure = await testEmulator();
    const { flags: files } = await given(azure);
    await fileOf(azure, "infra.json", { ...recorded.infra, bootImageID: "" });
    const { stdout } = exits(await azure.cli(["render", "hosted-cluster", ...files, ...flags]), 0);
    const [namespace, cluster, nodes] = loadAll(stdout) as [object, object, { spec: object }];
    expect(namespace).toMatchObject({ kind: "Namespace" });
    expect(hostedCluster?.(cluster)).toEqual([]);
    expect(nodePool?.(nodes)).toEqual([]);
    expect(nodes.spec).toMatchObject(pool);
  });
});

test("a Namespace in JSON that somebody else wrote is not replaced", async () => {
  const azure = await testEmulator();
  const { flags } = await given(azure);
  const file = azure.path("ns.json");
  const text = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } });
  await writeFile(file, text);
  const render = () => azure.cli(["render", "hosted-cluster", ...flags, "--format", "json", "--output-file", file]);
  expect(exits(await render(), 2).stderr).toContain("ARO-FILE-004");
  expect(await readFile(file, "utf8")).toBe(text);
  await rm(file);
  for (let run = 1; run <= 2; run += 1) exits(await render(), 0);
});

test("a rerun keeps the key that encrypts etcd, and a directory that is not of this cluster is refused", async () => {
  const azure = await testEmulator();
  const { flags: files } = await given(azure);
  const directory = azure.path("manifests");
  const render = (...flags: readonly string[]) => azure.cli(["render", "hosted-cluster", ...files, "--output-dir", directory, ...flags]);
  const key = async () => readFile(`${directory}/etcd-encryption-key.yaml`, "utf8");
  const { stdout, stderr } = exits(await render(), 0);
  expect(stdout).toBe("");
  expect(stderr).toContain(`written to ${directory}`);
  const first = await key();
  exits(await render("--node-pool-replicas", "3"), 0);
  expect(await key()).toBe(first);
  expect(await documents(`${directory}/node-pools.yaml`)).toMatchObject([{ spec: { replicas: 3 } }]);

  const other = exits(await render("--namespace", "elsewhere"), 2);
  expect(other.stderr).toMatch(/kustomization\.yaml: it is a file of render hosted-cluster for "[^"]+" +\[ARO-FILE-004\]/);
  expect(await key()).toBe(first);
  await writeFile(`${directory}/etcd-encryption-key.yaml`, "data: { key: c2hvcnQ= }\n");
  expect(exits(await render(), 2).stderr).toMatch(/expected 32 bytes/);
});

test("a private SSH key and a public signing key are refused before anything is written", async () => {
  const azure = await testEmulator();
  const { flags: files } = await given(azure);
  const { privatePem, publicPem } = testKey();
  const directory = azure.path("manifests");
  const render = (...flags: readonly string[]) => azure.cli(["render", "hosted-cluster", ...files, "--output-dir", directory, ...flags]);
  const sshKey = exits(await render("--ssh-key", await fileOf(azure, "id", privatePem)), 2);
  expect(sshKey.stderr).toMatch(/is not a public SSH key/);
  const signingKey = exits(await render("--sa-token-issuer-private-key-path", await fileOf(azure, "signer.public", publicPem)), 2);
  expect(signingKey.stderr).toMatch(/is not a private key in PEM/);
  expect(sshKey.stderr + signingKey.stderr).not.toContain("PRIVATE KEY-");
  await expect(readdir(directory)).rejects.toThrow("ENOENT");
});

describe("what the API would refuse is refused with its flag", () => {
  const out = ["--output-dir", "out"];
  test.each<[readonly string[], RegExp]>([
    [["--release-image", "@sha256:0"], /--release-image +"@sha256:0" is not an image/],
    [["--node-pool-autoscaling", "5:2"], /--node-pool-autoscaling +"5:2" is not the fewest and the most nodes/],
    [["--node-pool-autoscaling", "1:2", "--node-pool-replicas", "1"], /cannot be combined with --node-pool-replicas/],
    [["--instance-type", "D4s v5"], /--instance-type .*is not a VM size/],
    [["--root-disk-size", "15"], /15 is not between 16 and 32767/],
    [["--disk-encryption-set-id", encryptionSet.toLowerCase()], /--disk-encryption-set-id .*is not an ID of the form/],
    [["--marketplace-offer", "aro4"], /--marketplace-offer +requires publisher, offer, SKU and version/],
    [[...marketplaceFlags, "--image-id", `${encryptionSet}/x`], /cannot be combined with --image-id/],
    [["--diagnostics-storage-account-type", "UserManaged"], /requires --diagnostics-storage-account-uri/],
    [["--diagnostics-storage-account-uri", "https://a"], /requires --diagnostics-storage-account-type UserManaged/],
    [["--endpoint-access", "Private"], /"Private" requires --private-nat-subnet-id or --pod-network-instance/],
    [privateFlags, /private-nat-subnet-id +requires --endpoint-access Private/],
    [["--endpoint-access", "Private", ...privateFlags, "--pod-network-instance", "a"], /private access uses one of them/],
    [["--annotations", "=b"], /"=b" is not an annotation/],
    [["--cluster-cidr", "10.0.0.0"], /--cluster-cidr +"10\.0\.0\.0" is not a CIDR range/],
    [["--cluster-cidr", "172.31.0.0/16"], /is also a range of --cluster-cidr/],
    [["--external-dns-domain", "example.com"], /--external-dns-domain +"example\.com" contains demo\.hcp\.example\.com/],
    [[...out, "--format", "json"], /"json" cannot be combined with --output-dir/],
    [[...out, "--output-file", "a"], /cannot be combined with --output-dir/],
  ])("%j", async (flags, message) => {
    const azure = await testEmulator();
    const { flags: files } = await given(azure);
    expect(exits(await azure.cli(["render", "hosted-cluster", ...files, ...flags]), 2).stderr).toMatch(message);
  });
});
