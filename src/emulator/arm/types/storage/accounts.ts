/** Storage accounts: a creation is accepted and takes some twenty seconds; updates take effect at once. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { checkPolicies } from "../../knob-policies.js";
import { normalLocation } from "../../locations.js";
import { identityBody, missingIdentity, storedIdentity, type IdentityBody } from "../../assigned-identities.js";
import { isRecord, known } from "../../body-schema.js";
import { operationOn } from "../../operations.js";
import { keyOf } from "../../resource-id.js";
import { childrenOf } from "../../uses.js";
import { type ArmCall, defineType } from "../../resource-type.js";
import {
  accountBody,
  accountDefaults,
  accountKind,
  accountPatch,
  accountSku,
  presentProperties,
  accountType,
  storageVersions,
} from "./account-body.js";
import { keyCreationTimes } from "./account-keys.js";
import { checkAccountCount, checkAccountName } from "./account-names.js";
import { defaultServices } from "./services.js";

export const storageAccounts = defineType<z.output<typeof accountBody>>({
  name: accountType,
  apiVersions: storageVersions,
  undescribedMembers: ["allowCrossTenantDelegationSas"],
  versionDifferences: [
    { member: "allowBlobPublicAccess", since: "2019-06-01" },
    { member: "minimumTlsVersion", since: "2019-06-01" },
    { member: "networkAcls.ipv6Rules", since: "2023-01-01" },
    { member: "allowCrossTenantDelegationSas", since: "2025-06-01" },
    { member: "allowBlobPublicAccess", default: true, before: "2024-01-01" },
    { member: "allowBlobPublicAccess", default: false, since: "2024-01-01" },
  ],
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  // The provider checks names itself, in its own words.
  namePattern: /./,
  nameRule: "",
  body: accountBody,
  latency: { put: "storage.put", patch: "storage.update", delete: "storage.delete", inGroup: "storageAccount" },
  put: {
    operation: "PutStorageAccount",
    answers: "accepted",
    headers: ["location"],
    retryAfter: 17,
    pollRetryAfter: [17],
    at: { under: "location", status: "asyncoperations", result: "asyncoperations", runningStatus: 202 },
  },
  busyStates: { creating: "ResolvingDns", updating: "Succeeded" },
  emptyTags: true,
  synchronousPutLatency: ({ existing }) => (existing === undefined ? undefined : "storage.update"),
  checkPut({ state, id, name, body }) {
    checkAccountName(state, id, name);
    checkAccountCount(state, id, normalLocation(body.location));
    checkIdentity(state, id, body.identity);
    if (operationOn(state, id) === undefined) return;
    throw new ApiError(
      409,
      "StorageAccountOperationInProgress",
      "An operation is currently performing on this storage account that requires exclusive access.",
    );
  },
  storedProperties({ state, id, body, existing }) {
    for (const service of defaultServices(id)) state.resources[keyOf(service.id)] ??= service;
    return {
      // A PUT of an existing account changes what it names and keeps the rest.
      ...accountDefaults,
      // Access tiers came after the oldest kind of account.
      ...(body.kind !== "Storage" && { accessTier: "Hot" }),
      ...existing?.properties,
      ...underPolicies(state, id, body.properties ?? {}),
      primaryLocation: normalLocation(body.location),
      statusOfPrimary: "available",
      ...(body.extendedLocation !== undefined && { primaryExtendedLocation: body.extendedLocation }),
    };
  },
  storedMembers: ({ kind, identity, extendedLocation, zones }, { call, existing }) => ({
    ...existing?.beside,
    kind,
    ...(extendedLocation !== undefined && { extendedLocation }),
    ...(zones !== undefined && { zones }),
    ...(identity !== undefined && { identity: storedIdentity(call, identity, existing?.beside?.["identity"]) }),
  }),
  presentedProperties: (state, account, answered) => ({
    ...withoutRegenerated(presentProperties(account)),
    keyCreationTime: keyCreationTimes(account),
    privateEndpointConnections: childrenOf(state, account.id, "privateEndpointConnections").map((one) => answered(one)),
  }),
  patch: {
    properties: accountPatch,
    sku: accountSku,
    beside: known({ kind: accountKind.optional(), identity: identityBody.optional(), zones: z.array(z.string()).optional() }),
    storedBeside: storedOfPatch,
    apply: ({ state }, { id, properties }, sent) => underPolicies(state, id, { ...sent, ...routesAfter(properties, sent) }),
  },
});

/** When keys were made again is answered as the time of their creation. */
function withoutRegenerated({ regeneratedKeys: _answeredAsTimes, ...properties }: Readonly<Record<string, unknown>>): object {
  return properties;
}

/** A PATCH keeps what it does not name of the routes. */
function routesAfter(
  { routingPreference: before }: Readonly<Record<string, unknown>>,
  { routingPreference: sent }: Readonly<Record<string, unknown>>,
): object {
  return isRecord(sent) && isRecord(before) ? { routingPreference: { ...before, ...sent } } : {};
}

/** The properties as written. @throws ApiError 403 RequestDisallowedByPolicy */
function underPolicies(state: AzureState, id: string, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...properties, ...(checkPolicies(state, id, accountType, properties) === "modify" && { allowBlobPublicAccess: false }) };
}

function storedOfPatch(call: ArmCall, { id, beside }: StoredResource, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { identity, ...others } = sent as { readonly identity?: IdentityBody };
  checkIdentity(call.state, id, identity);
  return { ...others, ...(identity !== undefined && { identity: storedIdentity(call, identity, beside?.["identity"]) }) };
}

/** @throws ApiError 400 FailedIdentityOperation */
function checkIdentity(state: AzureState, id: string, identity: IdentityBody | undefined): void {
  const missing = identity && missingIdentity(state, identity);
  if (missing === undefined) return;
  const response = {
    error: { code: "BadRequest", message: `Resource '${missing.replace("/resourceGroups/", "/resourcegroups/")}' was not found.` },
  };
  throw new ApiError(
    400,
    "FailedIdentityOperation",
    `Identity operation for resource '${id}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: '${JSON.stringify(response)}'.'.`,
  );
}
