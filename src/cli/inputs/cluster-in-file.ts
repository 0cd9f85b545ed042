/** Which cluster a command that only reads is about: named by --name, by the output file of its create, or by both. */
import { kindFacts, type AksClusterKey, type ClusterKind } from "../../domain/aks/cluster-kind.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { readAksCluster, type AksClusterInput } from "../../files/aks-cluster-output.js";
import type { Origin, SettingKey } from "../../settings/settings.js";
import { sameText } from "../../text/same-text.js";
import { validClusterOptions } from "./aks-valid-record.js";

interface Given {
  readonly settings: { readonly name?: string | undefined };
  readonly origins: Readonly<Partial<Record<SettingKey, Origin>>>;
}

export interface ClusterInFile {
  readonly name: string;
  /** Undefined without a file. */
  readonly document: AksClusterInput | undefined;
}

/** @throws ARO-USAGE-001 without a cluster, or with two; ARO-FILE-001, 002 or 003 */
export async function clusterInFile(kind: ClusterKind, { settings, origins }: Given, file: string | undefined): Promise<ClusterInFile> {
  const read = file === undefined ? undefined : (await readAksCluster(file, kind)).input;
  const document = read && { ...read, options: validClusterOptions(kind, read.options, file ?? "") };
  const name = settings.name ?? document?.name;
  if (name === undefined) throw new Failure("ARO-USAGE-001", "no cluster specified", { next: [`pass --name or --${kind}-json`] });
  if (document !== undefined && !sameText(name, document.name)) {
    const problems = [
      { origin: origins.name?.label ?? "--name", message: `is "${name}", but the file of --${kind}-json has "${document.name}"` },
    ];
    throw new Failure("ARO-USAGE-001", `the file of --${kind}-json belongs to another cluster`, { problems });
  }
  return { name, document };
}

export function clusterNotFound({ kind, name }: AksClusterKey, subscriptionId: string): Failure {
  const { label } = kindFacts[kind];
  return new Failure("ARO-USAGE-001", `no ${label} ${name} was found in subscription ${subscriptionId}`, {
    next: [advise`create it: ${aroHcp(`create ${kind}`, { name })}`, "or check --name and --subscription"],
  });
}
