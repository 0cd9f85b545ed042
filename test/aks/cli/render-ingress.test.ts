/** The manifests of a service cluster's ingress, from its output file: with one shared gateway, and with the operators' own. */
import { readFile, readdir, writeFile } from "node:fs/promises";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { aksClusterOutput, type KnownAksCluster } from "../../../src/files/aks-cluster-output.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { addOn, createdCluster, subscriptionId } from "../files/aks-clusters.js";
import { exits } from "../../cli/expectations.js";

const group = `/subscriptions/${subscriptionId}/resourceGroups/svc`;
const vaultId = `${group}-common/providers/Microsoft.KeyVault/vaults/kv-svc`;
const addressId = (name: string) => `${group}/providers/Microsoft.Network/publicIPAddresses/${name}`;
const ingress = { id: addressId("svc-ingress-ip"), ipAddress: "203.0.113.7", ipTags: [], purpose: "ingress" } as const;
const ops = { id: addressId("svc-ops-ingress-ip"), ipAddress: "203.0.113.8", ipTags: [], purpose: "ops" } as const;
const created: KnownAksCluster = {
  ...createdCluster,
  kind: "service-cluster",
  name: "svc",
  ingressAddresses: [ingress],
  options: { regionalZone: "eastus.example.com", opsHost: ["admin"], certificateVaultId: vaultId },
};

async function fileOf(azure: TestEmulator, known: KnownAksCluster): Promise<string> {
  const path = azure.path("service-cluster.json");
  await writeFile(path, JSON.stringify(aksClusterOutput(known)));
  return path;
}

const namespace = "aks-istio-ingress";
const annotationsOf = (name: string) => ({
  "service.beta.kubernetes.io/azure-pip-name": name,
  "service.beta.kubernetes.io/azure-load-balancer-resource-group": "svc",
});
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "aks-istio-ingressgateway-external", namespace, annotations: annotationsOf("svc-ingress-ip") },
};
const gateway = (hosts: readonly string[]) => ({
  apiVersion: "networking.istio.io/v1",
  kind: "Gateway",
  metadata: { name: "aro-hcp-gateway-external", namespace },
  spec: {
    selector: { istio: "aks-istio-ingressgateway-external" },
    servers: [
      {
        port: { number: 443, name: "https", protocol: "HTTPS" },
        tls: { mode: "SIMPLE", minProtocolVersion: "TLSV1_2", credentialName: "frontend-credential" },
        hosts,
      },
    ],
  },
});
const virtualService = (host: string, name: string, port: number) => ({
  apiVersion: "networking.istio.io/v1",
  kind: "VirtualService",
  metadata: { name: host, namespace: "aro-hcp" },
  spec: {
    hosts: [host],
    gateways: [`${namespace}/aro-hcp-gateway-external`],
    http: [{ route: [{ destination: { host: `${name}.aro-hcp.svc.cluster.local`, port: { number: port } } }] }],
  },
});
const secretClass = {
  apiVersion: "secrets-store.csi.x-k8s.io/v1",
  kind: "SecretProviderClass",
  metadata: { name: "frontend-scp", namespace },
  spec: {
    provider: "azure",
    secretObjects: [
      {
        secretName: "frontend-credential",
        type: "kubernetes.io/tls",
        data: [
          { key: "tls.key", objectName: "frontend-cert" },
          { key: "tls.crt", objectName: "frontend-cert" },
        ],
      },
    ],
    parameters: {
      usePodIdentity: "false",
      useVMManagedIdentity: "true",
      userAssignedIdentityID: addOn.clientId,
      keyvaultName: "kv-svc",
      tenantId: createdCluster.tenantId,
      objects: "array:\n  - |\n    objectName: frontend-cert\n    objectType: secret\n    objectAlias: frontend-cert\n",
    },
  },
};
const render = ["render", "ingress", "--ops-backend", "admin=admin-api.aro-hcp:8443"];
const [rp, admin] = ["rp.eastus.example.com", "admin.eastus.example.com"];

test("one gateway at the address of the ingress serves the service and the operators", async () => {
  const azure = await testEmulator();
  const file = await fileOf(azure, created);
  const { stdout, stderr } = exits(await azure.cli([...render, "--service-cluster-file", file]), 0);
  expect(stderr).toBe("");
  const [first, deployment, ...others] = loadAll(stdout) as { kind: string }[];
  expect(first).toEqual(secretClass);
  // The driver creates the secret only while a pod mounts it.
  expect(deployment).toMatchObject({
    kind: "Deployment",
    spec: { template: { spec: { volumes: [{ csi: { volumeAttributes: { secretProviderClass: "frontend-scp" } } }] } } },
  });
  expect(others).toEqual([
    service,
    gateway([rp, admin]),
    virtualService(rp, "aro-hcp-frontend", 8443),
    virtualService(admin, "admin-api", 8443),
  ]);
  expect(await azure.traffic()).toEqual([]);
});

test("the operators' own gateway is at their address, and admits only routes from the namespaces of their Services", async () => {
  const azure = await testEmulator();
  const file = await fileOf(azure, {
    ...created,
    ingressAddresses: [ingress, ops],
    options: { ...created.options, certificateName: "tls" },
  });
  const directory = azure.path("manifests");
  const { stdout, stderr } = exits(await azure.cli([...render, "--service-cluster-file", file, "--output-dir", directory]), 0);
  expect(stdout).toBe("");
  const names = [
    "deployment-frontend-credential-sync.yaml",
    "gateway-aro-hcp-gateway-external.yaml",
    "gateway-aro-hcp-ops-ingress.yaml",
    `httproute-${admin}.yaml`,
    "secretproviderclass-frontend-scp.yaml",
    "service-aks-istio-ingressgateway-external.yaml",
    `virtualservice-${rp}.yaml`,
  ];
  expect((await readdir(directory)).sort()).toEqual(names);
  for (const name of names) expect(stderr).toContain(`written to ${directory}/${name}\n`);
  const read = async (name: string) => loadAll(await readFile(`${directory}/${name}`, "utf8"));
  expect(await read("gateway-aro-hcp-gateway-external.yaml")).toEqual([gateway([rp])]);
  expect(await read("gateway-aro-hcp-ops-ingress.yaml")).toEqual([
    {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "Gateway",
      metadata: { name: "aro-hcp-ops-ingress", namespace },
      spec: {
        gatewayClassName: "istio",
        infrastructure: { annotations: annotationsOf("svc-ops-ingress-ip") },
        listeners: [
          {
            name: admin,
            hostname: admin,
            port: 443,
            protocol: "HTTPS",
            tls: { mode: "Terminate", certificateRefs: [{ name: "frontend-credential" }] },
            allowedRoutes: {
              namespaces: { from: "Selector", selector: { matchLabels: { "kubernetes.io/metadata.name": "aro-hcp" } } },
            },
          },
        ],
      },
    },
  ]);
  expect(await read(`httproute-${admin}.yaml`)).toEqual([
    {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: { name: admin, namespace: "aro-hcp" },
      spec: {
        parentRefs: [{ name: "aro-hcp-ops-ingress", namespace, sectionName: admin }],
        hostnames: [admin],
        rules: [{ backendRefs: [{ name: "admin-api", port: 8443 }] }],
      },
    },
  ]);
  const [mounted] = await read("secretproviderclass-frontend-scp.yaml");
  expect(mounted).toMatchObject({ spec: { parameters: { objects: expect.stringContaining("objectName: tls\n") as string } } });
});

test("a flag overrides the file; without a vault, nothing is mounted", async () => {
  const azure = await testEmulator();
  const file = await fileOf(azure, { ...created, options: { regionalZone: "eastus.example.com" } });
  const flags = ["--service-cluster-file", file, "--regional-zone", "westus.example.com", "--ingress-host", "@", "--format", "json"];
  const { stdout } = exits(await azure.cli(["render", "ingress", ...flags, "--ingress-backend", "rp.backend:443"]), 0);
  const { items } = JSON.parse(stdout) as { items: { kind: string; metadata: object }[] };
  expect(items.map(({ kind }) => kind)).toEqual(["Service", "Gateway", "VirtualService"]);
  expect(items[2]).toMatchObject({
    metadata: { name: "westus.example.com", namespace: "backend" },
    spec: { hosts: ["westus.example.com"] },
  });
});

test.each<[string, KnownAksCluster, readonly string[], string]>([
  ["the file of a create that did not finish", { ...created, ingressAddresses: [] }, [], "has no address of the ingress"],
  ["without the add-on", { ...created, keyVaultAddOn: undefined }, [], "has no identity of the Key Vault add-on"],
  ["without a zone", { ...created, options: {} }, [], "--regional-zone is required"],
  ["a Service without a port", created, ["--ingress-backend", "frontend.aro-hcp"], '"frontend.aro-hcp" is not a Kubernetes Service'],
  ["a Service of an unknown host", created, ["--ops-backend", "session=s.ops:443"], '"session" is not one of --ops-host'],
  [
    "a host without a Service",
    { ...created, options: { ...created.options, opsHost: ["admin", "session"] } },
    [],
    'no Service for "session"',
  ],
  [
    "the operators' address without a host",
    { ...created, ingressAddresses: [ingress, ops], options: { ...created.options, opsHost: [] } },
    [],
    "--ops-host is required",
  ],
  ["the file of a management cluster", createdCluster, [], "is the output file of a management cluster"],
])("%s is refused", async (_what, known, flags, words) => {
  const azure = await testEmulator();
  const file = await fileOf(azure, known);
  const { stdout, stderr } = exits(await azure.cli([...render, "--service-cluster-file", file, ...flags]), 2);
  expect(stdout).toBe("");
  expect(stderr.replace(/\s+/g, " ")).toContain(words);
});
