/** Converts any SDK error to the failure that explains it. */
import { plural } from "../text/plural.js";
import { advise, rerun, type Advice } from "../errors/advice.js";
import { isRestError, type RestError } from "@azure/core-rest-pipeline";
import { grantVaultRoles, limitAdvice, registerProvider, vaultContents } from "../errors/access-failures.js";
import { ifItPersists } from "../errors/azure-failures.js";
import { Failure, type AzureDetail } from "../errors/failure.js";
import { Stale } from "../errors/stale.js";
import { failureCodeFor, type FailedRequest } from "../errors/translate.js";
import { detailOfRestError, signInCodeIn } from "./azure-error.js";
import { requestNotAnswered } from "./not-from-azure.js";
import { OperationError } from "./operation-error.js";
import { unreachableHost } from "./unreachable-host.js";
import { redacted, redactedError } from "../text/redact.js";
import { retryAfterMs } from "./retry-after.js";

/** The errors of @azure/identity, by name: importing its classes would take 200 ms. */
const signInErrors = new Set([
  "AuthenticationError",
  "CredentialUnavailableError",
  "AggregateAuthenticationError",
  "AuthenticationRequiredError",
]);

/** Every credential of the default chain is unavailable; its message says only that the chain failed. */
const noCredentials = "AggregateAuthenticationError";

/**
 * `given` is the resource: "load balancer demo-x7k2". Without one, it is the request, or this program. Unknown errors are bugs of this program.
 * Only messages of a request or response are kept.
 */
export function toFailure(error: unknown, given?: string): Failure {
  if (error instanceof Failure)
    return given !== undefined && requestNotAnswered(error) ? error.withMessage(`${given}: ${error.message}`) : withAnswer(error);
  const subject = given ?? (isRestError(error) && error.request ? requestTitle(error.request) : "aro-hcp");
  if (error instanceof OperationError) return explained(subject, error.detail, error, error);
  if (isRestError(error)) {
    const lost = unreachableHost(error);
    const next = lost?.next ?? retryAfterAdvice(error) ?? registrationAdvice(error) ?? vaultRoleAdvice(error);
    return explained(subject, detailOfRestError(error), error, { request: error.request, because: lost?.because, next });
  }
  if (!(error instanceof Error)) return new Failure("ARO-BUG-001", `${subject}: threw a value of type ${typeof error}`);
  if (signInErrors.has(error.name)) return signInFailed(error);
  return new Failure("ARO-BUG-001", `${subject}: ${redacted(error.message)}`, { cause: redactedError(error) });
}

/** Adds Azure's response to the last of several attempts. */
function withAnswer(failure: Failure): Failure {
  const last = failure.cause instanceof Stale ? failure.cause.cause : undefined;
  const azure = last instanceof OperationError ? last.detail : isRestError(last) && last.response ? detailOfRestError(last) : undefined;
  return azure === undefined || failure.azure !== undefined ? failure : failure.withAzure(azure);
}

/** "GET /subscriptions/…/resources of management.azure.com", without a query, which may contain a signature. */
function requestTitle({ method, url }: FailedRequest): string {
  const { host, pathname } = new URL(url);
  return `${method} ${pathname} of ${host}`;
}

interface Asked {
  readonly request?: FailedRequest | undefined;
  readonly because?: string | undefined;
  readonly next?: readonly Advice[] | undefined;
}

function explained(subject: string, azure: AzureDetail, cause: Error, { request, because, next }: Asked = {}): Failure {
  return new Failure(failureCodeFor(azure, request), `${subject} failed`, {
    because: because ?? (azure.message === undefined ? "Azure gave no reason" : firstLine(azure.message)),
    ...adviceOn(azure, next),
    azure,
    cause: redactedError(cause),
  });
}

/** The advice on this error; nothing if that of the catalogue applies. */
function adviceOn({ code = "" }: AzureDetail, next: readonly Advice[] | undefined): { readonly next?: readonly Advice[] } {
  const best = next ?? limitAdvice[code];
  return best === undefined ? {} : { next: best };
}

/** The advice if Azure said when to retry: the wait was too long, or the retries were too many. */
function retryAfterAdvice({ response }: RestError): readonly Advice[] | undefined {
  const ms = response && retryAfterMs(response, unknownTime);
  if (ms === undefined || ms === 0) return undefined;
  const wait = ms < 120_000 ? plural(Math.ceil(ms / 1000), "second") : plural(Math.ceil(ms / 60_000), "minute");
  const waiting = advise`wait ${wait}, as Azure requests, then ${rerun}`;
  return response?.status === 429 ? [waiting] : [waiting, ifItPersists];
}

/** The resource provider that the request needs. */
function registrationAdvice(error: RestError): readonly Advice[] | undefined {
  const namespace = error.request && /\/providers\/([\w.]+)\//.exec(error.request.url)?.[1];
  const isUnregistered = failureCodeFor(detailOfRestError(error), error.request) === "ARO-SUB-001";
  return isUnregistered && namespace !== undefined ? [registerProvider(namespace)] : undefined;
}

/** The role for the contents that the vault denies access to: "https://v.vault.azure.net/deletedcertificates/c" is about certificates. */
function vaultRoleAdvice(error: RestError): readonly Advice[] | undefined {
  if (error.request === undefined || failureCodeFor(detailOfRestError(error), error.request) !== "ARO-AUTHZ-005") return undefined;
  const [, collection = ""] = new URL(error.request.url).pathname.toLowerCase().split("/");
  const contents = vaultContents.find((one) => collection === one || collection === `deleted${one}`);
  return contents && grantVaultRoles([contents]);
}

/** A date in Retry-After is relative to the response's own. */
const unknownTime = { now: () => new Date(NaN), unscaled: (real: number) => real };

function signInFailed(error: Error): Failure {
  const code = signInCodeIn(error.message);
  const azure: AzureDetail = code === undefined ? {} : { code };
  return new Failure(code === undefined ? "ARO-AUTH-001" : "ARO-AUTH-002", "sign-in failed", {
    because:
      error.name === noCredentials
        ? "no credentials found: none in the environment, no managed identity, and no sign-in of the Azure CLI"
        : firstLine(redacted(error.message)),
    azure,
    cause: redactedError(error),
  });
}

/** Entra adds trace IDs and Azure diagnostics on later lines. */
function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? text;
}
