/** `wait arc`: reads the connected cluster until its agents are connected, and shows each state with its time. */
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { printDocument } from "../../render/document.js";
import type { Resolved } from "../../settings/settings.js";
import { arcPlace, requireConnectedCluster } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import { withConnection } from "../../run/with-connection.js";
import { rfc3339 } from "../../text/rfc3339.js";

const command = "wait arc";
const pollMs = 10_000;

interface Seen {
  readonly state: string;
  /** When this command first read it. */
  readonly at: string;
}

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, output } = settings;
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const { clock } = azure.connection;
    const states: Seen[] = [];
    for (;;) {
      const live = await requireConnectedCluster(azure, arcPlace(settings, azure));
      const state = live.properties.connectivityStatus ?? "Connecting";
      if (states.at(-1)?.state !== state) {
        const at = rfc3339(clock.now());
        states.push({ state, at });
        context.say(`${at} ${state}${detailOf(live)}`);
      }
      if (state === "Connected") {
        const { agentVersion, lastConnectivityTime } = live.properties;
        if (output === "json")
          printDocument(context.result, { ok: true, command, name, clusterID: live.id, state, states, agentVersion, lastConnectivityTime });
        else context.result.print(`${state} ${lastConnectivityTime ?? ""}`.trim());
        return 0;
      }
      if (state !== "Connecting") throw lost(live, state);
      await clock.sleep(pollMs, context.signal);
    }
  });
}

function detailOf({ properties: { agentVersion, kubernetesVersion, lastConnectivityTime } }: ConnectedCluster): string {
  const parts = [
    agentVersion && `agents ${agentVersion}`,
    kubernetesVersion && `Kubernetes ${kubernetesVersion}`,
    lastConnectivityTime && `last heartbeat ${lastConnectivityTime}`,
  ].filter(Boolean);
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

function lost({ name, properties }: ConnectedCluster, state: string): Failure {
  const { lastConnectivityTime = "an unknown time", managedIdentityCertificateExpirationTime: expiry } = properties;
  const isExpired = state === "Expired";
  return new Failure("ARO-ARC-005", `the agents of ${name} are ${state}; their last heartbeat was at ${lastConnectivityTime}`, {
    because: isExpired
      ? `the certificate of the cluster's identity expired${expiry === undefined ? "" : ` at ${expiry}`}, so the agents cannot sign in any more`
      : "Azure reports this after 15 minutes without a heartbeat",
    ...(isExpired && {
      next: [
        advise`install the agents again with the commands that ${aroHcp("create arc", { name })} prints, which renews the certificate`,
      ],
    }),
  });
}
