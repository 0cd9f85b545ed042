/** The identities in an output file of create infra: `create all` and `create infra` record the identities that they assigned roles to. */
import { z } from "zod";
import { controlPlaneSchema, dataPlaneSchema, workloadSchema } from "./identity-schemas.js";
import type { ControlPlaneIdentities, DataPlaneIdentities, WorkloadIdentities } from "./identity-schemas.js";
import { noDataPlaneSchema } from "./infra-output.js";
import { readDocument } from "./read.js";
import { validate } from "./validate.js";

/** Both planes of a hosted control plane; an unknown plane is null or missing. */
export const managedMembers = {
  controlPlaneMIs: z.looseObject({ controlPlane: controlPlaneSchema }).nullish(),
  dataPlaneIdentities: z.union([dataPlaneSchema, noDataPlaneSchema.transform(() => undefined)]).optional(),
};

const schema = z.looseObject({ ...managedMembers, workloadIdentities: workloadSchema.omit({ kmsClientID: true }).nullish() });

export interface InfraIdentities {
  readonly controlPlane?: ControlPlaneIdentities;
  readonly dataPlane?: DataPlaneIdentities;
  readonly workload?: WorkloadIdentities;
}

/**
 * Empty if the file has none.
 * @throws ARO-FILE-001, 002 or 003
 */
export async function readInfraIdentities(path: string): Promise<InfraIdentities> {
  const read = validate(await readDocument(path), schema, "an output file of create infra");
  const { controlPlaneMIs, dataPlaneIdentities, workloadIdentities } = read;
  return {
    ...(controlPlaneMIs && { controlPlane: controlPlaneMIs.controlPlane }),
    ...(dataPlaneIdentities && { dataPlane: dataPlaneIdentities }),
    ...(workloadIdentities && { workload: workloadIdentities }),
  };
}
