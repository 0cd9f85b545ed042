/** `verify management-cluster` and `verify service-cluster`: the checks of the cluster in Azure, and with a kubeconfig also in it. */
import { signedIn } from "../../azure/signed-in.js";
import { kindFacts, type ClusterKind } from "../../domain/aks/cluster-kind.js";
import type { Resolved } from "../../settings/settings.js";
import { aksClusterGraph } from "../../steps/aks/graph.js";
import { aksCheckInstances } from "../../verify/aks/check-instances.js";
import { aksCheckIds } from "../../verify/aks/checks.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import { createClusterAdvice, recordInAzure, withClusterRecord } from "../inputs/aks-recorded-options.js";
import { factsInFile, plannedFacts } from "../inputs/cluster-flow.js";
import { clusterInFile, clusterNotFound } from "../inputs/cluster-in-file.js";
import { requireTenant, subscriptionInFile } from "../inputs/subscription.js";
import { writeClusterReport } from "../outputs/cluster-report.js";
import { checkReport } from "../outputs/identity-report.js";
import type { ProcessPort } from "../process-port.js";
import { planGraph } from "./plan-graph.js";
import { requireKnownChecks, runVerification } from "./verification.js";
import { withConnection } from "./with-connection.js";

type Command = "verify management-cluster" | "verify service-cluster";

export async function verifyCluster<C extends Command>(
  command: C,
  kind: ClusterKind,
  given: Resolved<C>,
  file: string | undefined,
  port: ProcessPort,
): Promise<number> {
  const { settings, notices } = given;
  const { only, output, concurrency, report, kubeconfig } = settings;
  requireKnownChecks(only, aksCheckIds, "docs/verify.md");
  if (report !== undefined) await checkReport(report);
  const { document, name } = await clusterInFile(kind, given, file);
  const access = kubeconfig === undefined ? undefined : await (await import("../../kubernetes/kubeconfig.js")).readKubeconfig(kubeconfig);
  const cluster = { kind, name };
  const documentSubscription = subscriptionInFile(document?.subscriptionID, file);
  return withConnection({ ...settings, command, documentSubscription }, notices, port, async (azure, context) => {
    const { subscriptionId, clock } = azure.connection;
    const { tenantId } = await signedIn(azure.connection);
    requireTenant(tenantId, document?.tenantID, file);
    const { exists, record } = await recordInAzure(azure, cluster, context.say);
    if (!exists && document === undefined) throw clusterNotFound(cluster, subscriptionId);
    const resolved = withClusterRecord(given, kind, document?.options ?? record);
    const spec = aksClusterSpec(kind, { ...resolved.settings, name }, { subscriptionId, tenantId });
    const { steps } = aksClusterGraph(azure, spec);
    const instances = aksCheckInstances(azure, steps, {
      spec,
      plan: await planGraph(steps, concurrency, context),
      create: createClusterAdvice(cluster, resolved, record !== undefined),
      kubernetes: access && (await import("../../kubernetes/api-server.js")).openKubernetes(access, context.signal),
      now: clock.now,
    });
    const { code, results } = await runVerification(context, {
      ...{ command, instances, chosen: { subjects: [], checks: only }, concurrency, output },
      heading: `${kindFacts[kind].label} ${name}: ${file === undefined ? "" : `${file}, `}subscription ${subscriptionId}, ${spec.location}`,
    });
    const facts = document === undefined ? plannedFacts(spec) : factsInFile(document);
    if (report !== undefined) await writeClusterReport(report, azure, [facts], results);
    return code;
  });
}
