/** Writes the log of `--debug`: one line for each request, without headers and bodies. */
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import type { Transport } from "./transport.js";

/** Parameters that identify the request; all others may be signatures, or add up to a line of 3 kB. */
const shown = ["api-version", "$filter", "$select", "$top", "$expand"];

/** "GET https://management.azure.com/subscriptions/...?api-version=2025-04-01 200, 84 ms, request 6f1c..., for load-balancer" */
export function requestLogPolicy(log: (line: string) => void, { clock, current }: Pick<Transport, "clock" | "current">): PipelinePolicy {
  return {
    name: "aroHcpRequestLogPolicy",
    async sendRequest(request, next) {
      const began = clock.elapsedMs();
      const logLine = (outcome: string, requestId?: string) => {
        const ms = Math.round(clock.elapsedMs() - began);
        const step = current()?.step;
        const sender = `${requestId === undefined ? "" : `, request ${requestId}`}${step === undefined ? "" : `, for ${step}`}`;
        log(`${request.method} ${shortUrl(request.url)} ${outcome}, ${String(ms)} ms${sender}`);
      };
      try {
        const response = await next(request);
        logLine(String(response.status), response.headers.get("x-ms-request-id") ?? response.headers.get("request-id"));
        return response;
      } catch (error) {
        logLine(error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : "failed");
        throw error;
      }
    },
  };
}

function shortUrl(url: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = shown.flatMap((name) => searchParams.getAll(name).map((value) => `${name}=${value}`)).join("&");
  return `${origin}${pathname.replace(/^\/+/, "/")}${query === "" ? "" : `?${query}`}`;
}
