/** The way to the cluster itself: a kubeconfig, or the admin kubeconfig of a classic ARO cluster or of a HostedCluster. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { openShiftKubeconfig } from "../../azure/open-shift-credentials.js";
import type { ArcAccess } from "../domain/cluster-access.js";
import { hostedClusterIn } from "../domain/names.js";
import { Failure } from "../../errors/failure.js";
import { mkdtemp, rm } from "../../files/disk.js";
import { writeTextOnce } from "../../files/write.js";
import type { Kubeconfig } from "../../kubernetes/kubeconfig.js";
import type { RunContext } from "../../run/run-context.js";

export interface ArcAccessSettings {
  readonly kubeconfig: string | undefined;
  readonly openshiftClusterId: string | undefined;
  readonly managementKubeconfig: string | undefined;
  readonly hostedCluster: string | undefined;
}

/**
 * `work` gets no access if no setting leads to the cluster, or if `mayBeGone` and the cluster does not exist any more. The kubeconfig of an
 * administrator is deleted with the end of the work.
 * @throws ARO-OWN-003 if the cluster does not exist
 */
export async function withArcAccess<T>(
  azure: Azure,
  settings: ArcAccessSettings,
  context: RunContext,
  work: (access: ArcAccess | undefined, kubeconfig: Kubeconfig | undefined) => Promise<T>,
  { mayBeGone = false }: { readonly mayBeGone?: boolean } = {},
): Promise<T> {
  const { kubeconfig, openshiftClusterId, hostedCluster } = settings;
  if (kubeconfig !== undefined) return open(azure, kubeconfig, context, work);
  const text = await adminKubeconfig(azure, settings, context);
  const target = openshiftClusterId === undefined ? hostedCluster && `HostedCluster ${hostedCluster}` : `cluster ${openshiftClusterId}`;
  if (text === undefined && target !== undefined && !mayBeGone)
    throw new Failure("ARO-OWN-003", `the ${target} does not exist`, { next: correct });
  if (text === undefined) return work(undefined, undefined);
  const directory = await mkdtemp(join(tmpdir(), "aro-hcp-arc-"));
  try {
    const path = join(directory, "kubeconfig");
    await writeTextOnce(path, text, 0o600);
    return await open(azure, path, context, work);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const correct = ["correct --openshift-cluster-id, or --hosted-cluster and --management-kubeconfig", "or omit them"];

/** Undefined without a setting, and for a cluster that does not exist any more. @throws ARO-KUBE-004 if it contains more than it may */
async function adminKubeconfig(azure: Azure, settings: ArcAccessSettings, { port, signal }: RunContext): Promise<string | undefined> {
  const { openshiftClusterId, managementKubeconfig, hostedCluster } = settings;
  if (openshiftClusterId !== undefined) {
    return rebuilt(await found(openShiftKubeconfig(azure, openshiftClusterId)), `classic ARO cluster ${openshiftClusterId}`);
  }
  const hosted = hostedCluster === undefined ? undefined : hostedClusterIn(hostedCluster);
  if (managementKubeconfig === undefined || hosted === undefined) return undefined;
  const [{ readKubeconfig }, { hostedKubeconfig }] = await Promise.all([
    import("../../kubernetes/kubeconfig.js"),
    import("../../kubernetes/hosted-kubeconfig.js"),
  ]);
  const { text, from } = await hostedKubeconfig(await readKubeconfig(managementKubeconfig, port), hosted, signal);
  return rebuilt(text, from);
}

/** Only a kubeconfig that a flag names may run programs and name files. */
async function rebuilt(text: string | undefined, from: string): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { kubeconfigText, receivedKubeconfig } = await import("../../files/received-kubeconfig.js");
  return kubeconfigText(receivedKubeconfig(text, { from }));
}

async function open<T>(
  azure: Azure,
  path: string,
  { port, signal }: RunContext,
  work: (access: ArcAccess, kubeconfig: Kubeconfig) => Promise<T>,
): Promise<T> {
  const [{ readKubeconfig }, { openArcAccess }, { findHelm }] = await Promise.all([
    import("../../kubernetes/kubeconfig.js"),
    import("../kubernetes/arc-access.js"),
    import("../kubernetes/helm.js"),
  ]);
  const kubeconfig = await readKubeconfig(path, port);
  return work(openArcAccess(kubeconfig, await findHelm(kubeconfig, signal), azure.connection.clock, signal), kubeconfig);
}
