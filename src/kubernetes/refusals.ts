/** Converts errors of the Kubernetes client to failures that explain them. */
import { ApiException } from "@kubernetes/client-node";
import { Failure } from "../errors/failure.js";
import { parseJson } from "../text/json.js";

/** The request, for people: "to list nodes"; and its API server. */
export interface Asked {
  readonly what: string;
  readonly server: string;
}

/** Never a bug of ours, unless the client itself has one. */
export function kubernetesFailure(error: unknown, { what, server }: Asked): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiException) return refused(error, { what, server });
  return new Failure("ARO-KUBE-001", `${server} did not respond to the request ${what}`, { because: reasonOf(error), cause: error });
}

/** The sign-in of a kubeconfig failed: its plugin is not installed, or returned an error. */
export function signInFailure(error: unknown): Failure {
  return new Failure("ARO-KUBE-002", "the credentials of the kubeconfig cannot be used", { because: reasonOf(error) });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the reason is unknown";
  // The message of an abort would blame the user.
  if (error.name === "AbortError" || error.name === "TimeoutError") return "the request timed out";
  return firstLine(error.message) || "no reason was returned";
}

function refused({ code, body }: ApiException<unknown>, { what, server }: Asked): Failure {
  const message = messageIn(body);
  const because = message === undefined ? {} : { because: message };
  if (code === 401) return new Failure("ARO-KUBE-002", `${server} rejected the credentials of the request ${what} (401)`, because);
  if (code === 403) return new Failure("ARO-KUBE-003", `the kubeconfig's user has no permission ${what} (403)`, because);
  return new Failure("ARO-KUBE-001", `${server} returned status ${String(code)} for the request ${what}`, because);
}

/** The message of a Status object; a proxy before the API server answers otherwise. */
function messageIn(body: unknown): string | undefined {
  const value: unknown = typeof body === "string" ? parseJson(body) : body;
  if (typeof value !== "object" || value === null || !("message" in value) || typeof value.message !== "string") return undefined;
  return firstLine(value.message);
}

const longest = 300;

function firstLine(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? "";
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}
