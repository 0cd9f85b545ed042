/** Converts settings to the workload identities of a cluster, for every command about them. */
import type { Azure } from "../azure/azure.js";
import { controlPlaneComponents, type ControlPlaneComponent } from "../domain/components.js";
import type { IamPlace } from "./spec.js";

interface IamSettings {
  readonly name: string;
  readonly infraId: string;
  readonly persistentResourceGroupName: string;
}

export function iamPlace({ name, infraId, persistentResourceGroupName: groupName }: IamSettings, { connection }: Azure): IamPlace {
  return { cluster: { name, infraId }, subscriptionId: connection.subscriptionId, groupName };
}

/** The KMS identity is created only on request. */
export function workloadComponents(withKms: boolean): readonly ControlPlaneComponent[] {
  return controlPlaneComponents.filter(({ field }) => field !== "kms" || withKms);
}
