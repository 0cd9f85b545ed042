/** `show arc`: a connected cluster with its agents and extensions, or a list of all. */
import { listExtensions } from "../arc-extensions.js";
import { listConnectedClusters } from "../connected-clusters.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { connectedClusterApi } from "../domain/spec.js";
import { groupNameOf } from "../../domain/resource-id.js";
import { printDocument } from "../../render/document.js";
import type { Screen } from "../../render/screen.js";
import { table } from "../../render/table.js";
import type { Resolved } from "../../settings/settings.js";
import { arcPlace, requireConnectedCluster } from "../inputs/connected-cluster.js";
import { plural } from "../../text/plural.js";
import type { ProcessPort } from "../../run/process-port.js";
import { withConnection } from "../../run/with-connection.js";

const command = "show arc";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const { name } = settings;
    if (name === undefined) {
      listing(await listConnectedClusters(azure, settings.resourceGroupName), settings.output, context.result);
      return 0;
    }
    const place = arcPlace({ ...settings, name }, azure);
    const live = await requireConnectedCluster(azure, place, connectedClusterApi.preview);
    const extensions = await listExtensions(azure, place);
    if (settings.output === "json") {
      printDocument(context.result, { ok: true, command, ...azMembers(live), extensions });
      return 0;
    }
    const { result } = context;
    result.show(table(result, ["MEMBER", "VALUE"], rowsOf(live)));
    if (extensions.length > 0) {
      const rows = extensions.map(({ name = "", extensionType = "", provisioningState = "", currentVersion, version, errorInfo }) => [
        ...[name, extensionType, provisioningState, currentVersion ?? version ?? ""],
        errorInfo?.message ?? "",
      ]);
      result.print("");
      result.show(table(result, ["EXTENSION", "TYPE", "STATE", "VERSION", "ERROR"], rows));
    }
    return 0;
  });
}

function listing(clusters: readonly ConnectedCluster[], output: string, result: Screen): void {
  if (output === "json") printDocument(result, { ok: true, command, connectedClusters: clusters.map(azMembers) });
  else if (clusters.length === 0) result.print("no connected cluster was found");
  else
    result.show(
      table(
        result,
        ["NAME", "RESOURCE GROUP", "LOCATION", "CONNECTIVITY", "AGENTS", "KUBERNETES"],
        clusters.map(({ id, name, location, properties: live }) => [
          ...[name, groupNameOf(id) ?? "", location, live.connectivityStatus ?? "unknown", live.agentVersion ?? "none"],
          kubernetesOf(live),
        ]),
      ),
    );
}

function kubernetesOf({ kubernetesVersion = "unknown", distribution, infrastructure }: ConnectedCluster["properties"]): string {
  return [kubernetesVersion, distribution, infrastructure].filter(Boolean).join(" ");
}

/** `az` prints the properties beside the other members, and null for those that Azure leaves out. */
function azMembers({ id, name, type, location, kind, tags, identity, systemData, properties: live }: ConnectedCluster) {
  return {
    aadProfile: live.aadProfile ?? null,
    agentPublicKeyCertificate: live.agentPublicKeyCertificate ?? null,
    agentVersion: live.agentVersion ?? null,
    arcAgentProfile: live.arcAgentProfile ?? null,
    arcAgentryConfigurations: live.arcAgentryConfigurations ?? null,
    azureHybridBenefit: live.azureHybridBenefit ?? null,
    connectivityStatus: live.connectivityStatus ?? null,
    distribution: live.distribution ?? null,
    distributionVersion: live.distributionVersion ?? null,
    gateway: live.gateway ?? null,
    id,
    identity: identity ?? null,
    infrastructure: live.infrastructure ?? null,
    kind: kind ?? null,
    kubernetesVersion: live.kubernetesVersion ?? null,
    lastConnectivityTime: live.lastConnectivityTime ?? null,
    location,
    managedIdentityCertificateExpirationTime: live.managedIdentityCertificateExpirationTime ?? null,
    miscellaneousProperties: live.miscellaneousProperties ?? null,
    name,
    offering: live.offering ?? null,
    oidcIssuerProfile: live.oidcIssuerProfile ?? null,
    privateLinkScopeResourceId: live.privateLinkScopeResourceId ?? null,
    privateLinkState: live.privateLinkState ?? null,
    provisioningState: live.provisioningState ?? null,
    resourceGroup: groupNameOf(id) ?? null,
    securityProfile: live.securityProfile ?? null,
    systemData: systemData ?? null,
    tags: tags ?? null,
    totalCoreCount: live.totalCoreCount ?? null,
    totalNodeCount: live.totalNodeCount ?? null,
    type,
  };
}

function rowsOf({ id, location, identity, properties: live }: ConnectedCluster): string[][] {
  return [
    ["id", id],
    ["location", location],
    ["connectivity", live.connectivityStatus ?? "unknown"],
    ["last heartbeat", live.lastConnectivityTime ?? "never"],
    ["certificate expires", live.managedIdentityCertificateExpirationTime ?? "no certificate yet"],
    ["agents", live.agentVersion ?? "none"],
    ["Kubernetes", kubernetesOf(live)],
    ["nodes", `${String(live.totalNodeCount ?? 0)} with ${plural(live.totalCoreCount ?? 0, "core")}`],
    ["identity", identity?.principalId ?? "none"],
    ["provisioning state", live.provisioningState ?? "unknown"],
  ];
}
