/** The identities in an output file of `create infra`, as assigned by `create infra` or `create all`. */
import { z } from "zod";
import {
  controlPlaneSchema,
  dataPlaneSchema,
  workloadIdentitiesSchema,
  type ControlPlaneIdentities,
  type DataPlaneIdentities,
  type WorkloadIdentities,
} from "./identity-schemas.js";
import { uuid } from "./fields.js";
import { noDataPlaneSchema } from "./infra-output.js";
import { readDocument } from "./read.js";
import { validate } from "./validate.js";

/** Identities that are unknown, or that the cluster does not have, are null or missing. */
export const identityMembers = {
  controlPlaneMIs: z.looseObject({ controlPlane: controlPlaneSchema }).nullish(),
  dataPlaneIdentities: z.union([dataPlaneSchema, noDataPlaneSchema.transform(() => undefined)]).optional(),
  workloadIdentities: workloadIdentitiesSchema.nullish(),
  kmsClientID: uuid.optional(),
};

const schema = z.looseObject(identityMembers);

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
  const { controlPlaneMIs, dataPlaneIdentities } = read;
  const workload = workloadIn(read);
  return {
    ...(controlPlaneMIs && { controlPlane: controlPlaneMIs.controlPlane }),
    ...(dataPlaneIdentities && { dataPlane: dataPlaneIdentities }),
    ...(workload && { workload }),
  };
}

/** The file has the KMS identity beside the others; the workload identities file has it among them. */
export function workloadIn({ workloadIdentities, kmsClientID }: z.output<typeof schema>): WorkloadIdentities | undefined {
  return workloadIdentities ? { ...workloadIdentities, ...(kmsClientID !== undefined && { kmsClientID }) } : undefined;
}
