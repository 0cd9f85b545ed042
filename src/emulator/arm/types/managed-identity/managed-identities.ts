/** User-assigned managed identities: each has a principal in the directory as long as the resource exists. */
import { z } from "zod";
import { versionsOf } from "../../api-versions.js";
import { ApiError } from "../../../core/service.js";
import { defineType, type ArmCall } from "../../resource-type.js";
import { known, oneOf } from "../../body-schema.js";
import { indexOf } from "../../../state/index-of.js";
import type { StoredResource } from "../../../state/state.js";
import { keyOf, segmentsOf } from "../../resource-id.js";

export const identityVersions = versionsOf("Microsoft.ManagedIdentity", {
  from: "2018-11-30",
  preview: ["2015-08-31-preview", "2021-09-30-preview", "2022-01-31-preview", "2025-01-31-preview"],
});

const body = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    properties: known({ isolationScope: oneOf("None", "Regional").optional() }, ["tenantId", "principalId", "clientId"]).optional(),
  },
  ["id", "name", "type", "systemData"],
);

const identityType = "Microsoft.ManagedIdentity/userAssignedIdentities";

export const userAssignedIdentities = defineType<z.output<typeof body>>({
  name: identityType,
  apiVersions: identityVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  lowerCaseGroup: true,
  emptyTags: true,
  locationOfCreated: true,
  namePattern: /^[a-zA-Z0-9][\w-]{2,127}$/,
  nameRule: "It must have 3 to 128 letters, digits, '_' or '-', and begin with a letter or digit.",
  body,
  latency: { put: "identity.put", delete: "identity.delete", inGroup: "identity" },
  checkPut({ call, id, body: { properties }, existing }) {
    checkWriteRate(call, identityType, id);
    if (existing !== undefined && properties?.isolationScope === "None" && existing.properties["isolationScope"] === "Regional") {
      throw new ApiError(400, "BadRequest", "The isolation scope of a user assigned identity cannot be widened.");
    }
  },
  // A second PUT keeps the same principal.
  storedProperties: ({ call, state, body: { properties }, existing }) => ({
    tenantId: state.tenantId,
    principalId: existing?.properties["principalId"] ?? call.uuid(),
    clientId: existing?.properties["clientId"] ?? call.uuid(),
    ...properties,
  }),
  presentedProperties: (_state, { properties: { tenantId, principalId, clientId, isolationScope } }) => ({
    tenantId,
    principalId,
    clientId,
    ...(isolationScope === undefined ? {} : { isolationScope }),
  }),
});

/** The write rate that Microsoft.ManagedIdentity grants a subscription: two a second for each type. */
const writesASecond = 2;
const retryAfter = 2;

const secondOf = (time: number): number => Math.floor(time / 1000);

const writesBySecond = indexOf<StoredResource>(({ type, changedAt }, id) =>
  changedAt !== undefined && keyOf(type).startsWith("microsoft.managedidentity/")
    ? [keyOf(`${segmentsOf(id)[1] ?? ""} ${type} ${String(secondOf(changedAt))}`)]
    : [],
);

/** Uses the emulator's clock: without latency no time passes, and no rate exists. @throws ApiError 429, with the code "429" */
export function checkWriteRate({ state, now, milliseconds, sample }: ArmCall, type: string, id: string): void {
  if (sample("read") === 0) return;
  const subscriptionId = segmentsOf(id)[1] ?? "";
  const since = now - milliseconds(1);
  const seconds = Array.from({ length: secondOf(now) - secondOf(since) + 1 }, (_, index) => secondOf(since) + index);
  const recent = seconds
    .flatMap((second) => writesBySecond.find(state.resources, keyOf(`${subscriptionId} ${type} ${String(second)}`)))
    .filter(({ changedAt = 0 }) => changedAt > since);
  if (recent.length < writesASecond) return;
  throw new ApiError(
    429,
    "429",
    `Request is temporarily throttled because subscription ${subscriptionId} has issued too many requests. Retry after ${String(retryAfter)} seconds.`,
    { headers: { "Retry-After": String(retryAfter) } },
  );
}
