/** The declaration of an emulated resource type: one record for the generic PUT, PATCH, GET, DELETE and list. */
import type { z } from "zod";
import type { Answer, ApiError, Call } from "../core/service.js";
import type { StoredResource, AzureState } from "../state/state.js";
import type { LongRunning } from "./long-running.js";
import type { VersionDifference } from "./version-difference.js";

/** What a PUT may carry in addition to `properties`; each type's schema says which of these it allows. */
export interface ResourceBody {
  readonly location?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly sku?: Readonly<Record<string, unknown>> | undefined;
  readonly properties?: unknown;
}

/** What a type's own rules see of a PUT. The body has passed the schema, group and parent exist, and the caller may write. */
export interface Put<Body> {
  readonly call: ArmCall;
  readonly state: AzureState;
  /** Canonical ID of the new resource: the spelling of the group and the parent, the casing of the type. */
  readonly id: string;
  readonly name: string;
  readonly body: Body;
  /** The existing resource; undefined for a creation. */
  readonly existing: StoredResource | undefined;
}

export interface Patch {
  readonly properties: z.ZodType<Record<string, unknown>>;
  /** Absent if the SKU cannot be patched. */
  readonly sku?: z.ZodType<Record<string, unknown>>;
  /** The schema of other top-level members, except for `tags`. It returns what is stored. */
  readonly beside?: z.ZodType<Readonly<Record<string, unknown>>>;
  /** What is stored of them, if that depends on the resource: the principal of an identity. */
  storedBeside?(call: ArmCall, resource: StoredResource, sent: Readonly<Record<string, unknown>>): Record<string, unknown>;
  apply(call: ArmCall, resource: StoredResource, sent: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** A right on another resource that a reference in a body requires: `Microsoft.Network/virtualNetworks/subnets/join/action`. */
export interface LinkedRight {
  readonly id: string;
  readonly action: string;
}

export interface TypeRegistry {
  readonly all: readonly ResourceType[];
  /** Undefined for a type that is not emulated. */
  named(name: string): ResourceType | undefined;
  /** A resource that was seeded with an unknown type can be read, tagged and deleted. */
  of(resource: StoredResource): ResourceType;
}

/** A call to Resource Manager, with the types that it knows: passed in, so that the machinery and the types need not import each other. */
export interface ArmCall extends Call {
  readonly types: TypeRegistry;
}

/** What the end of an operation can use: it may come with any request, or with none. */
export type Moment = Pick<ArmCall, "state" | "now" | "uuid" | "types">;

/** What a type is called and how its IDs are spelled. */
interface TypeNames {
  /** "Microsoft.Network/virtualNetworks/subnets", in Azure's own casing. */
  readonly name: string;
  /** The spelling in answers, if another. */
  readonly answeredName?: string;
  /** The name of its only resource in answers, if that is not the name in its ID. */
  readonly nameInAnswers?: string;
  /** Tracked resources have a location and tags, and appear in generic lists; proxy resources belong to their parent. */
  readonly kind: "tracked" | "proxy";
  /** The whole name; one that does not match is refused with `InvalidResourceName`. */
  readonly namePattern: RegExp;
  /** The rule in words, for the refusal. */
  readonly nameRule: string;
  /** Answers its IDs with "/resourcegroups/" in lower case, as Microsoft.ManagedIdentity does. */
  readonly lowerCaseGroup?: true;
  /** Answers the names of the group and of the resource and its parents in lower case, however they were sent. */
  readonly lowerCaseNames?: true;
  /** The only location a global type accepts ("global"); absent for regional and proxy types. */
  readonly onlyLocation?: string;
}

/** Which members and parts a type has, by api-version. */
interface TypeVersions {
  /** Newest first: a range of Azure's released versions, see api-versions.ts. */
  readonly apiVersions: readonly string[];
  readonly versionDifferences?: readonly VersionDifference[];
  /** Members that Azure answers although its published description does not have them. */
  readonly undescribedMembers?: readonly string[];
  /**
   * The lists in `properties` whose entries have a path of their own, and whether it can be written. A write of such a part is a write of
   * its resource.
   */
  readonly partLists?: Readonly<Record<string, "read" | "write">>;
}

/** When the writes and deletes of a type end, and what they exclude meanwhile. */
interface TypeTiming<Body> {
  /**
   * Keys of the latency profile. `update` is for a PUT of an existing resource, if that takes another time. `inGroup` is what the
   * deletion of its group takes longer: `vnet` for `resourceGroup.delete.add.vnet`. Kinds are deleted in parallel, but not before
   * those of `inGroupAfter`.
   */
  readonly latency: {
    readonly put: string;
    readonly update?: string;
    /** For a PUT that has ended when it is answered. */
    readonly ended?: string;
    /** For a PATCH that takes longer than a read. */
    readonly patch?: string;
    readonly delete: string;
    readonly inGroup?: string;
    readonly inGroupAfter?: string;
  };
  /** Absent for a synchronous PUT. */
  readonly put?: LongRunning;
  /** Absent for a synchronous DELETE. */
  readonly delete?: LongRunning;
  /** `provisioningState` during a create or an update, if the type has that property. */
  readonly busyStates?: { readonly creating: string; readonly updating: string };
  /** That of an update that has a state of its own: the upgrade of a pool. */
  stateOfUpdate?(put: Put<Body>): string | undefined;
  /**
   * The answer to a second write while one holds the same lock: `exclusive` is 429 RetryableErrorDueToAnotherOperation,
   * `supersede` cancels the first one; if absent, both succeed.
   */
  readonly lock?: { readonly on: "self" | "parent"; readonly second: "exclusive" | "supersede" };
  /** The latency key of a PUT that ends with its first answer, although others of the type are long-running: an update of a vault. */
  synchronousPutLatency?(put: Put<Body>): string | undefined;
  /**
   * Whether the operation of a PUT has ended when it is answered: `Succeeded`, the operation's URL, no `Retry-After`. `unchanged`: the
   * write left everything but the tags as it was.
   */
  hasPutEnded?(put: Put<Body>, unchanged: boolean): boolean;
  /** Whether the operation of a DELETE that takes so long has ended when it is answered: 200, the operation's URLs, no `Retry-After`. */
  hasDeleteEnded?(call: ArmCall, seconds: number): boolean;
  /** How long a PUT takes, if that depends on others; if absent or undefined: the latency profile. */
  putSeconds?(put: Put<Body>): number | undefined;
  /** Samples how long a DELETE takes, if that depends on content. If absent: `latency.delete`. */
  deleteSeconds?(call: ArmCall, resource: StoredResource): number;
  /** Refuses other writes and deletes for the seconds that this synchronous one lasts. @throws ApiError if another still lasts. */
  holdFor?(call: ArmCall, id: string, seconds: number): void;
}

/** What a type checks and stores at a write. */
interface TypeWrites<Body> {
  readonly body?: z.ZodType<Body>;
  /** What PATCH may change in addition to tags. */
  readonly patch?: Patch;
  /** PATCH takes any part of a PUT's body, and is checked, applied and answered like a PUT of the whole. */
  readonly patchLikePut?: true;
  /** Rights on what the body refers to; a missing one makes the PUT 403 LinkedAuthorizationFailed. */
  linkedRights?(body: Body): LinkedRight[];
  /** @throws ApiError if a rule of the provider is broken: CIDRs, references that are missing or busy, quota. */
  checkPut?(put: Put<Body>): void;
  /**
   * Like `checkPut`, for providers that answer 202 first and report a broken rule through the operation (private DNS):
   * a thrown `ApiError` becomes the `Failed` operation's error.
   */
  checkPutInOperation?(put: Put<Body>): void;
  /**
   * The error with which the operation of a PUT will end, although its body is written: a right that the resource itself lacks. It then
   * stays `Failed` until another PUT.
   */
  putFailure?(put: Put<Body>): OperationError | undefined;
  /** Answers a PUT that does not write its body: the recovery of a deleted vault. */
  answerInstead?(put: Put<Body>): Answer | undefined;
  /**
   * The `properties` to store, with the provider's defaults and read-only values, without `provisioningState`.
   * Children that have a PUT of their own are stored by this function under their own IDs.
   */
  storedProperties?(put: Put<Body>): Record<string, unknown>;
  /** The top-level members to store in addition to the usual ones: zones, kind, identity. */
  storedMembers?(body: Body, put: Put<Body>): Record<string, unknown>;
  /** Runs after a proxy resource was written or removed, to update what its parent stores of it. */
  afterChange?(moment: Moment, id: string): void;
  /** @throws ApiError if the resource is in use or has nested resources: InUseSubnetCannotBeDeleted. Locks are checked elsewhere. */
  checkDelete?(state: AzureState, resource: StoredResource): void;
  /** Removes it when its delete ends. Returns the error of a failed delete. If absent: removes it, its children and their assignments. */
  removeAtEnd?(moment: Moment, resource: StoredResource): OperationError | undefined;
}

/** The form of a type's answers and refusals. */
interface TypeAnswers<Body> {
  /** `weak` is `W/"guid"` (network), `plain` a bare GUID (DNS), `quoted` one in quotes (storage). */
  readonly etag?: "weak" | "plain" | "quoted";
  /** Answers its etag as `eTag`: in its properties, or beside them when its creation has ended. */
  readonly etagMember?: "eTag" | "properties.eTag";
  /** Status of the answer to a creation: 201, and 200 for vaults. */
  readonly createdStatus?: 200;
  /** Status of the answer to an update: 200, and 201 for the bindings of trusted access. */
  readonly updatedStatus?: 201;
  /** Status of the answer to a synchronous deletion: 200, and 204 for queues and tables. */
  readonly deletedStatus?: 204;
  /** Answers `tags: {}` for a resource without tags; other types answer no `tags`. */
  readonly emptyTags?: true;
  readonly skuOfParent?: true;
  /** Answers `systemData`: who wrote the resource first and last. */
  readonly systemData?: true;
  /** Answers no `type`. */
  readonly withoutType?: true;
  /** Its lists link from their last entries to a page without any, as Key Vault's do. */
  readonly emptyLastPage?: true;
  /** The answer to a creation names the resource itself in `Location`, which is no operation. Azure sends the path without a host. */
  readonly locationOfCreated?: true;
  answerHeaders?(apiVersion: string): Readonly<Record<string, string>>;
  /** The refusal of a GET or PATCH of a missing resource; if absent or undefined, ARM's own `ResourceNotFound`. `id` is canonical. */
  missingRefusal?(id: string, call: ArmCall): ApiError | undefined;
  /**
   * ARM's words for a missing parent: the resource and its parent's ID, or, for a few older types, the parent's name alone. Reads and deletes
   * of the parts of some types, or of their children, miss the parent `as itself`.
   */
  readonly missingParent?: "by name" | "as itself";
  /** The provider's refusal of a write whose condition is not met; if absent or undefined, ARM's. `id` is canonical. */
  conditionRefusal?(call: ArmCall, id: string, condition: "If-Match" | "If-None-Match"): ApiError | undefined;
  /** The stored `properties` with children and back-references; if absent, as stored. `answered` is the answer to a GET of a child. */
  presentedProperties?(
    state: AzureState,
    resource: StoredResource,
    answered: (child: StoredResource) => Record<string, unknown>,
    clock: Pick<ArmCall, "now" | "milliseconds">,
  ): Record<string, unknown>;
  /** The answer to a PUT, made from that to a GET, if they differ: the PUT of a container answers no properties. */
  presentedByPut?(put: Put<Body>, presented: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** The answer to a PATCH, made from that to a GET, if they differ: that of a share answers what was sent. */
  presentedByPatch?(sent: unknown, presented: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** An entry of a list, made from the answer to a GET, if they differ: that of a container. */
  presentedInList?(presented: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** The entries of its lists that a query asks for, in the order of the provider; if absent, all, in the order of their creation. */
  selectListed?(query: URLSearchParams, found: readonly StoredResource[]): readonly StoredResource[];
}

export interface ResourceType<Body extends ResourceBody = ResourceBody>
  extends TypeNames, TypeVersions, TypeTiming<Body>, TypeWrites<Body>, TypeAnswers<Body> {
  /** `read` is GET, HEAD and list; `tags` is PATCH, of tags and what `patch` allows. A type with neither schema nor `write` can only be seeded. */
  readonly verbs: readonly ("read" | "write" | "tags" | "delete")[];
}

export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown[];
}

/** Declares a type and hides its body type, after the compiler has checked the rules against it. */
export function defineType<Body extends ResourceBody>(type: ResourceType<Body>): ResourceType {
  return type;
}
