/** The hosted control planes that run on a management cluster, recognized by the disks of their etcd. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { tagValue, type Tags } from "../../domain/tags.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";

export interface HostedControlPlane {
  /** The namespace of the control plane in the management cluster: "clusters-demo". */
  readonly namespace: string;
  /** IDs of the disks of its etcd. */
  readonly disks: readonly string[];
}

/** The CSI driver of Azure disks tags each disk with the claim that it was created for. HyperShift's etcd claims `data-etcd-0` to `data-etcd-2`. */
const namespaceTag = "kubernetes.io-created-for-pvc-namespace";
const claimTag = "kubernetes.io-created-for-pvc-name";

/** The claim of a volume; undefined for anything else. */
export function claimOf(tags: Tags): { readonly namespace: string; readonly name: string } | undefined {
  const [namespace, name] = [tagValue(tags, namespaceTag), tagValue(tags, claimTag)];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** `contents`: of the node resource group. */
export function hostedControlPlanes(contents: readonly GenericResourceExpanded[]): HostedControlPlane[] {
  const disks = contents.flatMap(({ id = "", type = "", tags }) => {
    const claim = claimOf(tags);
    const isEtcd = sameType(type, resourceTypes.disk.type) && /^data-etcd-\d+$/.test(claim?.name ?? "");
    return isEtcd && claim !== undefined ? [{ namespace: claim.namespace, id }] : [];
  });
  return [...new Set(disks.map(({ namespace }) => namespace))]
    .toSorted()
    .map((namespace) => ({ namespace, disks: disks.filter((disk) => disk.namespace === namespace).map(({ id }) => id) }));
}

/** Undefined if there are none. */
export function hostedRefusal(clusterName: string, hosted: readonly HostedControlPlane[]): Failure | undefined {
  if (hosted.length === 0) return undefined;
  return new Failure(
    "ARO-OWN-008",
    `${plural(hosted.length, "hosted control plane")} ${hosted.length === 1 ? "runs" : "run"} on "${clusterName}"`,
    {
      because: `the node resource group contains the etcd disks of ${hosted.map(({ namespace }) => namespace).join(", ")}, which would be deleted with it`,
    },
  );
}
