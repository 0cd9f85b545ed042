/** Detects responses that are not Azure's: pages that a captive portal or a proxy returned instead. */
import type { PipelinePolicy, PipelineResponse } from "@azure/core-rest-pipeline";
import { Failure } from "../errors/failure.js";
import { parseJson } from "../text/json.js";

/**
 * The SDK turns such a page into an empty object, and that into an empty list: a destroy would find nothing to delete. So a successful read must
 * return JSON, and a list must have its entries. An object of the directory, also a newly created one, must have its ID. An empty body is
 * valid, because the end of an operation may return one.
 */
export const responseValidationPolicy: PipelinePolicy = {
  name: "aroHcpAnswerShapePolicy",
  async sendRequest(request, next) {
    const response = await next(request);
    const { host, pathname } = new URL(request.url);
    const kind = kindOf(pathname);
    const isChecked = request.method === "GET" || (kind.directory && response.bodyAsText !== "");
    if (!isChecked || !(response.status === 200 || (kind.directory && response.status === 201))) return response;
    const wrong = faultOf(response, kind);
    if (wrong === undefined) return response;
    throw new Failure("ARO-NET-003", `the response from ${host} is not from Azure`, {
      because: `the response to ${request.method} ${pathname} ${wrong}`,
    });
  },
};

interface Kind {
  readonly directory: boolean;
  readonly list: boolean;
}

function faultOf({ bodyAsText }: PipelineResponse, { directory, list }: Kind): string | undefined {
  const text = bodyAsText ?? "";
  if (text === "" && !list) return undefined;
  const body = parseJson(text);
  if (typeof body !== "object" || body === null) return "is not a JSON document";
  if (list) return "value" in body && Array.isArray(body.value) ? undefined : "is not a list";
  return directory && !("id" in body && typeof body.id === "string") ? "has no object ID" : undefined;
}

/** The lists of a vault, by the first and the last segment of their paths. */
const vaultLists = /^\/(?:deleted)?(?:secrets|certificates|keys)(?:\/[^/]+\/versions)?\/?$/i;

/** Paths that end with a type, but return one object. */
const noLists = /\/roleAssignmentsUsageMetrics$/i;

/** Resource Manager's paths are pairs of type and name: a path that ends with a type is a list. Graph's paths end with a type or a type cast. */
function kindOf(path: string): Kind {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first = "", second = ""] = segments;
  if (first.toLowerCase() === "subscriptions") return { directory: false, list: segments.length % 2 === 1 && !noLists.test(path) };
  if (first !== "v1.0") return { directory: false, list: vaultLists.test(path) };
  return { directory: true, list: (segments.length === 2 && !second.includes("(")) || path.includes("/microsoft.graph.") };
}
