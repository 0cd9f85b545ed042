/** JSON Schemas (2020-12), generated from the schemas that validate or describe our documents. */
import { z } from "zod";
import { failuresSchema } from "./results/parts.js";

/** The schema for reading a document: members that it does not name are accepted where we may add some. */
export function jsonSchemaOf(schema: z.ZodType): object {
  // A union has no type of its own, but editors and other programs look for one.
  return { type: "object", ...z.toJSONSchema(schema, { io: "input" }) };
}

/** The same of the result of a command, which prints only failures if it has no result. */
export function resultJsonSchemaOf(result: z.ZodType): object {
  return jsonSchemaOf(z.union([result, failuresSchema]));
}
