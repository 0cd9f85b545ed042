/** Which answers of Azure are worth asking again, after how long and for how long: a table. `docs/azure.md` shows it, and a test holds the two together. */

export interface RetryRule {
  /** What is waited for, as the running step says it. */
  readonly because: string;
  readonly statuses: readonly number[];
  /** Azure's codes, the innermost; absent: any. */
  readonly codes?: readonly string[];
  /** What Azure's words must hold, where it has one code for many things. */
  readonly says?: RegExp;
  /** Absent: any. */
  readonly methods?: readonly string[];
  /** Azure's milliseconds before the second try; later tries wait twice as long each, up to `mostMs`. A Retry-After of Azure's goes before both. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** How much waiting, in all, this is worth. */
  readonly forMs: number;
}

const seconds = 1000;
const minutes = 60 * seconds;
const writes = ["PUT", "PATCH", "POST", "DELETE"];

/** First match wins. Numbers are of recorded answers. */
export const retryRules: readonly RetryRule[] = [
  {
    because: "a referenced resource is still updating",
    statuses: [429],
    codes: ["ReferencedResourceNotProvisioned"],
    firstMs: 1 * seconds,
    mostMs: 5 * seconds,
    forMs: 10 * minutes,
  },
  {
    because: "another operation on it is in progress",
    statuses: [409, 429],
    codes: [
      "RetryableErrorDueToAnotherOperation",
      "AnotherOperationInProgress",
      "RetryableError",
      "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity",
    ],
    methods: writes,
    firstMs: 3 * seconds,
    mostMs: 15 * seconds,
    forMs: 10 * minutes,
  },
  { because: "Azure throttles requests", statuses: [429], firstMs: 2 * seconds, mostMs: 60 * seconds, forMs: 15 * minutes },
  {
    // Replication between directory regions: 424 s was the longest seen, always without principalType, which we send.
    because: "the identity is not visible everywhere in the directory yet",
    statuses: [400],
    codes: ["PrincipalNotFound"],
    firstMs: 5 * seconds,
    mostMs: 20 * seconds,
    forMs: 5 * minutes,
  },
  {
    // Azure says 10 minutes at most for a role to reach the data; it was given by the run that meets this, or by one shortly before.
    because: "the role assignment has not taken effect on the data yet",
    statuses: [403],
    codes: ["AuthorizationPermissionMismatch"],
    firstMs: 4 * seconds,
    // A minute or two is usual, and what waits for it is what the run waits for.
    mostMs: 6 * seconds,
    forMs: 10 * minutes,
  },
  {
    // Network rules of a storage account that were opened a moment ago.
    because: "the storage account does not allow access yet",
    statuses: [403],
    codes: ["AuthorizationFailure"],
    methods: ["PUT"],
    firstMs: 2 * seconds,
    mostMs: 10 * seconds,
    forMs: 2 * minutes,
  },
  {
    // The same of a vault, whose parts hear of it one after another: a list may be admitted before a write is.
    because: "the role assignment has not taken effect in the whole vault yet",
    statuses: [403],
    codes: ["ForbiddenByRbac"],
    methods: ["PUT", "POST", "PATCH"],
    firstMs: 4 * seconds,
    mostMs: 10 * seconds,
    forMs: 10 * minutes,
  },
  {
    // A region that has not yet heard of what was made a moment ago. What is truly gone is explained half a minute later.
    because: "its parent is not visible everywhere yet",
    statuses: [404],
    codes: ["ResourceGroupNotFound", "ParentResourceNotFound"],
    methods: ["PUT", "PATCH"],
    firstMs: 1 * seconds,
    mostMs: 5 * seconds,
    forMs: 30 * seconds,
  },
  {
    // Replicas of the directory that have not yet heard of an application made a moment ago.
    because: "the application is not visible everywhere in the directory yet",
    statuses: [400, 403],
    codes: ["Request_BadRequest", "Authorization_RequestDenied"],
    says: /does not reference a valid application object|backing application of the service principal/,
    methods: ["PATCH", "POST"],
    firstMs: 1 * seconds,
    mostMs: 10 * seconds,
    forMs: 2 * minutes,
  },
  {
    because: "the application is not visible everywhere in the directory yet",
    statuses: [404],
    codes: ["Request_ResourceNotFound"],
    methods: ["PATCH", "POST"],
    firstMs: 1 * seconds,
    mostMs: 10 * seconds,
    forMs: 2 * minutes,
  },
  {
    because: "it is still being deleted",
    statuses: [409],
    codes: ["ObjectIsBeingDeleted", "ObjectIsBeingRecovered"],
    firstMs: 1 * seconds,
    mostMs: 5 * seconds,
    forMs: 2 * minutes,
  },
  {
    // What held it was deleted moments ago, by us or with another resource; Azure lets go a little later.
    because: "a resource that used it is still being released",
    statuses: [400, 409],
    codes: [
      "InUseSubnetCannotBeDeleted",
      "InUseNetworkSecurityGroupCannotBeDeleted",
      "PublicIPAddressCannotBeDeleted",
      "NicInUse",
      "CannotDeleteResource",
    ],
    methods: ["DELETE"],
    firstMs: 2 * seconds,
    mostMs: 10 * seconds,
    forMs: 1 * minutes,
  },
  {
    because: "Azure had a temporary error",
    statuses: [408, 500, 502, 503, 504],
    firstMs: 1 * seconds,
    mostMs: 20 * seconds,
    forMs: 5 * minutes,
  },
];

/** No answer came at all. The write may have taken effect: every write of ours can be sent twice. */
export const lostConnection: RetryRule = {
  because: "the connection was lost",
  statuses: [],
  firstMs: 1 * seconds,
  mostMs: 10 * seconds,
  forMs: 1 * minutes,
};

/** Each try has cost the whole request timeout already, so there are few. */
export const noAnswer: RetryRule = {
  because: "the request timed out",
  statuses: [],
  firstMs: 1 * seconds,
  mostMs: 1 * seconds,
  forMs: 2 * seconds,
};

export const noAnswerCodes: ReadonlySet<string> = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT"]);

/** What a read is worth whose refusal is an answer, too: a host that is not there is told in seconds. Throttling says nothing, and is waited for as ever. */
export const briefForMs = 3 * seconds;

/** Codes of lost connections, and of names that would not resolve for a moment. A certificate that is not trusted is not among them. */
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

/** A Retry-After longer than this is not waited out: the error then says when to come back. */
export const longestRetryAfterMs = 5 * minutes;
/** A Retry-After of 0 would be a hot loop. */
export const shortestRetryAfterMs = 250;
