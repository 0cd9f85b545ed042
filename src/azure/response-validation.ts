/** Tells an answer of Azure's from a page that something between here and Azure put in its place: a portal's, a proxy's. */
import type { PipelinePolicy, PipelineResponse } from "@azure/core-rest-pipeline";
import { Failure } from "../errors/failure.js";
import { parseJson } from "../text/json.js";

/**
 * The SDK makes of such a page an empty object, and of that an empty list: a destroy would find nothing to do. So a read that succeeded holds
 * JSON, a list holds its entries, and what the directory says of one object, also where it was just made, holds its id. Nothing at all is what the
 * end of an operation may say.
 */
export const responseValidationPolicy: PipelinePolicy = {
  name: "aroHcpAnswerShapePolicy",
  async sendRequest(request, next) {
    const response = await next(request);
    const { host, pathname } = new URL(request.url);
    const kind = kindOf(pathname);
    const tells = request.method === "GET" || (kind.directory && response.bodyAsText !== "");
    if (!tells || !(response.status === 200 || (kind.directory && response.status === 201))) return response;
    const wrong = faultOf(response, kind);
    if (wrong === undefined) return response;
    throw new Failure("ARO-NET-003", `what ${host} answered is not Azure's`, {
      because: `the answer to ${request.method} ${pathname} ${wrong}`,
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
  if (typeof body !== "object" || body === null) return "is no JSON document";
  if (list) return "value" in body && Array.isArray(body.value) ? undefined : "is no list";
  return directory && !("id" in body && typeof body.id === "string") ? "names no object" : undefined;
}

/** The lists of a vault, by the first and the last words of their paths. */
const vaultLists = /^\/(?:deleted)?(?:secrets|certificates|keys)(?:\/[^/]+\/versions)?\/?$/i;

/** What ends with a type and is one answer all the same. */
const noLists = /\/roleAssignmentsUsageMetrics$/i;

/** Resource Manager's addresses are pairs of type and name: one that ends with a type is of a list. Graph's end with a type, or a type of its own. */
function kindOf(path: string): Kind {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first = "", second = ""] = segments;
  if (first.toLowerCase() === "subscriptions") return { directory: false, list: segments.length % 2 === 1 && !noLists.test(path) };
  if (first !== "v1.0") return { directory: false, list: vaultLists.test(path) };
  return { directory: true, list: (segments.length === 2 && !second.includes("(")) || path.includes("/microsoft.graph.") };
}
