/** When Azure sent a response, by its own clock, to the second; undefined without a valid `Date` header. */
import type { PipelineResponse } from "@azure/core-rest-pipeline";

export function responseDate({ headers }: Pick<PipelineResponse, "headers">): Date | undefined {
  const at = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(at) ? undefined : new Date(at);
}
