/** Connected clusters of these tests: their resource in Azure, with agents that report, or without. */
import { generateKeyPairSync } from "node:crypto";
import type { TestEmulator } from "../../harness/test-emulator.js";
import { changeResource, changeState } from "../../harness/state-changes.js";
import { subscription } from "../../cli/demo-cluster.js";

const arcGroup = `${subscription}/resourceGroups/demo-arc`;
export const arcClusterId = `${arcGroup}/providers/Microsoft.Kubernetes/connectedClusters/demo`;
export const arcExtensionId = (name: string) => `${arcClusterId}/providers/Microsoft.KubernetesConfiguration/extensions/${name}`;
const tags = { "aro-hcp-arc": "demo" };

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const agentPublicKeyCertificate = publicKey.export({ type: "pkcs1", format: "der" }).toString("base64");

/** As create arc leaves it. */
export async function connectedCluster(azure: TestEmulator, changes: { readonly tags?: Record<string, string> } = {}): Promise<void> {
  const location = "eastus";
  await registerProviders(azure, { "Microsoft.Kubernetes": "Registered", "Microsoft.KubernetesConfiguration": "Registered" });
  await azure.seed({
    resources: {
      [arcGroup]: { location, tags },
      [arcClusterId]: {
        location,
        tags,
        ...changes,
        identity: { type: "SystemAssigned" },
        properties: { agentPublicKeyCertificate, distribution: "openshift", infrastructure: "azure" },
      },
    },
  });
}

export function registerProviders(azure: TestEmulator, providers: Readonly<Record<string, "Registered" | "NotRegistered">>): Promise<void> {
  return changeState(azure, (state) => {
    for (const subscription of state.subscriptions) Object.assign(subscription.providers, providers);
  });
}

/** The agents report from now on; `helmErrors` is what Helm says, by extension type in lower case. */
export function startAgents(azure: TestEmulator, helmErrors: Readonly<Record<string, string>> = {}): Promise<void> {
  const facts = { agentVersion: "1.31.3", kubernetesVersion: "1.30.7", totalNodeCount: 6, totalCoreCount: 36 };
  return azure.seed({ arcAgents: { [arcClusterId]: { ...facts, helmErrors } } });
}

/** An hour ago: Azure shows them as offline after 15 minutes. */
export function stopAgents(azure: TestEmulator): Promise<void> {
  return changeResource(azure, arcClusterId, (stored) => {
    stored.properties["agents"] = { ...(stored.properties["agents"] as object), stoppedAt: Date.now() - 3_600_000 };
  });
}
