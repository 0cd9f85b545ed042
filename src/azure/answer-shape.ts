/** Tells an answer of Azure's from a page that something between here and Azure put in its place: a portal's, a proxy's. */
import type { PipelinePolicy, PipelineResponse } from "@azure/core-rest-pipeline";
import { Failure } from "../errors/failure.js";

/**
 * The SDK makes of such a page an empty object, and of that an empty list: a destroy would find nothing to do. So a read that succeeded holds
 * JSON, and a list holds its entries. Nothing at all is what the end of an operation may say.
 */
export const answerShapePolicy: PipelinePolicy = {
  name: "aroHcpAnswerShapePolicy",
  async sendRequest(request, next) {
    const response = await next(request);
    if (request.method !== "GET" || response.status !== 200) return response;
    const { host, pathname } = new URL(request.url);
    const wrong = faultOf(response, isList(pathname));
    if (wrong === undefined) return response;
    throw new Failure("ARO-NET-003", `what ${host} answered is not Azure's`, { because: `the answer to GET ${pathname} ${wrong}` });
  },
};

function faultOf({ bodyAsText }: PipelineResponse, list: boolean): string | undefined {
  const text = bodyAsText ?? "";
  if (text === "" && !list) return undefined;
  const body = parsed(text);
  if (typeof body !== "object" || body === null) return "is no JSON document";
  return list && !("value" in body && Array.isArray(body.value)) ? "is no list" : undefined;
}

/** Resource Manager's addresses are pairs of type and name: one that ends with a type is of a list. Graph's are not. */
function isList(path: string): boolean {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments[0]?.toLowerCase() === "subscriptions" && segments.length % 2 === 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
