/** The file of `create iam`, which hypershift reads as `--workload-identities-file`: its keys, in the order of hypershift's own file. */
import { controlPlaneComponents, type ControlPlaneComponent } from "../domain/components.js";

/** The client IDs known so far, by the component's field. */
export type KnownWorkloadIdentities = Readonly<Partial<Record<ControlPlaneComponent["field"], string>>>;

const inOrder = controlPlaneComponents.toSorted((one, other) => one.workload.order - other.workload.order);

export function workloadOutput(known: KnownWorkloadIdentities): Readonly<Record<string, unknown>> {
  const entries = inOrder.flatMap(({ field, workloadField = field }) => {
    const clientID = known[field];
    return clientID === undefined ? [] : [[workloadField, field === "kms" ? clientID : { clientID }] as const];
  });
  return Object.fromEntries(entries);
}
