/** The inputs of a verification of an AKS cluster: the wanted cluster, and the plan of its create with the live state. */
import type { ManagedCluster, ManagedClusterAgentPoolProfile } from "@azure/arm-containerservice";
import type { Azure } from "../../azure/azure.js";
import type { Plan, PlannedStep } from "../../engine/plan.js";
import { resourceOf, type Step } from "../../engine/step.js";
import type { OwnCommand } from "../../errors/advice.js";
import { aksClusterNames, type AksClusterNames } from "../domain/cluster-names.js";
import type { AksClusterSpec } from "../domain/cluster-spec.js";
import { sameType } from "../../domain/resource-id.js";
import type { ResourceType } from "../../domain/resource-types.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { sameText } from "../../text/same-text.js";
import { liveOf } from "../../verify/planned-step.js";
import type { PlannedResources } from "../../verify/planned-resources.js";
import { aksChecks } from "./checks.js";

export interface GivenCluster {
  readonly spec: AksClusterSpec;
  /** The plan of the create; its decisions define what is correct. */
  readonly plan: Plan;
  /** The create of the wanted cluster; the advice for most failures. */
  readonly create: OwnCommand;
  /** The API server of `--kubeconfig`. */
  readonly kubernetes: Kubernetes | undefined;
  readonly now: () => Date;
}

export interface AksSnapshot extends GivenCluster, PlannedResources {
  readonly spec: AksClusterSpec;
  readonly azure: Azure;
  readonly names: AksClusterNames;
}

export function aksSnapshot(azure: Azure, given: GivenCluster): AksSnapshot {
  const { spec, plan } = given;
  return {
    ...given,
    azure,
    resourceChecks: aksChecks,
    names: { ...aksClusterNames(spec.cluster, spec.subscriptionId), group: spec.group.name, nodeGroup: spec.nodeGroupName },
    planned: (id) => plan.steps.find(({ step }) => step.id === id),
  };
}

/** Whether a step creates or looks up a resource of the type. */
export function isOf(step: Step<unknown>, { type }: Pick<ResourceType, "type">): boolean {
  const resource = resourceOf(step);
  return resource !== undefined && sameType(resource.type, type);
}

export function clusterIn(planned: PlannedStep): ManagedCluster {
  return liveOf<ManagedCluster>(planned);
}

/** The wanted properties; none while a need of the cluster is unknown. */
export function wantedIn({ wanted }: PlannedStep): Partial<ManagedCluster> {
  return wanted ?? {};
}

/** The pool as the cluster lists it: also pools that are resources of their own. */
export function poolIn({ agentPoolProfiles = [] }: Partial<ManagedCluster>, name: string): ManagedClusterAgentPoolProfile | undefined {
  return agentPoolProfiles.find((pool) => sameText(pool.name, name));
}

/** How many nodes a pool may have. */
export function mostNodes({ enableAutoScaling, maxCount, count = 0 }: ManagedClusterAgentPoolProfile): number {
  return enableAutoScaling === true ? (maxCount ?? count) : count;
}

/** The flags that select the cluster in `az aks` commands. */
export function aksFlags({ names }: AksSnapshot): readonly string[] {
  return ["--resource-group", names.group, "--name", names.cluster];
}
