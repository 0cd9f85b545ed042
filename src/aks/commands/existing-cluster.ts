/** How `show` and `verify` find an AKS cluster and the settings of its create. */
import type { Azure } from "../../azure/azure.js";
import { signedIn } from "../../azure/signed-in.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import type { AksClusterSpec } from "../domain/cluster-spec.js";
import type { Step } from "../../engine/step.js";
import type { AksClusterInput } from "../../files/aks-cluster-output.js";
import type { Resolved } from "../../settings/settings.js";
import { aksClusterGraph } from "../steps/graph.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import { clusterAsFound, validClusterOptions, withClusterRecord } from "../inputs/aks-recorded-options.js";
import { clusterFileOf, clusterInFile, clusterNotFound } from "../inputs/cluster-in-file.js";
import type { ProcessPort } from "../../run/process-port.js";
import type { RunContext } from "../../run/run-context.js";
import { withConnection } from "../../run/with-connection.js";

type Command = `${"show" | "verify"} ${AksClusterKey["kind"]}`;

interface ExistingClusterInput<C extends Command> {
  readonly command: C;
  readonly kind: AksClusterKey["kind"];
  readonly given: Resolved<C>;
}

export interface ExistingCluster<C extends Command> {
  readonly cluster: AksClusterKey;
  /** The output file of the create. */
  readonly file: string | undefined;
  readonly document: AksClusterInput | undefined;
  /** The settings, with values of the file or of what exists for unset options. */
  readonly resolved: Resolved<C>;
  /** Whether Azure shows the settings of the create, which another create keeps. */
  readonly isRecorded: boolean;
  readonly spec: AksClusterSpec;
  /** The steps of the create. */
  readonly steps: readonly Step<unknown>[];
}

/**
 * `work` returns the exit code.
 * @throws ARO-USAGE-001 if neither Azure nor a file has the cluster, or the file belongs to another place
 */
export async function withExistingCluster<C extends Command>(
  { command, kind, given }: ExistingClusterInput<C>,
  port: ProcessPort,
  work: (azure: Azure, context: RunContext, found: ExistingCluster<C>) => Promise<number>,
): Promise<number> {
  const file = clusterFileOf(kind, given.settings);
  const { cluster, document, documentSubscription, requireRunPlace } = await clusterInFile(kind, given, file);
  const options = await validClusterOptions(kind, document?.options, file ?? "");
  const { settings, notices } = given;
  return withConnection({ ...settings, command, documentSubscription }, notices, port, async (azure, context) => {
    await requireRunPlace(azure);
    const { subscriptionId } = azure.connection;
    const { tenantId } = await signedIn(azure.connection);
    const found = await clusterAsFound(azure, cluster, settings.resourceGroupName, { access: true });
    const { exists, record, securityGroupName } = found;
    if (!exists && document === undefined) throw await clusterNotFound(azure, cluster, settings.resourceGroupName);
    const resolved = await withClusterRecord(given, kind, options ?? record);
    const place = { subscriptionId, tenantId, securityGroupName };
    const spec = aksClusterSpec(kind, { ...resolved.settings, name: cluster.name }, place, resolved.origins);
    const { steps } = aksClusterGraph(azure, spec);
    return work(azure, context, { cluster, file, document, resolved, isRecorded: exists, spec, steps });
  });
}
