/** The data plane of Azure Arc's configuration in a region, which says where the chart of the newest agents is. */
import {
  createHttpHeaders,
  createPipelineRequest,
  RestError,
  type PipelineRequest,
  type PipelineResponse,
} from "@azure/core-rest-pipeline";
import { parseJsonObject } from "../text/json.js";
import type { CloudProfile } from "./cloud.js";

const apiVersion = "2019-11-01-preview";

export function configurationUrl({ arcSuffix }: CloudProfile, location: string): string {
  return `https://${location}.${arcSuffix}`;
}

/** @throws RestError if the service rejects the request */
export async function agentChart(url: string, send: (request: PipelineRequest) => Promise<PipelineResponse>): Promise<string> {
  const headers = createHttpHeaders({ accept: "application/json", "content-type": "application/json" });
  const address = `${url}/azure-arc-k8sagents/GetLatestHelmPackagePath?api-version=${apiVersion}&releaseTrain=stable`;
  const request = createPipelineRequest({ url: address, headers, method: "POST", body: "{}" });
  const response = await send(request);
  const { status } = response;
  if (status !== 200)
    throw new RestError(`${new URL(url).host} returned status ${String(status)}`, { request, response, statusCode: status });
  return String(parseJsonObject(response.bodyAsText ?? "")?.["repositoryPath"]);
}
