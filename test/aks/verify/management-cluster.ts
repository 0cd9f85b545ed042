/**
 * A management cluster on which every check passes, for a healthy state. It is created once and copied for each test.
 * The tests do what the controllers of Kubernetes would do.
 */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { controlPlaneComponents } from "../../../src/domain/components.js";
import { resourceGroupId } from "../../../src/domain/resource-id.js";
import { controlPlaneNamespace } from "../../../src/domain/hosted-cluster-key.js";
import { secretsUser } from "../../../src/domain/roles.js";
import { openKubernetes } from "../../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../../src/kubernetes/kubeconfig.js";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import type { IdentityChain } from "../../../src/identities/verify/chain.js";
import { managementClusterChecks } from "../../../src/identities/verify/checks.js";
import { az } from "../../harness/az.js";
import { aksVersion } from "../../harness/az-verbs.js";
import { azureRest } from "../../harness/azure-rest.js";
import { kubernetesServer, type KubernetesObject, type KubernetesServer } from "../../harness/kubernetes.js";
import { madeOnce } from "../../harness/made-once.js";
import { ownSurroundings } from "../../harness/surroundings.js";
import { healthyState, type HealthyState } from "../../verify/healthy-state.js";

export const hostedCluster = { namespace: "clusters", name: "demo" } as const;
export const namespace = controlPlaneNamespace(hostedCluster);
export const clusterChecks = Object.keys(managementClusterChecks);

export interface ManagementCluster {
  readonly state: HealthyState;
  readonly server: KubernetesServer;
  /** Runs all checks. */
  verifyAll(changes?: Partial<IdentityChain>): Promise<Result[]>;
  /** Runs the checks of the management cluster, with all that they need. */
  verify(changes?: Partial<IdentityChain>): Promise<Result[]>;
  /** Runs a command of an advice: `aro-hcp` as the program, `az` as requests to Azure, `kubectl` as changes to the API server. */
  follow(command: string): Promise<void>;
  /** Enables or disables the add-on, and configures it. */
  setAddOn(enabled: boolean, config?: Readonly<Record<string, string>>): Promise<void>;
}

/** The AKS cluster, created with the request of `az aks create`. */
const aks = { group: "mgmt", name: "demo-mgmt", location: "eastus" } as const;
const aksId = ({ azure }: HealthyState): string =>
  `${resourceGroupId(azure.connection.subscriptionId, aks.group)}/providers/Microsoft.ContainerService/managedClusters/${aks.name}`;

const put = async ({ azure }: HealthyState, id: string, version: string, body: object) =>
  void (await azureRest(azure).arm("PUT", id, version, body));

/** Deleted when the test ends. `environment` is that of the emulator. */
export async function managementCluster(environment: Readonly<Record<string, string>> = {}): Promise<ManagementCluster> {
  const original = originalCluster();
  const state = await healthyState(environment, original);
  const server = await kubernetesServer();
  server.put(...(JSON.parse(await readFile(objectsFile(await original), "utf8")) as KubernetesObject[]));
  const chainWith = async (changes: Partial<IdentityChain>): Promise<Partial<IdentityChain>> => {
    const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig, ownSurroundings), new AbortController().signal);
    return { managementCluster: { kubernetes, hostedCluster }, ...changes };
  };
  return {
    state,
    server,
    verifyAll: async (changes = {}) => state.verify(await chainWith(changes)),
    verify: async (changes = {}) => state.verify(await chainWith(changes), { checks: clusterChecks }),
    follow: (command) => follow(state, server, command),
    setAddOn: (enabled, config) => setAddOn(state, enabled, config),
  };
}

const objectsFile = (root: string): string => join(root, "kubernetes.json");

/** The folder of the healthy state with the AKS cluster, and of the objects of its API server. */
function originalCluster(): Promise<string> {
  return madeOnce("management-cluster", async (folder) => {
    const state = await healthyState();
    const server = await kubernetesServer();
    const { subscriptionId } = state.azure.connection;
    await put(state, resourceGroupId(subscriptionId, aks.group), "2025-04-01", { location: aks.location });
    await setAddOn(state, true);
    const { body } = await (await state.azure.manager()).get(aksId(state), aksVersion, z.custom<AksAnswer>());
    const { clientId, objectId } = body.properties.addonProfiles.azureKeyvaultSecretsProvider.identity;
    const vault = await (await state.azure.vaults()).vaults.get("demo-common", state.vault);
    await az(
      state,
      `az role assignment create --role ${secretsUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${vault.id ?? ""}`,
    );
    for (const index of [0, 1]) server.put(node(subscriptionId, body.properties.nodeResourceGroup, index));
    server.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, operator(clientId));
    await follow(
      state,
      server,
      `aro-hcp render secret-provider-classes --name demo --managed-identities-file ${join(state.files, "identities.json")} --key-vault-user-client-id ${clientId} | kubectl apply --filename -`,
    );
    for (const { pod, secretProviderClass } of controlPlaneComponents) await startPod(state, server, `${pod}-1`, [secretProviderClass]);
    await cp(state.root, folder, { recursive: true });
    await writeFile(objectsFile(folder), JSON.stringify(server.all()));
  });
}

function setAddOn(
  state: HealthyState,
  enabled: boolean,
  config: Readonly<Record<string, string>> = { enableSecretRotation: "true", rotationPollInterval: "2m" },
): Promise<void> {
  return put(state, aksId(state), aksVersion, {
    location: aks.location,
    identity: { type: "SystemAssigned" },
    properties: {
      dnsPrefix: aks.name,
      agentPoolProfiles: ["system", "user"].map((name) => ({ name, count: 2, mode: name === "system" ? "System" : "User" })),
      addonProfiles: { azureKeyvaultSecretsProvider: { enabled, config } },
    },
  });
}

interface AksAnswer {
  readonly properties: {
    readonly nodeResourceGroup: string;
    readonly addonProfiles: {
      readonly azureKeyvaultSecretsProvider: { readonly identity: { readonly clientId: string; readonly objectId: string } };
    };
  };
}

function node(subscriptionId: string, group: string, index: number): KubernetesObject {
  const machine = `virtualMachineScaleSets/aks-system-vmss/virtualMachines/${String(index)}`;
  // AKS writes the group in lower case.
  const providerID = `azure:///subscriptions/${subscriptionId}/resourceGroups/${group.toLowerCase()}/providers/Microsoft.Compute/${machine}`;
  return { apiVersion: "v1", kind: "Node", metadata: { name: `aks-system-vmss00000${String(index)}` }, spec: { providerID } };
}

function operator(readerClientId: string): KubernetesObject {
  const env = [
    { name: "ARO_HCP_KEY_VAULT_USER_CLIENT_ID", value: readerClientId },
    { name: "MANAGED_SERVICE", value: "ARO-HCP" },
  ];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "hypershift", name: "operator" },
    spec: { selector: {}, template: { spec: { containers: [{ name: "operator", env }] } } },
  };
}

/** Starts a pod that mounts these classes, as scheduler, kubelet and CSI driver do: with the newest version of each secret. */
async function startPod(state: HealthyState, server: KubernetesServer, name: string, classes: readonly string[]): Promise<void> {
  const { secrets } = await state.azure.vaultContent(state.vault);
  server.put({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name },
    spec: {
      volumes: classes.map((secretProviderClass) => ({
        name: volumeName(secretProviderClass),
        csi: { driver: "secrets-store.csi.k8s.io", readOnly: true, volumeAttributes: { secretProviderClass } },
      })),
    },
    status: { phase: "Running", containerStatuses: [{ name: "main", state: { running: {} } }] },
  });
  for (const secretProviderClassName of classes) {
    const spec = server.get("SecretProviderClass", namespace, secretProviderClassName)?.["spec"] as { parameters: { objects: string } };
    const [, secretName = ""] = /objectName: (\S+)/.exec(spec.parameters.objects) ?? [];
    const { properties } = await secrets.getSecret(secretName);
    server.put({
      apiVersion: "secrets-store.csi.x-k8s.io/v1",
      kind: "SecretProviderClassPodStatus",
      metadata: { namespace, name: `${name}-${namespace}-${secretProviderClassName}` },
      status: {
        podName: name,
        secretProviderClassName,
        mounted: true,
        objects: [{ id: `secret/${secretName}`, version: properties.version }],
      },
    });
  }
}

export function volumeName(className: string): string {
  return `${className.replace("managed-azure-", "")}-cert`;
}

async function follow(state: HealthyState, server: KubernetesServer, command: string): Promise<void> {
  const [first = "", apply] = command.split(" | ");
  const kubectl = /^kubectl (?:--kubeconfig \S+ )?(.*)$/.exec(apply ?? first)?.[1] ?? "";
  if (first.startsWith("az ")) return void (await az(state, first));
  if (kubectl === "apply --filename -") {
    const { items } = JSON.parse(await state.follow(`${first} --format=json`)) as { items: KubernetesObject[] };
    return server.put(...items);
  }
  const [, deployment, inNamespace, variables] = /^set env deployment\/(\S+) --namespace (\S+) (.*)$/.exec(kubectl) ?? [];
  if (variables !== undefined) return setEnvironment(server, inNamespace ?? "", deployment ?? "", variables.split(" "));
  const [, pods] = new RegExp(`^delete pod --namespace ${namespace} (.*)$`).exec(kubectl) ?? [];
  if (pods !== undefined) return replacePods(state, server, pods.split(" "));
  // It only prints.
  if (kubectl.startsWith("logs --namespace kube-system ")) return;
  throw new Error(`no test runs "${command}"`);
}

function setEnvironment(server: KubernetesServer, inNamespace: string, name: string, variables: readonly string[]): void {
  const deployment = structuredClone(server.get("Deployment", inNamespace, name));
  const spec = deployment?.["spec"] as { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
  for (const container of spec.template.spec.containers) {
    for (const [variable = "", value = ""] of variables.map((pair) => pair.split("="))) {
      container.env = [...container.env.filter((one) => one.name !== variable), { name: variable, value }];
    }
  }
  if (deployment) server.put(deployment);
}

/** Deletes pods; their deployments create others. */
async function replacePods(state: HealthyState, server: KubernetesServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const pod = server.get("Pod", namespace, name);
    const { volumes } = pod?.["spec"] as { volumes: { csi: { volumeAttributes: { secretProviderClass: string } } }[] };
    const classes = volumes.map(({ csi }) => csi.volumeAttributes.secretProviderClass);
    server.remove("Pod", namespace, name);
    for (const one of classes) server.remove("SecretProviderClassPodStatus", namespace, `${name}-${namespace}-${one}`);
    await startPod(
      state,
      server,
      name.replace(/\d+$/, (digits) => String(Number(digits) + 1)),
      classes,
    );
  }
}
