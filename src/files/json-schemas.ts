/** Our documents as JSON Schema (2020-12), made from the schemas that check them. */
import { z } from "zod";
import { combinedSchema, controlPlaneSchema, dataPlaneSchema, workloadSchema } from "./identity-schemas.js";
import { infraOutputSchema } from "./infra-output.js";

const documents = {
  "infra-output": infraOutputSchema,
  identities: combinedSchema,
  "control-plane-identities": controlPlaneSchema,
  "data-plane-identities": dataPlaneSchema,
  "workload-identities": workloadSchema,
} as const;

export type DocumentName = keyof typeof documents;
export const documentNames = Object.keys(documents) as readonly DocumentName[];

/** The schema of what a document may hold when it is read. */
export function jsonSchemaOf(name: DocumentName): object {
  return z.toJSONSchema(documents[name], { io: "input" });
}
