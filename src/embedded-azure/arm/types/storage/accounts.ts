/** Storage accounts: accepted first and there some twenty seconds later, changed at once. */
import type { z } from "zod";
import { ApiError } from "../../../service.js";
import { operationOn } from "../../operations.js";
import { keyOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { accountBody, accountDefaults, accountPatch, completed } from "./account-body.js";
import { defaultBlobService } from "./containers.js";
import { checkAccountName } from "./names.js";
import { underPolicy } from "./public-blob-policy.js";
import { accountType, storageVersions } from "./versions.js";

export const storageAccounts = defineType<z.output<typeof accountBody>>({
  name: accountType,
  apiVersions: storageVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  // Names are checked by the provider itself, in its own words.
  namePattern: /./,
  nameRule: "",
  body: accountBody,
  latency: { put: "storage.put", delete: "storage.delete", inGroup: "storageAccount" },
  put: {
    operation: "PutStorageAccount",
    answers: "accepted",
    headers: ["location"],
    retryAfter: 17,
    pollRetryAfter: [17],
    at: { under: "location", status: "asyncoperations", result: "asyncoperations", runningStatus: 202 },
  },
  busy: { creating: "Creating", updating: "Succeeded" },
  atOnce: ({ existing }) => (existing === undefined ? undefined : "storage.update"),
  check({ world, id, name }) {
    checkAccountName(world, id, name);
    if (operationOn(world, id) === undefined) return;
    throw new ApiError(
      409,
      "StorageAccountOperationInProgress",
      "An operation is currently performing on this storage account that requires exclusive access.",
    );
  },
  store({ call, world, id, name, body, existing }) {
    const location = body.location;
    world.resources[keyOf(`${id}/blobServices/default`)] ??= defaultBlobService(id);
    const createdAt = new Date(existing?.createdAt ?? call.now).toISOString();
    // A PUT of what is there changes what it names, and lets the rest be.
    const sent = underPolicy(world, id, body.properties ?? {});
    return {
      keyCreationTime: { key1: createdAt, key2: createdAt },
      ...completed({ ...accountDefaults, ...existing?.properties, ...sent }, createdAt),
      creationTime: createdAt,
      primaryLocation: location.toLowerCase().replaceAll(" ", ""),
      statusOfPrimary: "available",
      privateEndpointConnections: [],
      primaryEndpoints: {
        ...Object.fromEntries(["blob", "dfs", "file", "queue", "table"].map((each) => [each, `https://${name}.${each}.core.windows.net/`])),
        web: `https://${name}.z13.web.core.windows.net/`,
      },
    };
  },
  storeBeside: ({ kind }) => ({ kind }),
  patch: {
    properties: accountPatch,
    apply: ({ world }, { id, properties }, sent) => {
      const createdAt = String(properties["creationTime"]);
      return completed({ ...properties, ...underPolicy(world, id, sent) }, createdAt);
    },
  },
});
