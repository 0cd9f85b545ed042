/** Reads a body by its schema, and refuses what the schema does not accept: unknown members by name. */
import type { z } from "zod";
import type { ApiError } from "../core/service.js";
import { invalidRequestContent } from "./errors.js";

/** `type` is the resource type in the refusal. @throws ApiError InvalidRequestContent */
export function readContent<T>(schema: z.ZodType<T>, sent: unknown, type: string): T {
  const read = schema.safeParse(sent);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : `Path '${issue.path.map(String).join(".")}'. `;
  if (issue?.code === "unrecognized_keys") throw unknownMember(type, issue.keys.join("', '"), at);
  throw invalidRequestContent(`${at}${issue?.message ?? "The body is invalid."}`);
}

export function unknownMember(type: string, members: string, at: string): ApiError {
  return invalidRequestContent(`Could not find member '${members}' on object of type '${type}'. ${at}`.trim());
}
