/** A management cluster on which every link from the vault to the pods holds, for a healthy world; what the controllers of Kubernetes would do, the tests do. */
import { join } from "node:path";
import { controlPlaneComponents } from "../../src/domain/components.js";
import { resourceGroupId } from "../../src/domain/resource-id.js";
import { controlPlaneNamespace } from "../../src/domain/hosted-cluster-key.js";
import { secretsUser } from "../../src/domain/roles.js";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import { az } from "../harness/az.js";
import { aksVersion } from "../harness/az-verbs.js";
import { azureRest } from "../harness/azure-rest.js";
import { kubernetesServer, type KubernetesObject, type KubernetesServer } from "../harness/kubernetes.js";

import type { HealthyState } from "./healthy-state.js";

export const hostedCluster = { namespace: "clusters", name: "demo" } as const;
export const namespace = controlPlaneNamespace(hostedCluster);

export interface ManagementCluster {
  readonly server: KubernetesServer;
  verify(changes?: Partial<IdentityChain>): Promise<Result[]>;
  /** Does what a command of an advice says: ours by the command line, `az` by the SDKs, `kubectl` by the API server. */
  follow(command: string): Promise<void>;
  /** Switches the add-on on or off, and sets it. */
  setAddOn(enabled: boolean, config?: Readonly<Record<string, string>>): Promise<void>;
}

/** The AKS cluster, by what `az aks create` sends. */
const aks = { group: "mgmt", name: "demo-mgmt", location: "eastus" } as const;

export async function managementCluster(state: HealthyState): Promise<ManagementCluster> {
  const { azure } = state;
  const { subscriptionId } = azure.connection;
  const group = resourceGroupId(subscriptionId, aks.group);
  const id = `${group}/providers/Microsoft.ContainerService/managedClusters/${aks.name}`;
  const put = async (path: string, version: string, body: object) => void (await azureRest(azure).arm("PUT", path, version, body));
  const setAddOn = (
    enabled: boolean,
    config: Readonly<Record<string, string>> = { enableSecretRotation: "true", rotationPollInterval: "2m" },
  ) =>
    put(id, aksVersion, {
      location: aks.location,
      identity: { type: "SystemAssigned" },
      properties: {
        dnsPrefix: aks.name,
        agentPoolProfiles: ["system", "user"].map((name) => ({ name, count: 2, mode: name === "system" ? "System" : "User" })),
        addonProfiles: { azureKeyvaultSecretsProvider: { enabled, config } },
      },
    });
  await put(group, "2025-04-01", { location: aks.location });
  await setAddOn(true);
  const { body } = await (await azure.manager()).get(id, aksVersion, (answered) => answered as AksAnswer);
  const { clientId, objectId } = body.properties.addonProfiles.azureKeyvaultSecretsProvider.identity;
  const { vaults } = await azure.vaults();
  const vault = await vaults.get("demo-common", state.vault);
  await az(
    state,
    `az role assignment create --role ${secretsUser.id} --assignee-object-id ${objectId} --assignee-principal-type ServicePrincipal --scope ${vault.id ?? ""}`,
  );

  const server = await kubernetesServer();
  const follow = (command: string) => followed(state, server, command);
  for (const index of [0, 1]) server.put(node(subscriptionId, body.properties.nodeResourceGroup, index));
  server.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, operator(clientId));
  await follow(
    `aro-hcp render secret-provider-classes --name demo --managed-identities-file ${join(state.files, "identities.json")} --key-vault-user-client-id ${clientId} | kubectl apply --filename -`,
  );
  for (const { pod, secretProviderClass } of controlPlaneComponents) await startPod(state, server, `${pod}-1`, [secretProviderClass]);
  return {
    server,
    async verify(changes = {}) {
      const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig), new AbortController().signal);
      return state.verify({ managementCluster: { kubernetes, hostedCluster }, ...changes });
    },
    follow,
    setAddOn,
  };
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

/** What scheduler, kubelet and CSI driver do for a pod that mounts these classes: the newest version of each secret is there. */
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

async function followed(state: HealthyState, server: KubernetesServer, command: string): Promise<void> {
  const [made = "", apply] = command.split(" | ");
  const kubectl = /^kubectl (?:--kubeconfig \S+ )?(.*)$/.exec(apply ?? made)?.[1] ?? "";
  if (made.startsWith("az ")) return void (await az(state, made));
  if (kubectl === "apply --filename -") {
    const { items } = JSON.parse(await state.follow(`${made} --format json`)) as { items: KubernetesObject[] };
    return server.put(...items);
  }
  const [, deployment, home, variables] = /^set env deployment\/(\S+) --namespace (\S+) (.*)$/.exec(kubectl) ?? [];
  if (variables !== undefined) return setEnvironment(server, home ?? "", deployment ?? "", variables.split(" "));
  const [, pods] = new RegExp(`^delete pod --namespace ${namespace} (.*)$`).exec(kubectl) ?? [];
  if (pods !== undefined) return replacePods(state, server, pods.split(" "));
  // It only tells.
  if (kubectl.startsWith("logs --namespace kube-system ")) return;
  throw new Error(`no test does "${command}"`);
}

function setEnvironment(server: KubernetesServer, home: string, name: string, variables: readonly string[]): void {
  const deployment = structuredClone(server.get("Deployment", home, name));
  const spec = deployment?.["spec"] as { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
  for (const container of spec.template.spec.containers) {
    for (const [variable = "", value = ""] of variables.map((pair) => pair.split("="))) {
      container.env = [...container.env.filter((one) => one.name !== variable), { name: variable, value }];
    }
  }
  if (deployment) server.put(deployment);
}

/** Their deployments make successors. */
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
