/** A management cluster on which every link from the vault to the pods holds, for a healthy world; what the controllers of Kubernetes would do, the tests do. */
import { join } from "node:path";
import { controlPlaneNamespace } from "../../src/infra/secret-provider-classes.js";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import type { Result } from "../../src/verify/check.js";
import type { IdentityChain } from "../../src/verify/identities/chain.js";
import { kubernetesServer, type KubernetesObject, type KubernetesServer } from "../harness/kubernetes.js";
import type { HealthyWorld } from "./healthy-world.js";

export const hostedCluster = { namespace: "clusters", name: "demo" } as const;
export const namespace = controlPlaneNamespace(hostedCluster);

export interface ManagementCluster {
  readonly server: KubernetesServer;
  verify(changes?: Partial<IdentityChain>): Promise<Result[]>;
  /** Does what a command of an advice says: ours by the command line, `kubectl` by the API server. */
  follow(command: string): Promise<void>;
}

const reader = "addaddad-0000-4000-8000-000000000001";

export async function managementCluster(world: HealthyWorld): Promise<ManagementCluster> {
  const server = await kubernetesServer();
  const follow = (command: string) => followed(world, server, command);
  server.put({ apiVersion: "v1", kind: "Node", metadata: { name: "aks-system-0" }, spec: {} });
  server.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }, operator(reader));
  await follow(
    `aro-hcp render secret-provider-classes --name demo --managed-identities-file ${join(world.files, "identities.json")} --key-vault-user-client-id ${reader} | kubectl apply --filename -`,
  );
  return {
    server,
    async verify(changes = {}) {
      const kubernetes = openKubernetes(await readKubeconfig(server.kubeconfig), new AbortController().signal);
      return world.verify({ managementCluster: { kubernetes, hostedCluster }, ...changes });
    },
    follow,
  };
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

async function followed(world: HealthyWorld, server: KubernetesServer, command: string): Promise<void> {
  const [made, apply] = command.split(" | ");
  if (made !== undefined && apply?.startsWith("kubectl ") && apply.endsWith("apply --filename -")) {
    const { items } = JSON.parse(await world.follow(`${made} --format json`)) as { items: KubernetesObject[] };
    server.put(...items);
    return;
  }
  throw new Error(`no test does "${command}"`);
}
