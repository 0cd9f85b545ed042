/** Storage accounts: a creation is accepted and takes some twenty seconds; updates take effect at once. */
import type { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { AzureState } from "../../../state/state.js";
import { checkPolicies } from "../../knob-policies.js";
import { normalLocation } from "../../locations.js";
import { operationOn } from "../../operations.js";
import { keyOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import {
  accountBody,
  accountDefaults,
  accountPatch,
  accountSku,
  endpointsOf,
  presentProperties,
  accountType,
  storageVersions,
} from "./account-body.js";
import { checkAccountCount, checkAccountName } from "./account-names.js";
import { defaultServices } from "./services.js";

export const storageAccounts = defineType<z.output<typeof accountBody>>({
  name: accountType,
  apiVersions: storageVersions,
  versionDifferences: [
    { member: "allowBlobPublicAccess", since: "2019-06-01" },
    { member: "minimumTlsVersion", since: "2019-06-01" },
    { member: "networkAcls.ipv6Rules", since: "2023-01-01" },
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
  busyStates: { creating: "ResolvingDNS", updating: "Succeeded" },
  emptyTags: true,
  synchronousPutLatency: ({ existing }) => (existing === undefined ? undefined : "storage.update"),
  checkPut({ state, id, name, body }) {
    checkAccountName(state, id, name);
    checkAccountCount(state, id, normalLocation(body.location));
    if (operationOn(state, id) === undefined) return;
    throw new ApiError(
      409,
      "StorageAccountOperationInProgress",
      "An operation is currently performing on this storage account that requires exclusive access.",
    );
  },
  storedProperties({ state, id, name, body, existing }) {
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
      privateEndpointConnections: [],
      primaryEndpoints: endpointsOf(name, body.kind),
    };
  },
  storedMembers: ({ kind }) => ({ kind }),
  presentedProperties: (_state, account) => presentProperties(account),
  patch: {
    properties: accountPatch,
    sku: accountSku,
    apply: ({ state }, { id }, sent) => underPolicies(state, id, sent),
  },
});

/** The properties as written. @throws ApiError 403 RequestDisallowedByPolicy */
function underPolicies(state: AzureState, id: string, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...properties, ...(checkPolicies(state, id, accountType, properties) === "modify" && { allowBlobPublicAccess: false }) };
}
