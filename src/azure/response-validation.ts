/** Detects responses that are not Azure's: what a captive portal, a proxy or a gateway returned instead. */
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import { readableErrorBody } from "./azure-error.js";
import { notFromAzure } from "./not-from-azure.js";
import type { Service } from "./service.js";

/** Inside the retries: during a storm of errors, a later try succeeds; a portal's page stays. */
export function responseValidationPolicy({ faultOf, nullIsAbsent }: Pick<Service, "faultOf" | "nullIsAbsent">): PipelinePolicy {
  return {
    name: "aroHcpResponseValidationPolicy",
    async sendRequest(request, next) {
      const response = await next(request);
      if (nullIsAbsent && response.bodyAsText && response.status < 300) response.bodyAsText = withoutNulls(response.bodyAsText);
      if (response.bodyAsText && response.status >= 400) response.bodyAsText = readableErrorBody(response);
      const wrong = response.status >= 200 && response.status < 400 ? faultOf(request, response) : undefined;
      if (wrong !== undefined) throw notFromAzure(request, wrong);
      return response;
    },
  };
}

/** The text without members that are null. Null entries of lists stay, and a text that is not JSON is returned as it is. */
function withoutNulls(text: string): string {
  if (!text.includes("null")) return text;
  try {
    const value: unknown = JSON.parse(text, (_, member: unknown) => (member === null ? undefined : member));
    return value === undefined ? text : JSON.stringify(value);
  } catch {
    return text;
  }
}
