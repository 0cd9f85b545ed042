/** User-assigned managed identities: each has a principal in the directory as long as the resource exists. */
import { z } from "zod";
import { versionsOf } from "../../api-versions.js";
import { ApiError } from "../../../core/service.js";
import { defineType } from "../../resource-type.js";
import { known, oneOf } from "../../body-schema.js";
import { checkWriteRate } from "./identity-rate.js";

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
  locationOfNew: true,
  namePattern: /^[a-zA-Z0-9][\w-]{2,127}$/,
  nameRule: "It must have 3 to 128 letters, digits, '_' or '-', and begin with a letter or digit.",
  body,
  latency: { put: "identity.put", delete: "identity.delete", inGroup: "identity" },
  check({ call, id, body: { properties }, existing }) {
    checkWriteRate(call, identityType, id);
    if (existing !== undefined && properties?.isolationScope === "None" && existing.properties["isolationScope"] === "Regional") {
      throw new ApiError(400, "BadRequest", "The isolation scope of a user assigned identity cannot be widened.");
    }
  },
  // A second PUT keeps the same principal.
  store: ({ call, state, body: { properties }, existing }) => ({
    tenantId: state.tenantId,
    principalId: existing?.properties["principalId"] ?? call.uuid(),
    clientId: existing?.properties["clientId"] ?? call.uuid(),
    ...properties,
  }),
  present: (_state, { properties: { tenantId, principalId, clientId, isolationScope } }) => ({
    tenantId,
    principalId,
    clientId,
    ...(isolationScope === undefined ? {} : { isolationScope }),
  }),
});
