/** The table of responses that are retried, with their waits and time limits, as docs/internals/azure.md shows it. */

export interface RetryRule {
  /** The reason for the wait, as the running step shows it. */
  readonly because: string;
  readonly statuses: readonly number[];
  /** Azure's innermost error codes; any code if absent. */
  readonly codes?: readonly string[];
  /** What Azure's message must contain, if Azure uses one code for several causes. */
  readonly messagePattern?: RegExp;
  /** Any method if absent. */
  readonly methods?: readonly string[];
  /** Azure's milliseconds before the second try; each later wait doubles, up to `maxMs`. Azure's Retry-After takes precedence over both. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** The limit of all waits together. */
  readonly totalMs: number;
  /** A caller with brief retries gets this error at once. */
  readonly notRetriedIfBrief?: true;
}

const seconds = 1000;
const minutes = 60 * seconds;
const writes = ["PUT", "PATCH", "POST", "DELETE"];

/** The first match wins. The numbers come from recorded responses. */
export const retryRules: readonly RetryRule[] = [
  {
    because: "a referenced resource is still updating",
    statuses: [429],
    codes: ["ReferencedResourceNotProvisioned"],
    firstMs: 1 * seconds,
    maxMs: 5 * seconds,
    totalMs: 10 * minutes,
  },
  {
    because: "another operation on it is in progress",
    statuses: [409, 429],
    codes: [
      "RetryableErrorDueToAnotherOperation",
      "AnotherOperationInProgress",
      "StorageAccountOperationInProgress",
      "RetryableError",
      "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity",
    ],
    methods: writes,
    firstMs: 3 * seconds,
    maxMs: 15 * seconds,
    totalMs: 10 * minutes,
  },
  {
    // AKS says "Another operation is in progress", and sends no Retry-After. Each agent pool of another run takes minutes.
    because: "another operation on the AKS cluster is in progress",
    statuses: [409],
    codes: ["EtagMismatch", "OperationNotAllowed"],
    messagePattern: /operation.* in progress/i,
    methods: writes,
    firstMs: 5 * seconds,
    maxMs: 20 * seconds,
    totalMs: 45 * minutes,
  },
  {
    // AKS checks the roles of its cluster's identity when it is created: a moment ago, this run assigned them.
    because: "the roles of the AKS cluster's identity have not taken effect yet",
    statuses: [400, 403],
    codes: [
      "CustomKubeletIdentityMissingPermissionError",
      "AzureKeyVaultKmsValidateIdentityPermissionCustomerError",
      "ResourceMissingPermissionError",
    ],
    methods: ["PUT"],
    firstMs: 5 * seconds,
    maxMs: 15 * seconds,
    totalMs: 10 * minutes,
  },
  {
    // The longest recorded creation took 41 s.
    because: "the storage account is still being created",
    statuses: [409],
    codes: ["StorageAccountIsNotProvisioned"],
    firstMs: 2 * seconds,
    maxMs: 10 * seconds,
    totalMs: 2 * minutes,
  },
  { because: "Azure is throttling requests", statuses: [429], firstMs: 2 * seconds, maxMs: 60 * seconds, totalMs: 15 * minutes },
  {
    // Replication between directory regions: the longest recorded was 424 s, always without principalType, which this program sends.
    because: "the identity is not visible everywhere in the directory yet",
    statuses: [400],
    codes: ["PrincipalNotFound"],
    firstMs: 5 * seconds,
    maxMs: 20 * seconds,
    totalMs: 5 * minutes,
  },
  {
    // Azure documents at most 10 minutes until a role applies to the data. The current run or one shortly before it assigned the role.
    because: "the role assignment has not taken effect on the data yet",
    statuses: [403],
    codes: ["AuthorizationPermissionMismatch"],
    firstMs: 1 * seconds,
    // One or two minutes are usual, and the whole run waits for the result. An account accepts thousands of requests a second.
    maxMs: 1 * seconds,
    totalMs: 10 * minutes,
    notRetriedIfBrief: true,
  },
  {
    // The network rules of the storage account changed a moment ago.
    because: "the storage account does not allow access yet",
    statuses: [403],
    codes: ["AuthorizationFailure"],
    methods: ["PUT"],
    firstMs: 2 * seconds,
    maxMs: 10 * seconds,
    totalMs: 2 * minutes,
  },
  {
    // The upload turns them on a moment earlier.
    because: "the storage account does not accept its keys yet",
    statuses: [403],
    codes: ["KeyBasedAuthenticationNotPermitted"],
    firstMs: 1 * seconds,
    maxMs: 5 * seconds,
    totalMs: 1 * minutes,
  },
  {
    // The same for a vault. Its parts apply a role at different times: a list may be allowed before a write is.
    because: "the role assignment has not taken effect in the whole vault yet",
    statuses: [403],
    codes: ["ForbiddenByRbac"],
    methods: ["PUT", "POST", "PATCH"],
    firstMs: 4 * seconds,
    maxMs: 10 * seconds,
    totalMs: 10 * minutes,
    notRetriedIfBrief: true,
  },
  {
    // A region without the new parent yet. A parent that really does not exist is reported half a minute later.
    because: "its parent is not visible everywhere yet",
    statuses: [404],
    codes: ["ResourceGroupNotFound", "ParentResourceNotFound"],
    methods: ["PUT", "PATCH"],
    firstMs: 1 * seconds,
    maxMs: 5 * seconds,
    totalMs: 30 * seconds,
  },
  {
    // Replicas of the directory without the new application yet. Microsoft Graph has only its two general codes for it, which it also has for
    // wrong requests and missing permissions. Nothing but the wait depends on the message: without a match, the error is reported at once.
    because: "the application is not visible everywhere in the directory yet",
    statuses: [400, 403],
    codes: ["Request_BadRequest", "Authorization_RequestDenied"],
    messagePattern: /does not reference a valid application object|backing application of the service principal/,
    methods: ["PATCH", "POST"],
    firstMs: 1 * seconds,
    maxMs: 10 * seconds,
    totalMs: 2 * minutes,
  },
  {
    because: "the application is not visible everywhere in the directory yet",
    statuses: [404],
    codes: ["Request_ResourceNotFound"],
    methods: ["PATCH", "POST"],
    firstMs: 1 * seconds,
    maxMs: 10 * seconds,
    totalMs: 2 * minutes,
  },
  {
    because: "it is still being deleted",
    statuses: [409],
    codes: ["ObjectIsBeingDeleted", "ObjectIsBeingRecovered"],
    firstMs: 1 * seconds,
    maxMs: 5 * seconds,
    totalMs: 2 * minutes,
  },
  {
    // The resource that used it was deleted moments ago, by this program or in a cascade; Azure releases it a little later.
    because: "a resource that used it is still being released",
    statuses: [400, 409],
    codes: [
      "InUseSubnetCannotBeDeleted",
      "InUseNetworkSecurityGroupCannotBeDeleted",
      "InUseNatGatewayCannotBeDeleted",
      "InUseRouteTableCannotBeDeleted",
      "PublicIPAddressCannotBeDeleted",
      "NicInUse",
      "CannotDeleteResource",
    ],
    methods: ["DELETE"],
    firstMs: 2 * seconds,
    maxMs: 10 * seconds,
    totalMs: 1 * minutes,
  },
  {
    because: "Azure had a temporary error",
    statuses: [408, 500, 502, 503, 504],
    firstMs: 1 * seconds,
    maxMs: 20 * seconds,
    totalMs: 5 * minutes,
  },
];

/** Writes that must not be sent twice. Before such a request is sent again, its step reads whether the first one took effect. */
const sentOnce: readonly { readonly method: string; readonly path: RegExp }[] = [
  // Each adds a version.
  { method: "POST", path: /^\/certificates\/[^/]+\/create$/ },
  { method: "POST", path: /^\/keys\/[^/]+\/(?:create|rotate)$/ },
  { method: "PUT", path: /^\/secrets\/[^/]+$/ },
  // The second is refused with 404.
  { method: "POST", path: /^\/deleted(?:certificates|secrets|keys)\/[^/]+\/recover$/ },
  { method: "POST", path: /^\/v1\.0\/directory\/deletedItems\/[^/]+\/restore$/ },
  // The keys of an application, a list that others replace too. A request by unique name sends no keys.
  { method: "PATCH", path: /^\/v1\.0\/applications\/[^/(]+$/ },
];

export function isSentOnce({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return sentOnce.some((write) => write.method === method && write.path.test(new URL(url).pathname));
}

/** No response arrived. The write may have taken effect: every write that is retried can be sent twice. */
export const lostConnection: RetryRule = {
  because: "the connection was lost",
  statuses: [],
  firstMs: 1 * seconds,
  maxMs: 10 * seconds,
  totalMs: 1 * minutes,
};

/** Nothing has answered in this run yet: this machine is offline, or its proxy refuses. */
export const unreachable: RetryRule = {
  because: "Azure cannot be reached",
  statuses: [],
  firstMs: 1 * seconds,
  maxMs: 2 * seconds,
  totalMs: 3 * seconds,
};

/** Each try has already cost the whole request timeout, so there are few. */
export const noResponse: RetryRule = {
  because: "the request timed out",
  statuses: [],
  firstMs: 1 * seconds,
  maxMs: 1 * seconds,
  totalMs: 2 * seconds,
};

/** Something else answered in Azure's place. In a storm of errors that passes at once; a page that asks to sign in to a network stays. */
export const notAzure: RetryRule = {
  because: "the response was not from Azure",
  statuses: [],
  firstMs: 1 * seconds,
  maxMs: 2 * seconds,
  totalMs: 5 * seconds,
};

export const noResponseCodes: ReadonlySet<string> = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT"]);

/** The budget of a read whose caller accepts an error as a result: it reports a missing host in seconds. Throttling is retried for the usual time. */
export const briefForMs = 3 * seconds;

/** Codes of lost connections, and of hostnames that temporarily did not resolve. An untrusted certificate is not included. */
export const lostConnectionCodes: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "REQUEST_SEND_ERROR",
]);

/** Lost after it was made, so the host or its proxy can be reached. */
export const interruptedCodes: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** A longer Retry-After is not waited for: the error then says when to retry. */
export const longestRetryAfterMs = 5 * minutes;
/** A Retry-After of 0 would be a busy loop. */
export const shortestRetryAfterMs = 250;
