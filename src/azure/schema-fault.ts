/** Checks an answer of Azure against the schema of what this program and the SDKs rely on. */
import type { PipelineRequest } from "@azure/core-rest-pipeline";
import { z } from "zod";
import { notFromAzure } from "./not-from-azure.js";

/** "has no valid properties.subnets[0].name": the first member that is missing or has another type. Undefined if nothing is wrong. */
export function schemaFault(schema: z.ZodType, value: unknown): string | undefined {
  return faultOf(schema.safeParse(value));
}

/** The answer to the request, typed. @throws ARO-NET-003 if it lacks a member */
export function readAnswer<T>(request: PipelineRequest, schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw notFromAzure(request, faultOf(result) ?? "");
}

function faultOf({ error }: z.ZodSafeParseResult<unknown>): string | undefined {
  const [issue] = error?.issues ?? [];
  return issue && `has no valid ${z.core.toDotPath(issue.path) || "content"}`;
}
