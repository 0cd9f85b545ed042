/** Checks of the connected cluster and of its agents, as Azure reports them. */
import { agentChartIn } from "../domain/agent-commands.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { minorsBetween } from "../../domain/kubernetes-versions.js";
import { advise, aroHcp, joinAdvice, shell, type Advice } from "../../errors/advice.js";
import { registerProvider } from "../../errors/access-failures.js";
import { clusterNamespaces } from "../steps/providers.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { arcChecks } from "./checks.js";
import { createArc, placeSettings, type ArcSnapshot } from "./snapshot.js";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Azure shows agents as Offline after this time. */
const heartbeatMs = 15 * minuteMs;
/** The agents renew the certificate when 46 days are left. */
const renewalDays = 14;
/** Microsoft supports the newest version of the agents and the two before it. */
const oldestMinor = 2;

export interface AgentChecks {
  readonly exists: CheckInstance<ConnectedCluster>;
  readonly instances: readonly CheckInstance[];
}

export function agentChecks(snapshot: ArcSnapshot): AgentChecks {
  const { subject, azure, cluster } = snapshot;
  const exists = checkInstance(arcChecks["arc-exists"], subject, {}, () => checkExists(snapshot, cluster));
  const compare = (id: keyof typeof arcChecks, run: (live: ConnectedCluster) => Finding<undefined> | Promise<Finding<undefined>>) =>
    checkInstance(arcChecks[id], subject, { exists }, ({ exists: live }) => run(live));
  const now = () => azure.connection.clock.now().getTime();
  const connected = compare("arc-connected", (live) => checkConnected(snapshot, live, now()));
  return {
    exists,
    instances: [
      checkInstance(arcChecks["arc-providers"], "resource providers", {}, () => checkProviders(snapshot)),
      exists,
      compare("arc-identity", ({ identity }) =>
        identity?.type === "SystemAssigned"
          ? passed(identity.principalId ?? "")
          : failed(`its identity is ${identity?.type ?? "missing"}`, createArc(snapshot)),
      ),
      connected,
      checkInstance(arcChecks["arc-certificate"], subject, { exists, connected }, ({ exists: { properties } }) =>
        checkCertificate(properties, now()),
      ),
      compare("arc-agent-version", (live) => checkVersion(snapshot, live)),
    ],
  };
}

async function checkProviders({ azure }: ArcSnapshot): Promise<Finding<undefined>> {
  const { providers } = await azure.resources();
  const namespaces = clusterNamespaces({ customLocationsId: undefined });
  const states = await Promise.all(namespaces.map(async (name) => ({ name, state: (await providers.get(name)).registrationState })));
  const missing = states.filter(({ state }) => state !== "Registered");
  if (missing.length === 0) return passed(namespaces.join(", "));
  return failed(
    missing.map(({ name, state }) => `${name} is ${state ?? "not registered"}`).join(", "),
    joinAdvice(
      missing.map(({ name }) => registerProvider(name)),
      "; ",
    ),
  );
}

function checkExists(snapshot: ArcSnapshot, live: ConnectedCluster | undefined): Finding<ConnectedCluster> {
  if (live === undefined) return failed(`there is none in resource group "${snapshot.place.groupName}"`, createArc(snapshot));
  const { provisioningState = "Succeeded" } = live.properties;
  if (sameText(provisioningState, "Failed")) return failed("its last operation failed", createArc(snapshot), { value: live });
  return passed(`${live.id}, ${provisioningState}`, live);
}

function checkConnected(snapshot: ArcSnapshot, { properties }: ConnectedCluster, now: number): Finding<undefined> {
  const { connectivityStatus: state = "Connecting", lastConnectivityTime: last } = properties;
  const heard = last === undefined ? "they have never reported" : `they last reported at ${last}`;
  const age = last === undefined ? Number.POSITIVE_INFINITY : now - Date.parse(last);
  if (state === "Connected" && age < heartbeatMs) return passed(heard);
  return failed(`${state}: ${heard}`, reconnect(snapshot, state));
}

function reconnect(snapshot: ArcSnapshot, state: string): Advice {
  const install = createArc(snapshot);
  if (state === "Connecting") return advise`install the agents: ${install} with access to the cluster does it, or prints the commands`;
  if (state === "Expired")
    return advise`the agents cannot sign in any more: install them again with the commands that ${install} prints, which renews the certificate`;
  return advise`see why they do not report: ${shell`oc get pods,events -n azure-arc`}; with ${aroHcp("verify arc", placeSettings(snapshot))} and access to the cluster, the pods are checked too`;
}

function checkCertificate(
  { managedIdentityCertificateExpirationTime: end }: ConnectedCluster["properties"],
  now: number,
): Finding<undefined> {
  if (end === undefined) return notChecked("the identity has no certificate before the agents report");
  const days = Math.floor((Date.parse(end) - now) / dayMs);
  if (days >= renewalDays) return passed(`until ${end}`);
  return failed(
    `it expires in ${plural(days, "day")}, at ${end}, and the agents have not renewed it`,
    advise`see why its agent does not renew it: ${shell`oc logs -n azure-arc deployment/clusteridentityoperator --all-containers`}`,
  );
}

async function checkVersion(snapshot: ArcSnapshot, { location, properties }: ConnectedCluster): Promise<Finding<undefined>> {
  const { agentVersion, arcAgentProfile } = properties;
  if (agentVersion === undefined) return notChecked("no agents have reported a version");
  const path = await snapshot.azure.arcAgentChart(location);
  const offered = agentChartIn(path)?.version;
  if (offered === undefined) return notChecked(`${location} does not name a version of the agents: ${path}`);
  const behind = minorsBetween(agentVersion, offered);
  const evidence = `${agentVersion}; the region has ${offered}`;
  if (behind <= oldestMinor) return passed(evidence);
  const isOff = arcAgentProfile?.agentAutoUpgrade === "Disabled";
  const automatic = aroHcp("create arc", { ...placeSettings(snapshot), agentAutoUpgrade: "on" });
  return failed(
    evidence,
    isOff
      ? advise`let Azure upgrade them: ${automatic}`
      : advise`Azure upgrades them, but has not; see the log of their upgrade: ${shell`oc logs -n azure-arc deployment/extension-manager --all-containers`}`,
  );
}
