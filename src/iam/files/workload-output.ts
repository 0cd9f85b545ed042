/** The file of `create iam`, in the format of hypershift's `--workload-identities-file`. */
import { z } from "zod";
import { controlPlaneComponents, type ControlPlaneComponent } from "../../domain/components.js";
import { clientIdsOwner, type ClientIds } from "../../files/client-id-files.js";
import { workloadSchema } from "../../files/identity-schemas.js";
import type { OutputFile } from "../../files/output-file.js";

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

/** A file of an interrupted run has a part of the identities. */
const earlierOutput = z.strictObject(workloadSchema.partial().shape);

/** The file at the path; one of the identities of another cluster, or of another program, is not replaced. `known`: by the component's field. */
export function workloadFile(
  path: string,
  { known, isRunning }: { readonly known: KnownWorkloadIdentities; readonly isRunning: boolean },
): OutputFile {
  const ids = { known: idsIn(workloadOutput(known)), isRunning };
  return { path, otherOwner: clientIdsOwner(earlierOutput, idsIn, ids) };
}

/** The client ID of each identity in the document. */
function idsIn(document: object): ClientIds {
  const entries = Object.entries(document) as [string, string | { readonly clientID: string } | undefined][];
  return Object.fromEntries(entries.flatMap(([key, id]) => (id === undefined ? [] : [[key, typeof id === "string" ? id : id.clientID]])));
}
