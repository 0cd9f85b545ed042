/** Reads a request body: every member is known, or refused by name. */
import type { z } from "zod";
import type { Call } from "../../core/service.js";
import { badRequest, invalidValue } from "./errors.js";

/** @throws ApiError 400 Request_BadRequest that names the property. */
export function readBody<Output>(call: Call, schema: z.ZodType<Output>, entity: string): Output {
  const sent = call.request.body;
  if (typeof sent !== "object" || sent === null) throw badRequest("Unable to read JSON request payload.", "BadRequest");
  const read = schema.safeParse(withoutAnnotations(sent));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === "unrecognized_keys") {
    throw badRequest(`Invalid property '${issue.keys[0] ?? ""}' of resource '${entity}': it is not one of Graph's, or not emulated.`);
  }
  throw invalidValue(String(issue?.path[0] ?? ""), entity);
}

/** What a client says of the types of objects, at any depth, is none of their properties. */
function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (typeof value !== "object" || value === null) return value;
  const own = Object.entries(value).filter(([name]) => !name.startsWith("@odata."));
  return Object.fromEntries(own.map(([name, held]) => [name, withoutAnnotations(held)]));
}

/** Whether the client asks for an upsert; otherwise, a PATCH of a missing object is 404. */
export function createsIfMissing({ request }: Call): boolean {
  return (request.headers["prefer"] ?? "").split(",").some((each) => each.trim().toLowerCase() === "create-if-missing");
}
