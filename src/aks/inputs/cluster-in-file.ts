/** Which cluster a command is about, named by --name, by the output file of its create, or by both. */
import type { Azure } from "../../azure/azure.js";
import { signedIn } from "../../azure/signed-in.js";
import { kindFacts, type AksClusterKey, type ClusterKind } from "../../domain/cluster-kind.js";
import { noSuchAksCluster } from "../removal/not-found.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { readAksCluster, type AksClusterInput } from "../../files/aks-cluster-output.js";
import type { Origin, SettingKey, Values } from "../../settings/settings.js";
import { sameText } from "../../text/same-text.js";
import { requireCloud, requireTenant, subscriptionInFile, type SubscriptionInFile } from "../../run/subscription.js";

interface Given {
  readonly settings: { readonly name?: string | undefined; readonly subscription?: string | undefined };
  readonly origins: Readonly<Partial<Record<SettingKey, Origin>>>;
}

export interface ClusterInFile {
  readonly cluster: AksClusterKey;
  /** Undefined without a file. */
  readonly document: AksClusterInput | undefined;
  /** Its subscription, for a command without another one. */
  readonly documentSubscription: SubscriptionInFile | undefined;
  /** @throws ARO-USAGE-001 if the file belongs to another cloud or tenant than the run: its resources would not be found */
  requireRunPlace(azure: Azure): Promise<void>;
}

/** The file that a flag names as the output of the cluster's create. */
export function clusterFileOf(kind: ClusterKind, values: Values): string | undefined {
  return values[kindFacts[kind].fileKey];
}

/** @throws ARO-USAGE-001 without a cluster, or if flags and file refer to different clusters; ARO-FILE-001, 002 or 003 */
export async function clusterInFile(kind: ClusterKind, { settings, origins }: Given, file: string | undefined): Promise<ClusterInFile> {
  const flag = `--${kind}-file` as const;
  const document = file === undefined ? undefined : (await readAksCluster(file, kind)).input;
  const name = settings.name ?? document?.name;
  if (name === undefined || name === "") throw new Failure("ARO-USAGE-001", "no cluster specified", { next: [`pass --name or ${flag}`] });
  const pairs = [
    ["name", settings.name, document?.name],
    ["subscription", settings.subscription, document?.subscriptionID],
  ] as const;
  const problems = pairs.flatMap(([key, given, recorded]) => {
    if (given === undefined || recorded === undefined || sameText(given, recorded)) return [];
    return [{ origin: origins[key]?.label ?? `--${key}`, message: `is "${given}", but the file of ${flag} has "${recorded}"` }];
  });
  if (problems.length > 0) throw new Failure("ARO-USAGE-001", `the file of ${flag} belongs to another cluster`, { problems });
  const inFile = subscriptionInFile(document?.subscriptionID, file);
  return {
    cluster: { kind, name },
    document,
    documentSubscription: inFile && { ...inFile, flag },
    async requireRunPlace({ connection }) {
      if (document === undefined) return;
      requireCloud(connection.cloud.name, document.cloud, file);
      requireTenant((await signedIn(connection)).tenantId, document.tenantID, file);
    },
  };
}

export async function clusterNotFound(azure: Azure, cluster: AksClusterKey, groupName: string | undefined): Promise<Failure> {
  const { kind, name } = cluster;
  const { label } = kindFacts[kind];
  const { subscriptionId } = azure.connection;
  return new Failure("ARO-USAGE-001", `no ${label} ${name} was found in subscription ${subscriptionId}`, {
    because: await noSuchAksCluster(azure, { cluster, subscriptionId, groupName }),
    next: ["check --name and --subscription", advise`or create it: ${aroHcp(`create ${kind}`, { name })}`],
  });
}
