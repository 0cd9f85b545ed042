/** Rows of the checks of the management cluster. */
import { controlPlaneComponents } from "../../../src/domain/components.js";
import { cryptoUser, secretsUser } from "../../../src/domain/roles.js";
import type { IdentityChain } from "../../../src/identities/verify/chain.js";
import type { KubernetesObject } from "../../harness/kubernetes.js";
import type { AzureState } from "../../../src/emulator/state/state.js";
import { changeState } from "../../harness/state-changes.js";
import { namespace, volumeName, type ManagementCluster } from "./management-cluster.js";

export interface ClusterRow {
  readonly check: string;
  /** "management cluster" if absent. */
  readonly component?: string;
  /** Completes the name of the test: "pods-start reports ...". */
  readonly fault: string;
  readonly warning?: true;
  readonly breaks: (cluster: ManagementCluster) => unknown;
  readonly given?: Partial<IdentityChain>;
  readonly evidence: RegExp;
  /** The findings after each round of advice. */
  readonly leaves?: readonly (readonly string[])[];
}

/** By then, the secrets are older than the add-on's poll interval. */
export const later = { now: () => new Date(Date.now() + 3_600_000) };

function editObject({ server }: ManagementCluster, kind: string, name: string, alter: (object: KubernetesObject) => void): void {
  const object = structuredClone(server.get(kind, namespace, name));
  if (object === undefined) throw new Error(`${kind} ${name} does not exist`);
  alter(object);
  server.put(object);
}

/** Makes a pod wait for its volumes. */
export function blockPod(cluster: ManagementCluster, name: string, message: string): void {
  editObject(cluster, "Pod", name, (pod) => {
    pod["status"] = { phase: "Pending", containerStatuses: [{ name: "main", state: { waiting: { reason: "ContainerCreating" } } }] };
  });
  cluster.server.put({
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace, name: `${name}.1` },
    involvedObject: { kind: "Pod", namespace, name },
    reason: "FailedMount",
    message,
    lastTimestamp: new Date().toISOString(),
  });
}

const driverMissing = `MountVolume.SetUp failed for volume "${volumeName("managed-azure-network")}" : driver name secrets-store.csi.k8s.io not found`;

function addOnIdentity({ resources }: AzureState) {
  return Object.values(resources).find(({ name }) => name === "azurekeyvaultsecretsprovider-demo-mgmt");
}

function addOnAssignments(state: AzureState) {
  const principalId = addOnIdentity(state)?.properties["principalId"];
  return Object.entries(state.roleAssignments).filter(([, each]) => each.principalId === principalId);
}

const mountOf = (pod: string, name: string) => `${pod}-1-${namespace}-${name}`;
const onCluster = (...checks: readonly string[]): string[] => checks.map((check) => `${check}/management cluster`);

export const clusterRows: readonly ClusterRow[] = [
  {
    check: "vault-addon",
    fault: "a disabled add-on",
    breaks: ({ setAddOn }) => setAddOn(false),
    evidence: /^the add-on of AKS cluster demo-mgmt is disabled: no pod can mount secrets there/,
    // Disabling the add-on deleted its identity; enabling it creates another one.
    leaves: [
      onCluster("operator-environment", "vault-addon-role"),
      controlPlaneComponents.map(({ key }) => `secret-provider-class/${key}`).sort(),
    ],
  },
  {
    check: "vault-addon-rotation",
    fault: "disabled rotation",
    warning: true,
    breaks: ({ setAddOn }) => setAddOn(true, { enableSecretRotation: "false" }),
    evidence: /rotation/,
  },
  {
    check: "vault-addon-rotation",
    fault: "a poll interval that is too long",
    warning: true,
    breaks: ({ setAddOn }) => setAddOn(true, { enableSecretRotation: "true", rotationPollInterval: "20h" }),
    evidence: /^it polls for new versions every 1200 minutes: with the 6 hours/,
  },
  {
    check: "vault-addon-role",
    fault: "another role",
    breaks: ({ state }) =>
      changeState(state, (stored) => {
        for (const [, each] of addOnAssignments(stored))
          each.roleDefinitionId = each.roleDefinitionId.replace(secretsUser.id, cryptoUser.id);
      }),
    evidence: /has only Key Vault Crypto User on the vault: mounts fail with 403 ForbiddenByRbac/,
  },
  {
    check: "vault-addon-role",
    fault: "a missing role",
    breaks: ({ state }) =>
      changeState(state, (stored) => {
        for (const [id] of addOnAssignments(stored)) Reflect.deleteProperty(stored.roleAssignments, id);
      }),
    evidence: /has no role on the vault/,
  },
  {
    check: "vault-addon-nodes",
    fault: "a scale set without the add-on's identity",
    breaks: ({ state }) =>
      changeState(state, (stored) => {
        const scaleSet = Object.values(stored.resources).find(({ name }) => name.startsWith("aks-user-"));
        const { userAssignedIdentities } = scaleSet?.beside?.["identity"] as { userAssignedIdentities: Record<string, unknown> };
        Reflect.deleteProperty(userAssignedIdentities, addOnIdentity(stored)?.id ?? "");
      }),
    evidence: /^aks-user-\d{8}-vmss: identity azurekeyvaultsecretsprovider-demo-mgmt is not assigned, so mounts there fail/,
  },
  {
    check: "operator-environment",
    fault: "an operator that is not set up for ARO HCP",
    breaks: ({ follow }) => follow("kubectl set env deployment/operator --namespace hypershift MANAGED_SERVICE="),
    evidence: /^MANAGED_SERVICE is not set, not "ARO-HCP"$/,
  },
  {
    check: "secret-provider-class",
    component: "cpo",
    fault: "a missing class",
    breaks: ({ server }) => server.remove("SecretProviderClass", namespace, "managed-azure-cpo"),
    evidence: /managed-azure-cpo/,
  },
  {
    check: "secret-provider-class",
    component: "disk",
    fault: "a class with other values",
    breaks: (cluster) =>
      editObject(cluster, "SecretProviderClass", "managed-azure-disk-csi", ({ spec }) => {
        const { parameters } = spec as { parameters: Record<string, string> };
        Object.assign(parameters, { keyvaultName: "another", cloudName: "AzureUSGovernmentCloud" });
      }),
    evidence: /keyvaultName is "another", not "kv-demo-\d+"; cloudName is "AzureUSGovernmentCloud", not absent/,
  },
  {
    check: "secret-mounted",
    component: "file",
    fault: "an older version of the secret",
    given: later,
    breaks: (cluster) =>
      editObject(
        cluster,
        "SecretProviderClassPodStatus",
        mountOf("azure-file-csi-driver-controller", "managed-azure-file-csi"),
        ({ status }) => {
          (status as { objects: { version: string }[] }).objects[0]!.version = "0123456789abcdef0123456789abcdef";
        },
      ),
    evidence: /^azure-file-csi-driver-controller-1 has version 0123456789abcdef/,
  },
  {
    check: "secret-mounted",
    component: "ingress",
    fault: "a volume that is not mounted",
    given: later,
    breaks: (cluster) =>
      editObject(cluster, "SecretProviderClassPodStatus", mountOf("ingress-operator", "managed-azure-ingress"), ({ status }) => {
        (status as { mounted: boolean }).mounted = false;
      }),
    evidence: /ingress-operator-1/,
  },
  {
    check: "pods-start",
    component: "network",
    fault: "a pod that waits for its volume",
    given: later,
    breaks: (cluster) => blockPod(cluster, "cloud-network-config-controller-1", driverMissing),
    evidence: /driver name secrets-store\.csi\.k8s\.io not found/,
  },
];
