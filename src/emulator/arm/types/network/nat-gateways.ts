/** NAT gateways: they use public addresses, and subnets use them. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { versionsOf } from "../../api-versions.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, oneOf, reference } from "../../body-schema.js";
import { directUsersOf } from "../../uses.js";
import { requireSameSku, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";
import { checkReferences, joinRights, referenceNotFound } from "./references.js";

/** Members that recordings show in some versions only, and that no published description has. */
const answeredOnce = [
  { member: "type", since: "2024-03-01", except: ["2025-03-01"] },
  { member: "privateIPAddresses", since: "2025-03-01", before: "2025-05-01" },
  { member: "privateIPAddressesV6", since: "2025-03-01", before: "2025-05-01" },
  { member: "scope", since: "2025-03-01", before: "2025-05-01" },
];
const answeredOnceNames = answeredOnce.map(({ member }) => member);

const body = known(
  {
    ...trackedMembers,
    sku: known({ name: oneOf("Standard", "StandardV2"), tier: oneOf("Regional", "Global").default("Regional") }),
    zones: z.array(z.string()).optional(),
    properties: known(
      {
        idleTimeoutInMinutes: z.int().min(4).max(120).default(4),
        publicIpAddresses: z.array(reference).optional(),
        publicIpPrefixes: z.array(reference).optional(),
      },
      ["provisioningState", "resourceGuid", "subnets", ...answeredOnceNames],
    ).prefault({}),
  },
  networkReadOnly,
);

export const natGateways = defineType<z.output<typeof body>>({
  name: "Microsoft.Network/natGateways",
  ...trackedType,
  apiVersions: versionsOf("Microsoft.Network", { from: "2019-02-01" }),
  ...networkNames(1, 80),
  versionDifferences: answeredOnce,
  // A tier of the SKU is answered, too.
  undescribedMembers: [...answeredOnceNames, "tier"],
  body,
  latency: { put: "natGateway.put", ended: "network.put", delete: "natGateway.delete" },
  put: networkPut("PutNatGatewayOperation", 10, 10),
  delete: networkDelete("DeleteNatGatewayOperation", 10),
  lock: { on: "self", second: "exclusive" },
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
    requireSameSku(put);
    checkReferences(put, put.body.location, referenceNotFound);
  },
  storedProperties: ({ call, body: { properties }, existing }) => ({
    ...properties,
    privateIPAddresses: [],
    privateIPAddressesV6: [],
    scope: "Public",
    type: "Public",
    resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
  }),
  storedMembers: ({ zones }) => (zones === undefined ? {} : { zones }),
  presentedProperties(state, { id, properties }) {
    const subnets = directUsersOf(state, id).map(({ from }) => ({ id: from }));
    return subnets.length === 0 ? properties : { ...properties, subnets };
  },
  checkDelete(state, { id }) {
    const users = directUsersOf(state, id).map(({ from }) => from);
    if (users.length > 0) {
      throw new ApiError(
        400,
        "InUseNatGatewayCannotBeDeleted",
        `NAT Gateway resource ${id} cannot be deleted because it is in use by the following resources: ${users.join(", ")}. In order to delete the NAT Gateway resource, remove the association with the resource(s).`,
      );
    }
  },
});
