/** The JSON Schemas (2020-12) of our documents, generated from the schemas that validate them. */
import { z } from "zod";
import { managementClusterSchema, serviceClusterSchema } from "./aks-cluster-output.js";
import { arcSecretsSchema } from "./arc-secrets-output.js";
import { dnsZoneSchema } from "./dns-zone-output.js";
import { combinedSchema, controlPlaneSchema, dataPlaneSchema, workloadSchema } from "./identity-schemas.js";
import { encryptionKeySchema } from "./encryption-key-output.js";
import { eventSchema } from "./event-schema.js";
import { infraOutputSchema } from "./infra-output.js";

const documents = {
  "infra-output": infraOutputSchema,
  "management-cluster": managementClusterSchema,
  "service-cluster": serviceClusterSchema,
  "arc-secrets": arcSecretsSchema,
  "encryption-key": encryptionKeySchema,
  "dns-zone": dnsZoneSchema,
  identities: combinedSchema,
  "control-plane-identities": controlPlaneSchema,
  "data-plane-identities": dataPlaneSchema,
  "workload-identities": workloadSchema,
  events: eventSchema,
} as const;

export type DocumentName = keyof typeof documents;
export const documentNames = Object.keys(documents) as readonly DocumentName[];

/** The schema for reading a document. */
export function jsonSchemaOf(name: DocumentName): object {
  // A union has no type of its own, but editors and other programs look for one.
  return { type: "object", ...z.toJSONSchema(documents[name], { io: "input" }) };
}
