/** The declaration of an emulated resource type: one record says everything the generic PUT, PATCH, GET, DELETE and list need to know. */
import type { z } from "zod";
import type { Answer, Call } from "../service.js";
import type { StoredResource, AzureState } from "../state/state.js";

/** What a PUT may carry beside `properties`; each type's schema says which of these it allows. */
export interface ResourceBody {
  readonly location?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly sku?: Readonly<Record<string, unknown>> | undefined;
  readonly properties?: unknown;
}

/** How a type's write or delete runs on when its first answer is out. Absent from a declaration: the call is synchronous. */
export interface LongRunning {
  /** As Azure calls it in errors about other operations: "PutVirtualNetworkOperation". */
  readonly operation: string;
  /**
   * The first answer of a PUT: the resource itself with 201 or 200, or 202 without a body (private DNS; recordings have `{}` there,
   * Azure's published description has nothing).
   * A DELETE is always 202 without a body.
   */
  readonly answers: "resource" | "accepted";
  /** Which poll URLs the first answer carries. */
  readonly headers: readonly ("azure-asyncoperation" | "location")[];
  /** Seconds in the first answer's Retry-After; absent where Azure sends none. */
  readonly retryAfter?: number;
  /** Seconds in the Retry-After of the polls, in turn; the last one repeats. Network's grow. */
  readonly pollRetryAfter: readonly number[];
  /** The segments under which this provider keeps its operations. */
  readonly at: OperationPlace;
}

/**
 * Where operations live: `location` is `/subscriptions/{s}/providers/{ns}/locations/{l}/{status|result}/{guid}`, `group` is
 * `/subscriptions/{s}/resourceGroups/{g}/providers/{ns}/{status|result}/{base64}`, `subscription` is `/subscriptions/{s}/{status|result}/{token}`.
 */
export interface OperationPlace {
  readonly under: "location" | "group" | "subscription";
  /** Segment of `Azure-AsyncOperation` URLs: "operations". */
  readonly status: string;
  /** Segment of `Location` URLs: "operationResults". */
  readonly result: string;
  /** Status of a poll of `Azure-AsyncOperation` while it runs: 200, and 202 for private DNS. */
  readonly runningStatus: 200 | 202;
  /** api-version in the operation's URLs; the request's own where absent. */
  readonly apiVersion?: string;
  /** Status of a poll of `Location` once a DELETE ended: 200 where absent. */
  readonly deletedStatus?: 200 | 204;
}

/** What a type's own rules see of a PUT: the body passed the schema, the group and the parent exist, the caller may write. */
export interface Put<Body> {
  readonly call: Call;
  readonly state: AzureState;
  /** Canonical id of the resource to be: the group's and the parent's own spelling, the type's own casing. */
  readonly id: string;
  readonly name: string;
  readonly body: Body;
  /** What is there now; undefined for a creation. */
  readonly existing: StoredResource | undefined;
}

export interface Patch {
  readonly properties: z.ZodType<Record<string, unknown>>;
  apply(call: Call, resource: StoredResource, sent: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** A right on another resource that a reference in a body asks for: `Microsoft.Network/virtualNetworks/subnets/join/action`. */
export interface LinkedRight {
  readonly id: string;
  readonly action: string;
}

/** What the end of an operation has at hand: it may come with any request, or with none. */
export type Moment = Pick<Call, "state" | "now" | "uuid">;

export interface ResourceType<Body extends ResourceBody = ResourceBody> {
  /** "Microsoft.Network/virtualNetworks/subnets", in Azure's own casing. */
  readonly name: string;
  readonly apiVersions: readonly string[];
  /** `read` is GET, HEAD and list; `tags` is PATCH of tags. A type with neither schema nor `write` can only be seeded. */
  readonly verbs: readonly ("read" | "write" | "tags" | "delete")[];
  /** Tracked resources have a location and tags, and appear in generic lists; proxy resources belong to their parent. */
  readonly kind: "tracked" | "proxy";
  /** Answers its ids with "/resourcegroups/" in lower case, as Microsoft.ManagedIdentity does. */
  readonly lowerCaseGroup?: true;
  /** The only location a global type accepts ("global"); absent for regional and proxy types. */
  readonly onlyLocation?: string;
  /** The whole name; a name that does not match is refused with `InvalidResourceName`. */
  readonly namePattern: RegExp;
  /** Says the rule in words, for the refusal. */
  readonly nameRule: string;
  /** Strict schema of the PUT body. */
  readonly body?: z.ZodType<Body>;
  /** `weak` is W/"guid" (network), `plain` a bare guid (DNS), `quoted` one in quotes (storage). */
  readonly etag?: "weak" | "plain" | "quoted";
  /**
   * Keys of the latency profile; `update` is that of a PUT on what is there, where it takes another time; `inGroup` names what it adds to the
   * deletion of its group: "vnet" for `resourceGroup.delete.add.vnet`.
   */
  readonly latency: { readonly put: string; readonly update?: string; readonly delete: string; readonly inGroup?: string };
  readonly put?: LongRunning;
  readonly delete?: LongRunning;
  /** `provisioningState` while a create or an update runs, where the type has that property. */
  readonly busy?: { readonly creating: string; readonly updating: string };
  /**
   * What a second write meets while one runs on the same lock: `exclusive` is 429 RetryableErrorDueToAnotherOperation,
   * `supersede` cancels the first one, absent is free.
   */
  readonly lock?: { readonly on: "self" | "parent"; readonly second: "exclusive" | "supersede" };
  /** Status of the answer to a creation: 201, and 200 for vaults. */
  readonly createdStatus?: 200;
  /** Headers of every answer about the type, by the request's api-version. */
  headers?(apiVersion: string): Readonly<Record<string, string>>;
  /** Codes and shape of "there is no such resource": most providers say ResourceNotFound, network children and some others NotFound. */
  readonly missing?: "NotFound" | "ContainerNotFound";
  /** Throws `ApiError` where a rule of the provider is broken: CIDRs, references that are missing or busy, quota. */
  check?(put: Put<Body>): void;
  /**
   * Like `check`, for providers that answer 202 first and tell a broken rule only through the operation (private DNS):
   * a thrown `ApiError` becomes the `Failed` operation's error.
   */
  checkLater?(put: Put<Body>): void;
  /** Answers a PUT that is no write of its body: the recovery of a deleted vault. */
  instead?(put: Put<Body>): Answer | undefined;
  /** The latency key of a PUT that ends with its first answer, though others of the type run on: an update of a vault. */
  atOnce?(put: Put<Body>): string | undefined;
  /**
   * Told how many seconds a synchronous write or delete will last, to note it for those that come meanwhile. Throws `ApiError` where another
   * still lasts.
   */
  lasts?(call: Call, id: string, seconds: number): void;
  /** What PATCH may change beside tags: the shape of its `properties`, and the properties that come of it. */
  readonly patch?: Patch;
  /** Rights on what the body refers to; without one the PUT is 403 LinkedAuthorizationFailed. */
  links?(body: Body): LinkedRight[];
  /**
   * The `properties` to store, with the provider's defaults and read-only values filled in, `provisioningState` left out.
   * Children that have a PUT of their own are stored by this function under their own ids.
   */
  store?(put: Put<Body>): Record<string, unknown>;
  /** The top-level members to store beside the usual ones: zones, kind, identity. */
  storeBeside?(body: Body, put: Put<Body>): Record<string, unknown>;
  /** The `properties` as answered: stored ones, children and back-references woven in. The stored ones as they are where absent. */
  present?(state: AzureState, resource: StoredResource): Record<string, unknown>;
  /** Runs after a proxy resource was written or removed, for what its parent keeps of it. */
  changed?(moment: Moment, id: string): void;
  /** Throws `ApiError` where the resource is in use or holds nested resources: InUseSubnetCannotBeDeleted. Locks are checked elsewhere. */
  deletable?(state: AzureState, resource: StoredResource): void;
  /** Removes it when its delete ends. Returns the error of a failed delete. Absent: it, what is below it and their role assignments go. */
  remove?(moment: Moment, resource: StoredResource): OperationError | undefined;
  /** Draws how long a DELETE takes, in seconds, where that depends on content. Absent: `latency.delete`. */
  deleteTakes?(call: Call, resource: StoredResource): number;
}

export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown[];
}

/** Declares a type, its body type hidden once the compiler has checked the rules against it. */
export function defineType<Body extends ResourceBody>(type: ResourceType<Body>): ResourceType {
  return type;
}
