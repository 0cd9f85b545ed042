/** `verify` of an AKS cluster with a kubeconfig: nodes, driver, types, operator and gateways, each broken alone. */
import { expect, test } from "vitest";
import { aksClusterIds } from "../../harness/aks-cluster.js";
import { kubernetesServer, type KubernetesObject, type KubernetesServer } from "../../harness/kubernetes.js";
import { ids as svc, ipAddress } from "../cli/service-clusters.js";
import { checkLines } from "../../verify/advice.js";
import { management } from "./aks-management-rows.js";
import { service } from "./aks-service-rows.js";
import { aksState, type AksState } from "./aks-state.js";
import { findings, rowOf } from "../../verify/healthy-state.js";

const ready = { conditions: [{ type: "Ready", status: "True" }] };
const established = { conditions: [{ type: "Established", status: "True" }] };
const annotations = (name: string) => ({
  "service.beta.kubernetes.io/azure-pip-name": name,
  "service.beta.kubernetes.io/azure-load-balancer-resource-group": "svc",
});

const node = (group: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "aks-system-vmss000000" },
  spec: {
    providerID: `azure:///subscriptions/s/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachineScaleSets/v/virtualMachines/0`,
  },
  status: ready,
});
const pod = (namespace: string, app: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace, name: `${app}-1`, labels: { app } },
  spec: { nodeName: "aks-system-vmss000000" },
  status: ready,
});
const definition = (name: string): KubernetesObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  status: established,
});
const exposed = (namespace: string, name: string, ip: string, annotated: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace, name, annotations: annotated },
  status: { loadBalancer: { ingress: [{ ip }] } },
});

const everyCluster = (group: string) => [
  node(group),
  pod("kube-system", "secrets-store-csi-driver"),
  pod("kube-system", "secrets-store-provider-azure"),
  definition("secretproviderclasses.secrets-store.csi.x-k8s.io"),
];

const inCluster = ["api-server", "nodes-ready", "secrets-driver", "resource-definitions"];
const ofManagement = [...inCluster, "operator-environment", "operator-ready", "shared-ingress"];
const ofService = [...inCluster, "gateway-ready", "gateway-address"];

/** The failures of these checks, after a change to the objects that is undone. */
async function broken(state: AksState, server: KubernetesServer, checks: readonly string[], change: () => void) {
  const before = server.all();
  change();
  const results = await state.verify(["--kubeconfig", server.kubeconfig, "--only", checks.join(",")]);
  checkLines(results);
  server.put(...before);
  return results;
}

test("a management cluster: nodes, driver, types, operator and shared ingress", async () => {
  const state = await aksState(management);
  const server = await kubernetesServer();
  const { nodeGroup } = aksClusterIds();
  const { resources } = await state.snapshot();
  const cluster = resources[aksClusterIds().cluster.toLowerCase()] as {
    properties: { addonProfiles: { azureKeyvaultSecretsProvider: { identity: { clientId: string } } } };
  };
  const { clientId } = cluster.properties.addonProfiles.azureKeyvaultSecretsProvider.identity;
  const operator = (client: string, availableReplicas: number): KubernetesObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "hypershift", name: "operator" },
    spec: {
      selector: {},
      template: {
        spec: {
          containers: [
            {
              name: "operator",
              env: [
                { name: "ARO_HCP_KEY_VAULT_USER_CLIENT_ID", value: client },
                { name: "MANAGED_SERVICE", value: "ARO-HCP" },
              ],
            },
          ],
        },
      },
    },
    status: { replicas: 1, availableReplicas },
  });
  const hypershift = ["hostedclusters", "nodepools", "hostedcontrolplanes"].map((type) => `${type}.hypershift.openshift.io`);
  const monitoring = ["servicemonitors", "podmonitors", "prometheusrules"].map((type) => `${type}.monitoring.coreos.com`);
  server.put(...everyCluster("mgmt-nodes"), operator(clientId, 1));
  server.put(...[...hypershift, ...monitoring, "routes.route.openshift.io"].map(definition));
  await state.seed({
    resources: {
      [`${nodeGroup}/providers/Microsoft.Network/publicIPAddresses/kubernetes-a1`]: {
        location: "eastus",
        sku: { name: "Standard" },
        properties: { publicIPAllocationMethod: "Static" },
      },
    },
  });
  const address = await ipAddress(state, `${nodeGroup}/providers/Microsoft.Network/publicIPAddresses/kubernetes-a1`);
  const router = (ip: string, tags: Readonly<Record<string, string>> = {}) => exposed("hypershift-sharedingress", "router", ip, tags);
  const verify = (change: () => void) => broken(state, server, ofManagement, change);

  expect(findings(await verify(() => undefined))).toEqual([]);
  server.put(router(address));
  expect(findings(await verify(() => undefined))).toEqual([]);
  const subject = "AKS cluster mgmt";
  const faults: readonly (readonly [string, () => void])[] = [
    [`api-server/${subject} failed`, () => server.put(node("other-nodes"))],
    [`nodes-ready/${subject} warning`, () => server.put({ ...node("mgmt-nodes"), status: {} })],
    [`secrets-driver/${subject} failed`, () => server.remove("Pod", "kube-system", "secrets-store-provider-azure-1")],
    [`resource-definitions/${subject} failed`, () => server.put({ ...definition("routes.route.openshift.io"), status: {} })],
    [`operator-environment/${subject} failed`, () => server.put(operator("another", 1))],
    [`operator-ready/${subject} failed`, () => server.put(operator(clientId, 0))],
    [`shared-ingress/${subject} failed`, () => server.put(router("203.0.113.250"))],
    [
      `shared-ingress/${subject} failed`,
      () => server.put(router(address, { "service.beta.kubernetes.io/azure-pip-ip-tags": "FirstPartyUsage=/NonProd" })),
    ],
  ];
  for (const [finding, change] of faults) expect(findings(await verify(change))).toEqual([finding]);
});

test("a service cluster: the gateways are at the addresses of the create", async () => {
  const state = await aksState(service);
  const server = await kubernetesServer();
  const [ingress, ops] = [await ipAddress(state, svc.ingress), await ipAddress(state, svc.ops)];
  const namespace = "aks-istio-ingress";
  const external = "aks-istio-ingressgateway-external";
  const types = ["gateways.networking.istio.io", "virtualservices.networking.istio.io"];
  const gatewayApi = ["gateways.gateway.networking.k8s.io", "httproutes.gateway.networking.k8s.io"];
  server.put(...everyCluster("svc-nodes"), pod(namespace, external), ...[...types, ...gatewayApi].map(definition));
  server.put(exposed(namespace, external, ingress, annotations("svc-ingress-ip")));
  server.put(exposed(namespace, "aro-hcp-ops-ingress-istio", ops, annotations("svc-ops-ingress-ip")));
  const verify = (change: () => void) => broken(state, server, ofService, change);

  expect(findings(await verify(() => undefined))).toEqual([]);
  const missing = await verify(() => server.remove("Pod", namespace, `${external}-1`));
  expect(findings(missing)).toEqual(["gateway-ready/AKS cluster svc failed"]);
  const other = await verify(() => server.put(exposed(namespace, external, ingress, annotations("other-ip"))));
  expect(findings(other)).toEqual([`gateway-address/service ${external} failed`]);
  expect(rowOf(other, "gateway-address", `service ${external}`)).toMatchObject({
    evidence: "service.beta.kubernetes.io/azure-pip-name is other-ip, not svc-ingress-ip",
    next: expect.stringContaining("render ingress") as string,
  });
  const swapped = await verify(() =>
    server.put(exposed(namespace, "aro-hcp-ops-ingress-istio", ingress, annotations("svc-ops-ingress-ip"))),
  );
  expect(findings(swapped)).toEqual(["gateway-address/service aro-hcp-ops-ingress-istio failed"]);
});
