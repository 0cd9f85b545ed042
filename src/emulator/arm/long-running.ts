/** How the writes and deletes of a type continue after their first answer. */

/** How a type's write or delete continues after its first answer. If absent, the call is synchronous. */
export interface LongRunning {
  /** Azure's name for it in errors about other operations: "PutVirtualNetworkOperation". */
  readonly operation: string;
  /**
   * The first answer of a PUT: the resource with 201 or 200, or 202, as from private DNS. A DELETE is always 202 without a body.
   */
  readonly answers: "resource" | "accepted";
  /** The body of a 202 to a PUT, by the request's api-version; if absent, none. */
  acceptedBody?(apiVersion: string): Record<string, never> | undefined;
  /** The poll URLs in the first answer. */
  readonly headers: readonly ("azure-asyncoperation" | "location")[];
  /** Seconds in the first answer's Retry-After; absent if Azure sends none. */
  readonly retryAfter?: number;
  /** Seconds in the Retry-After of the polls, in turn; the last one repeats. Those of the network grow. */
  readonly pollRetryAfter: readonly number[];
  /** The URL segments of this provider's operations. */
  readonly at: OperationPlace;
  /** What polls answer as `error` beside the status, although the operation goes on and succeeds. */
  readonly pollError?: { readonly code: string; readonly message: string };
}

/**
 * Where operations live: `location` is `/subscriptions/{s}/providers/{ns}/locations/{l}/{status|result}/{guid}`, `group` is
 * `/subscriptions/{s}/resourceGroups/{g}/providers/{ns}/{status|result}/{base64}`, `subscription` is `/subscriptions/{s}/{status|result}/{token}`,
 * `resource` is `{id}/{status}/{guid}`.
 */
export interface OperationPlace {
  readonly under: "location" | "group" | "subscription" | "resource";
  /** Segment of `Azure-AsyncOperation` URLs: "operations". */
  readonly status: string;
  /** Segment of `Location` URLs: "operationResults". */
  readonly result: string;
  /** Status of a poll of `Azure-AsyncOperation` while it runs: 200, and 202 for private DNS. */
  readonly runningStatus: 200 | 202;
  /** The api-version in the operation's URLs; if absent, the request's. */
  readonly apiVersion?: string;
  /** Status of a poll of `Location` after a DELETE ended; if absent, 200. */
  readonly deletedStatus?: 200 | 204;
  /** That poll answers the operation's start, end and status; if absent, nothing. */
  readonly reportsDeletion?: true;
  /** A poll answers the operation's name, start and end beside its status. */
  readonly timed?: true;
  /** A poll answers the operation's ID and name beside its status. */
  readonly identified?: true;
  /** The first answer has `azure-asyncnotification`, as Microsoft.Network's alone. */
  readonly notification?: true;
}
