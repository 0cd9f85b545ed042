/** Public DNS zones: written at once, deleted by an operation. */
import { z } from "zod";
import { apexRecordSets } from "../../../state/zone-apex.js";
import { versionsOf } from "../../api-versions.js";
import { wasDeleted } from "../../operations.js";
import { nameOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { known, oneOf, reference } from "../../body-schema.js";
import { joinRights } from "../network/references.js";
import { zoneName } from "./record-types.js";
import { recordListEndpoints } from "./record-lists.js";
import { recordSetLimit, countRecordSets } from "./record-rules.js";
import { recordSets } from "./record-sets.js";
import { doesNotExist, unmetCondition } from "./refusals.js";

const versions = versionsOf("Microsoft.Network/dnsZones", { from: "2017-09-01", preview: ["2018-03-01-preview", "2023-07-01-preview"] });
const readOnly = ["id", "name", "type", "etag"];

/** The casing is that of Azure's answers. */
const zoneType = "Microsoft.Network/dnszones";

const zoneBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    properties: known(
      {
        zoneType: oneOf("Public", "Private").default("Public"),
        registrationVirtualNetworks: z.array(reference).default([]),
        resolutionVirtualNetworks: z.array(reference).default([]),
      },
      ["maxNumberOfRecordSets", "maxNumberOfRecordsPerRecordSet", "numberOfRecordSets", "nameServers"],
    ).optional(),
  },
  readOnly,
);

export const dnsZones = defineType<z.output<typeof zoneBody>>({
  name: zoneType,
  apiVersions: versions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  onlyLocation: "global",
  namePattern: zoneName(2),
  nameRule: "It must have 2 to 34 labels of 1 to 63 letters, digits, '_' or '-', divided by dots.",
  body: zoneBody,
  emptyTags: true,
  etag: "plain",
  latency: { put: "dnsZone.put", delete: "dnsZone.delete" },
  delete: {
    operation: "DeleteDnsZone",
    answers: "accepted",
    headers: ["azure-asyncoperation", "location"],
    retryAfter: 3,
    pollRetryAfter: [3],
    at: { under: "group", status: "dnsOperationStatuses", result: "dnsOperationResults", runningStatus: 202 },
  },
  conditionRefusal: (call, id, condition) => unmetCondition(call, `Zone ${nameOf(id)}`, condition),
  missingRefusal: (id, call) => (wasDeleted(call.state, id) ? doesNotExist(call, "public", id, `The zone '${nameOf(id)}'`) : undefined),
  linkedRights: ({ properties }) => joinRights(properties),
  storedProperties({ call, state, id, name, body: { properties }, existing }) {
    const servers = properties?.zoneType === "Private" ? [] : nameServers(1);
    if (existing === undefined) Object.assign(state.resources, apexRecordSets({ id, name, nameServers: servers }, zoneType, call.uuid));
    return properties?.zoneType === "Private" ? { ...properties, nameServers: null } : { nameServers: servers, zoneType: "Public" };
  },
  presentedProperties: (state, { id, properties }) => ({
    maxNumberOfRecordSets: recordSetLimit(state, "public"),
    maxNumberOfRecordsPerRecordSet: null,
    ...properties,
    numberOfRecordSets: countRecordSets(state, id, "public"),
  }),
});

export const publicRecordSets = recordSets("public", zoneType, versions);
export const publicRecordLists = recordListEndpoints("public", zoneType, versions);

function nameServers(shard: number): string[] {
  const number = String(shard).padStart(2, "0");
  return ["com", "net", "org", "info"].map((suffix, index) => `ns${String(index + 1)}-${number}.azure-dns.${suffix}.`);
}
