/** The private connections of a vault: made by private endpoints only, then approved or rejected. */
import { z } from "zod";
import { known, oneOf } from "../../body-schema.js";
import { resourceNotFound } from "../../errors.js";
import { groupOf, nameOf, typeAndNamesOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import type { LongRunning } from "../../long-running.js";
import { deprecation, vaultVersions } from "./provider.js";

const body = known(
  {
    properties: known(
      {
        privateEndpoint: z.looseObject({}).optional(),
        privateLinkServiceConnectionState: known({
          status: oneOf("Pending", "Approved", "Rejected", "Disconnected").optional(),
          description: z.string().optional(),
          actionsRequired: z.string().optional(),
        }),
      },
      ["provisioningState"],
    ),
  },
  ["id", "name", "type", "location", "etag", "tags"],
);

function running(operation: string, answers: LongRunning["answers"]): LongRunning {
  const at = { under: "location", status: "operations", result: "operationResults", runningStatus: 200 } as const;
  return { operation, answers, headers: [answers === "resource" ? "azure-asyncoperation" : "location"], pollRetryAfter: [], at };
}

export const vaultConnections = defineType<z.output<typeof body>>({
  name: "Microsoft.KeyVault/vaults/privateEndpointConnections",
  apiVersions: vaultVersions.filter((version) => version >= "2018-02-14"),
  verbs: ["read", "write", "delete"],
  kind: "proxy",
  answerHeaders: deprecation,
  etag: "plain",
  createdStatus: 200,
  namePattern: /./,
  nameRule: "",
  body,
  latency: { put: "keyVault.update", delete: "keyVault.update" },
  put: running("PutPrivateEndpointConnection", "resource"),
  delete: running("DeletePrivateEndpointConnection", "accepted"),
  busyStates: { creating: "Updating", updating: "Updating" },
  checkPut({ id, existing }) {
    if (existing === undefined) throw resourceNotFound(typeAndNamesOf(id), nameOf(groupOf(id) ?? ""));
  },
  storedMembers: (_body, { existing }) => ({ ...existing?.beside }),
  storedProperties: ({ body: { properties }, existing }) => ({
    ...existing?.properties,
    privateLinkServiceConnectionState: { actionsRequired: "None", ...properties.privateLinkServiceConnectionState },
  }),
});
