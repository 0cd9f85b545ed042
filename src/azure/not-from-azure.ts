/** The failure of a response from something other than Azure, such as a captive portal, a proxy or a gateway. */
import type { PipelineRequest } from "@azure/core-rest-pipeline";
import { Failure } from "../errors/failure.js";

/** Kept apart from the failures: a request contains its token. */
const requests = new WeakMap<Failure, PipelineRequest>();

/** `wrong` continues the sentence "the response to GET /path ...". */
export function notFromAzure(request: PipelineRequest, wrong: string, cause?: unknown): Failure {
  const { host, pathname } = new URL(request.url);
  const failure = new Failure("ARO-NET-003", `the response from ${host} is not from Azure`, {
    because: `the response to ${request.method} ${pathname} ${wrong}`,
    cause,
  });
  requests.set(failure, request);
  return failure;
}

/** The request that such a failure is about; undefined for every other error. */
export function requestNotAnswered(error: unknown): PipelineRequest | undefined {
  return error instanceof Failure ? requests.get(error) : undefined;
}
