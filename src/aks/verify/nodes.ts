/** Checks that the API server is that of the AKS cluster, and that each of its nodes can mount secrets. */
import type { V1Node } from "@kubernetes/client-node";
import { advise, shell } from "../../errors/advice.js";
import { groupIn } from "../../domain/resource-id.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { aksChecks } from "./checks.js";
import { aksFlags, clusterIn, type AksSnapshot } from "./snapshot.js";
import { isReady } from "../../verify/ready.js";

export interface NodeChecks {
  /** Passes with the nodes of the cluster. */
  readonly reached: CheckInstance<readonly V1Node[]>;
  readonly instances: readonly CheckInstance[];
}

export function nodeChecks(kubernetes: Kubernetes, cluster: ResourceLinks): NodeChecks {
  const { subject } = cluster;
  const reached = checkInstance(aksChecks["api-server"], subject, { cluster: cluster.sound }, async ({ cluster: seen }) => {
    const { nodeResourceGroup, name = "" } = clusterIn(seen);
    const nodes = await kubernetes.nodes();
    const other = nodes.find((node) => !sameText(groupOf(node), nodeResourceGroup));
    if (nodes.length > 0 && other === undefined)
      return passed(`${kubernetes.server}, ${plural(nodes.length, "node")} in ${nodeResourceGroup ?? ""}`, nodes);
    const found =
      other === undefined
        ? "has no nodes"
        : `has the node ${nameOf(other)} in ${groupOf(other) ?? "no resource group of Azure"}, not in ${nodeResourceGroup ?? "a group of AKS"}`;
    return failed(
      `${kubernetes.server} ${found}`,
      advise`pass the kubeconfig of this cluster: ${shell`az aks get-credentials --resource-group ${groupNameIn(seen.step.resourceId)} --name ${name} --file FILE`} writes it`,
    );
  });
  const ready = checkInstance(aksChecks["nodes-ready"], subject, { reached }, ({ reached: nodes }) => {
    const broken = nodes.filter((node) => !isReady(node));
    if (broken.length === 0) return passed(plural(nodes.length, "node"));
    return failed(
      `${broken.map(nameOf).join(", ")} not ready, of ${plural(nodes.length, "node")}`,
      shell`kubectl --kubeconfig ${kubernetes.kubeconfig} describe node ${broken.map(nameOf)}`,
    );
  });
  return { reached, instances: [reached, ready] };
}

/** AKS writes the group in lower case: "azure:///subscriptions/S/resourceGroups/mgmt-nodes/providers/...". */
function groupOf({ spec }: V1Node): string | undefined {
  return groupIn(spec?.providerID ?? "")?.resourceGroup;
}

function groupNameIn(id: string | undefined): string {
  return groupIn(id ?? "")?.resourceGroup ?? "";
}

function nameOf({ metadata }: V1Node): string {
  return metadata?.name ?? "";
}

/** The pods of the add-on: its own driver, and the provider that reads vaults. */
const driverApps = { "secrets-store-csi-driver": "driver", "secrets-store-provider-azure": "Azure provider" } as const;

export function driverChecks(
  snapshot: AksSnapshot,
  kubernetes: Kubernetes,
  subject: string,
  reached: CheckInstance<readonly V1Node[]>,
): CheckInstance[] {
  return [
    checkInstance(aksChecks["secrets-driver"], subject, { reached }, async ({ reached: nodes }) => {
      const pods = await kubernetes.pods("kube-system");
      const lacking = Object.entries(driverApps).flatMap(([app, what]) => {
        const on = pods.filter((pod) => pod.metadata?.labels?.["app"] === app && isReady(pod)).map(({ spec }) => spec?.nodeName);
        const without = nodes.filter((node) => !on.includes(nameOf(node)));
        return without.length === 0 ? [] : [`no ready pod of the ${what} (${app}) on ${without.map(nameOf).join(", ")}`];
      });
      return checkDriver(snapshot, lacking, nodes.length);
    }),
  ];
}

function checkDriver(snapshot: AksSnapshot, lacking: readonly string[], nodes: number): Finding<undefined> {
  if (lacking.length === 0) return passed(`ready on ${plural(nodes, "node")}`);
  return failed(
    `${lacking.join("; ")}: pods there cannot mount secrets`,
    advise`wait until new nodes are ready; otherwise let AKS repair the add-on: ${shell`az aks update ${aksFlags(snapshot)} --yes`}`,
  );
}
