/** A connected cluster as a graph of steps, in the order in which `create arc` runs them. */
import type { Azure } from "../../azure/azure.js";
import type { ArcAccess } from "../domain/cluster-access.js";
import type { ArcSpec } from "../domain/spec.js";
import type { Step } from "../../engine/step.js";
import { existingGroup, ownGroup } from "../../steps/resource-groups.js";
import { agentChart } from "./agent-chart.js";
import { agentFiles, type AgentFilesOutput } from "./agent-files.js";
import { connectedCluster, type ConnectedClusterOutput } from "./connected-cluster.js";
import { inCluster } from "./in-cluster.js";
import { onboardingKey } from "./onboarding-key.js";
import { clusterNamespaces, resourceProviders } from "./providers.js";

export interface ArcGraph {
  readonly steps: readonly Step<unknown>[];
  readonly cluster: Step<ConnectedClusterOutput>;
  readonly files: Step<AgentFilesOutput>;
}

export interface AgentsPlace {
  /** The directory of the files. */
  readonly directory: string;
  /** Without it, only the files for the agents are written. */
  readonly access: ArcAccess | undefined;
  readonly skipDiagnostics: boolean;
}

export function arcGraph(azure: Azure, spec: ArcSpec, { directory, access, skipDiagnostics }: AgentsPlace): ArcGraph {
  const context = { azure, spec, directory };
  const { subscriptionId, location, owner, tags, group: place } = spec;
  const group = place.isExisting
    ? existingGroup(azure, spec, "arc-group", place.name)
    : ownGroup(azure, { subscriptionId, location, owner, tags }, "arc-group", place.name);
  const providers = resourceProviders(azure, {
    id: "arc-providers",
    title: "resource providers of Azure Arc",
    namespaces: clusterNamespaces(spec),
  });
  const key = onboardingKey(directory, azure.connection.clock);
  const chart = agentChart(context);
  const checks = access === undefined ? undefined : inCluster(context, access, skipDiagnostics);
  const cluster = connectedCluster(context, { group, key, providers, ...checks?.before });
  const files = agentFiles(context, { key, chart, cluster });
  const installed = checks?.install({ files, cluster }) ?? [];
  return { steps: [providers, group, key, chart, ...Object.values(checks?.before ?? {}), cluster, files, ...installed], cluster, files };
}
