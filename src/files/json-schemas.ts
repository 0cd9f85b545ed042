/** JSON Schemas (2020-12), generated from the schemas that validate or describe our documents. */
import { z } from "zod";
import { managementClusterSchema, serviceClusterSchema } from "./aks-cluster-output.js";
import { arcSecretsSchema } from "../arc/files/arc-secrets-output.js";
import { dnsZoneSchema } from "../dns-zone/files/dns-zone-output.js";
import { combinedSchema, controlPlaneSchema, dataPlaneSchema, workloadSchema } from "./identity-schemas.js";
import { encryptionKeySchema } from "../encryption-key/files/encryption-key-output.js";
import { eventSchema } from "./event-schema.js";
import { infraOutputSchema } from "./infra-output.js";
import { failuresSchema } from "./results/parts.js";
import { timingsSchema } from "./timings.js";

/** The files that commands write for others to read, by the name of their schema. */
export const fileSchemas = {
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
  timings: timingsSchema,
} as const;

/** The schema for reading a document: members that it does not name are accepted where we may add some. */
export function jsonSchemaOf(schema: z.ZodType): object {
  // A union has no type of its own, but editors and other programs look for one.
  return { type: "object", ...z.toJSONSchema(schema, { io: "input" }) };
}

/** The same of the result of a command, which prints only failures if it has no result. */
export function resultJsonSchemaOf(result: z.ZodType): object {
  return jsonSchemaOf(z.union([result, failuresSchema]));
}
