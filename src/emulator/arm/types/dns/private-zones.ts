/** Private DNS zones and their network links, whose writes report errors through the operation. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { apexRecordSets } from "../../../state/zone-apex.js";
import { versionsOf } from "../../api-versions.js";
import { keyOf, nameOf, parentOf, typeOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { type LongRunning } from "../../long-running.js";
import { known, networkNames, oneOf, reference } from "../../body-schema.js";
import { joinRights } from "../network/references.js";
import { childrenOf, directUsersOf, parentResource, sameId } from "../../uses.js";
import { zoneName } from "./record-types.js";
import { recordListEndpoints } from "./record-lists.js";
import { recordSetLimit, countRecordSets } from "./record-rules.js";
import { recordSets } from "./record-sets.js";
import { acceptedBody, unmetCondition } from "./refusals.js";

const versions = versionsOf("Microsoft.Network/privateDnsZones", { from: "2018-09-01" });
const readOnly = ["id", "name", "type", "etag"];

const zoneType = "Microsoft.Network/privateDnsZones";
const linkType = `${zoneType}/virtualNetworkLinks`;

const members = { location: z.string(), tags: z.record(z.string(), z.string()).optional() };

const zoneBody = known(
  {
    ...members,
    properties: known({}, [
      "provisioningState",
      "internalId",
      "maxNumberOfRecordSets",
      "numberOfRecordSets",
      "maxNumberOfVirtualNetworkLinks",
      "numberOfVirtualNetworkLinks",
      "maxNumberOfVirtualNetworkLinksWithRegistration",
      "numberOfVirtualNetworkLinksWithRegistration",
    ]).optional(),
  },
  readOnly,
);

const linkBody = known(
  {
    ...members,
    properties: known(
      {
        virtualNetwork: reference,
        registrationEnabled: z.boolean().default(false),
        resolutionPolicy: oneOf("Default", "NxDomainRedirect").optional(),
      },
      ["provisioningState", "virtualNetworkLinkState"],
    ),
  },
  readOnly,
);

function longRunning(operation: string): LongRunning {
  return {
    operation,
    answers: "accepted",
    headers: ["azure-asyncoperation", "location"],
    acceptedBody,
    retryAfter: 30,
    pollRetryAfter: [30],
    at: { under: "group", status: "privateDnsOperationStatuses", result: "privateDnsOperationResults", runningStatus: 202 },
  };
}

export const privateDnsZones = defineType<z.output<typeof zoneBody>>({
  name: zoneType,
  apiVersions: versions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  onlyLocation: "global",
  namePattern: zoneName(1),
  nameRule: "It must have 1 to 34 labels of 1 to 63 letters, digits, '_' or '-', divided by dots.",
  body: zoneBody,
  patchLikePut: true,
  lowerCaseNames: true,
  etag: "plain",
  versionDifferences: [{ member: "internalId", since: "2020-06-01" }],
  latency: { put: "privateDnsZone.put", delete: "privateDnsZone.delete", inGroup: "privateDns" },
  put: longRunning("UpsertPrivateDnsZone"),
  delete: longRunning("DeletePrivateDnsZone"),
  busyStates: { creating: "Creating", updating: "Updating" },
  conditionRefusal: (call, id, condition) => unmetCondition(call, `Zone ${keyOf(nameOf(id))}`, condition),
  storedProperties({ call: { uuid }, state, id, name, existing }) {
    if (existing !== undefined) return { internalId: existing.properties["internalId"] };
    Object.assign(state.resources, apexRecordSets({ id, name }, zoneType, uuid));
    return { internalId: Buffer.from(`ImmutableZoneIdentity;${uuid()};0`).toString("base64") };
  },
  presentedProperties(state, { id, properties }) {
    const links = childrenOf(state, id, "virtualNetworkLinks");
    return {
      maxNumberOfRecordSets: recordSetLimit(state, "private"),
      numberOfRecordSets: countRecordSets(state, id, "private"),
      maxNumberOfVirtualNetworkLinks: 1000,
      numberOfVirtualNetworkLinks: links.length,
      maxNumberOfVirtualNetworkLinksWithRegistration: 100,
      numberOfVirtualNetworkLinksWithRegistration: links.filter((link) => link.properties["registrationEnabled"] === true).length,
      ...properties,
    };
  },
  checkDelete(state, zone) {
    const [link] = childrenOf(state, zone.id, "virtualNetworkLinks");
    if (link !== undefined) {
      throw new ApiError(
        409,
        "CannotDeleteResource",
        `Cannot delete resource while nested resources exist. Some existing nested resource IDs include: '${zone.name}/virtualNetworkLinks/${link.name}'. Please delete all nested resources before deleting this resource.`,
      );
    }
  },
});

export const privateRecordSets = recordSets("private", zoneType, versions);
export const privateRecordLists = recordListEndpoints("private", zoneType, versions);

export const virtualNetworkLinks = defineType<z.output<typeof linkBody>>({
  name: linkType,
  apiVersions: versions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  onlyLocation: "global",
  ...networkNames(1, 80),
  body: linkBody,
  patchLikePut: true,
  lowerCaseNames: true,
  etag: "quoted",
  versionDifferences: [{ member: "resolutionPolicy", since: "2024-06-01" }],
  latency: { put: "vnetLink.put", delete: "vnetLink.delete" },
  put: longRunning("UpsertVirtualNetworkLink"),
  delete: longRunning("DeleteVirtualNetworkLink"),
  busyStates: { creating: "Creating", updating: "Updating" },
  linkedRights: ({ properties }) => joinRights(properties),
  conditionRefusal(call, id, condition) {
    const [zone, link] = [parentOf(id) ?? "", id].map((one) => keyOf(nameOf(one)));
    return unmetCondition(call, `Virtual Network link '${link ?? ""}' for the Private DNS zone '${zone ?? ""}'`, condition);
  },
  checkPutInOperation({ state, id, body: { properties }, existing }) {
    const network = properties.virtualNetwork.id;
    if (state.resources[network.toLowerCase()] === undefined) {
      throw badRequest(`The virtual network '${network}' could not be found.`);
    }
    const had = existing === undefined ? undefined : networkOf(existing);
    if (had !== undefined && !sameId(had, network)) {
      throw badRequest(`The virtual network of link '${nameOf(id)}' cannot be changed.`);
    }
    const zone = parentResource(state, id).name;
    const rival = linksTo(state, network).find((link) => !sameId(link.id, id) && sameId(parentResource(state, link.id).name, zone));
    if (rival !== undefined) {
      throw badRequest(
        `A virtual network cannot be linked to multiple zones with overlapping namespaces. You tried to link virtual network with '${zone}' and '${parentResource(state, rival.id).name}' zones.`,
      );
    }
  },
  storedProperties: ({ state, id, body: { properties } }) => ({
    ...properties,
    ...(isPrivateLink(parentResource(state, id).name) && { resolutionPolicy: properties.resolutionPolicy ?? "Default" }),
  }),
  presentedProperties: (_state, { properties }) => ({
    ...properties,
    virtualNetworkLinkState: properties["provisioningState"] === "Succeeded" ? "Completed" : "InProgress",
  }),
});

/** Zones of private endpoints, to which alone the resolution policy applies. */
function isPrivateLink(zone: string): boolean {
  return keyOf(zone).split(".").includes("privatelink");
}

function badRequest(message: string): ApiError {
  return new ApiError(400, "BadRequest", message);
}

function networkOf(link: StoredResource): string | undefined {
  return (link.properties as { virtualNetwork?: { id: string } }).virtualNetwork?.id;
}

function linksTo(state: AzureState, network: string): StoredResource[] {
  return directUsersOf(state, network)
    .filter(({ from }) => sameId(typeOf(from), linkType))
    .flatMap(({ from }) => state.resources[from.toLowerCase()] ?? []);
}
