/** The state of the Arc agents of a connected cluster: last report, and end of the certificate. */
import type { StoredResource } from "../../../state/state.js";
import type { ArmCall } from "../../resource-type.js";

/** As the agents reported it. They report until they stop: nothing else comes in between. */
export interface AgentRecord {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly stoppedAt?: number;
  readonly agentVersion: string;
  readonly kubernetesVersion: string;
  readonly totalNodeCount: number;
  readonly totalCoreCount: number;
  /** What Helm says of extensions that do not install, by extension type in lower case. */
  readonly helmErrors: Readonly<Record<string, string>>;
  /** What Gatekeeper found, by the name of the policy assignment in lower case. */
  readonly violations: Readonly<Record<string, number>>;
}

type Clock = Pick<ArmCall, "now" | "milliseconds">;

const day = 24 * 3600;
/** The certificate of the cluster's identity is valid for 90 days. The agents renew it when 46 of them are left. */
const certificateSeconds = 90 * day;
const renewalSeconds = 44 * day;
const offlineSeconds = 15 * 60;

export function agentsOf({ properties }: StoredResource): AgentRecord | undefined {
  return properties["agents"] as AgentRecord | undefined;
}

export function areRunning(cluster: StoredResource | undefined): boolean {
  const agents = cluster && agentsOf(cluster);
  return agents !== undefined && agents.stoppedAt === undefined;
}

/** When Azure last heard of them. */
function lastHeartbeat({ stoppedAt }: AgentRecord, { now }: Clock): number {
  return stoppedAt ?? now;
}

/** Epoch milliseconds. */
export function certificateExpiry(agents: AgentRecord, clock: Clock): number {
  const renewal = clock.milliseconds(renewalSeconds);
  const renewals = renewal === 0 ? 0 : Math.floor((lastHeartbeat(agents, clock) - agents.startedAt) / renewal);
  return agents.startedAt + renewals * renewal + clock.milliseconds(certificateSeconds);
}

export function connectivity(agents: AgentRecord | undefined, clock: Clock): "Connecting" | "Connected" | "Offline" | "Expired" {
  if (agents === undefined) return "Connecting";
  if (agents.stoppedAt === undefined) return "Connected";
  if (clock.now >= certificateExpiry(agents, clock)) return "Expired";
  return clock.now - agents.stoppedAt >= clock.milliseconds(offlineSeconds) ? "Offline" : "Connected";
}

/** The members of the cluster that the agents report; none before they first did. */
export function reported(agents: AgentRecord | undefined, clock: Clock): Record<string, unknown> {
  const connectivityStatus = connectivity(agents, clock);
  if (agents === undefined) return { connectivityStatus };
  const { agentVersion, kubernetesVersion, totalNodeCount, totalCoreCount } = agents;
  return {
    connectivityStatus,
    agentVersion,
    kubernetesVersion,
    totalNodeCount,
    totalCoreCount,
    lastConnectivityTime: new Date(lastHeartbeat(agents, clock)).toISOString(),
    managedIdentityCertificateExpirationTime: new Date(certificateExpiry(agents, clock)).toISOString(),
  };
}
