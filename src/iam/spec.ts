/** The workload identities of a cluster with a self-managed control plane: where they are, and what `create iam` wants. */
import type { ControlPlaneComponent } from "../domain/components.js";
import type { ClusterKey } from "../domain/names.js";

export interface IamPlace {
  readonly cluster: ClusterKey;
  readonly subscriptionId: string;
  /** The group of the identities. */
  readonly groupName: string;
}

export interface IamSpec extends IamPlace {
  readonly location: string;
  readonly components: readonly ControlPlaneComponent[];
  /** `iss` of the tokens of the cluster's service accounts. */
  readonly issuerUrl: string;
}
