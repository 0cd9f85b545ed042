/** The Arc agents of a cluster in a test: they report to the emulator with the cluster's key, and leave their objects on the tests' API server. */
import { createPrivateKey } from "node:crypto";
import { request } from "node:https";
import { SignJWT } from "jose";
import { agentFor, type Emulator } from "../../src/emulator/index.js";
import type { KubernetesObject, KubernetesServer } from "./kubernetes.js";

export interface AgentsOf {
  readonly server: Pick<Emulator, "port" | "ca">;
  /** ID of the connected cluster. */
  readonly cluster: string;
  /** PEM of PKCS#1: what Helm gets as `global.onboardingPrivateKey`. */
  readonly privateKey: string;
  /** Where the agents' pods are; without it, only Azure sees them. */
  readonly kubernetes?: KubernetesServer;
  readonly location?: string;
}

export interface AgentFacts {
  readonly agentVersion?: string;
  readonly kubernetesVersion?: string;
  readonly totalNodeCount?: number;
  readonly totalCoreCount?: number;
  /** What Helm says of extensions that do not install, by extension type. */
  readonly helmErrors?: Readonly<Record<string, string>>;
  /** What Gatekeeper found, by the name of the policy assignment. */
  readonly violations?: Readonly<Record<string, number>>;
}

export interface AgentReply {
  readonly status: number;
  readonly body: {
    readonly certificateExpires?: string;
    readonly identity?: { readonly principalId: string };
    readonly extensions?: readonly { readonly name: string; readonly extensionType: string }[];
    readonly error?: { readonly code: string; readonly message: string };
  };
}

const agentNames = [
  "cluster-metadata-operator",
  "clusterconnect-agent",
  "clusteridentityoperator",
  "config-agent",
  "controller-manager",
  "extension-manager",
  "flux-logs-agent",
  "kube-aad-proxy",
  "metrics-agent",
  "resource-sync-agent",
] as const;

/** The agents start, or report that something changed. */
export async function startArcAgents(of: AgentsOf, facts: AgentFacts = {}): Promise<AgentReply> {
  const body = { state: "running", agentVersion: "1.31.4", kubernetesVersion: "1.31.6", totalNodeCount: 3, totalCoreCount: 24, ...facts };
  const reply = await report(of, body);
  of.kubernetes?.put(...agentObjects());
  return reply;
}

/** The last that Azure hears of them. */
export async function stopArcAgents(of: AgentsOf): Promise<AgentReply> {
  const reply = await report(of, { state: "stopped" });
  for (const { kind, metadata } of agentObjects()) of.kubernetes?.remove(kind, metadata.namespace, metadata.name);
  return reply;
}

function agentObjects(): KubernetesObject[] {
  return agentNames.map((name) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "azure-arc" },
    spec: { replicas: 1 },
    status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
  }));
}

async function report({ server, cluster, privateKey, location = "eastus" }: AgentsOf, body: object): Promise<AgentReply> {
  const token = await new SignJWT({}).setProtectedHeader({ alg: "RS256" }).setSubject(cluster).sign(createPrivateKey(privateKey));
  const agent = agentFor(server);
  const host = `${location}.arc-agents.invalid`;
  try {
    return await new Promise((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${token}`, "content-type": "application/json" };
      const sent = request({ agent, host, path: cluster, method: "POST", headers }, (answer) => {
        let received = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(received) as AgentReply["body"] }));
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
  } finally {
    agent.destroy();
  }
}
