/** The private DNS zones of a private endpoint, which have A records for its names as long as the group exists. */
import { z } from "zod";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { known, networkNames, partName } from "../../body-schema.js";
import { storeOwn } from "../../put.js";
import { removeTree } from "../../removal.js";
import { keyOf, nameOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { parentResource } from "../../uses.js";
import { dnsConfigs, domainOfZone } from "./private-dns-names.js";
import { childType, networkDelete, networkPut } from "./provider.js";
import { missingReference } from "./references.js";

const readOnly = ["id", "etag", "type"];
const zoneConfig = known(
  { name: partName, properties: known({ privateDnsZoneId: z.string() }, ["provisioningState", "recordSets"]) },
  readOnly,
);
const body = known(
  { name: z.string().optional(), properties: known({ privateDnsZoneConfigs: z.array(zoneConfig).default([]) }, ["provisioningState"]) },
  readOnly,
);

const typeName = "Microsoft.Network/privateEndpoints/privateDnsZoneGroups";
const ttl = 10;

interface StoredConfig {
  readonly name: string;
  readonly privateDnsZoneId: string;
  readonly records: readonly { readonly recordSetName: string; readonly ipAddresses: readonly string[] }[];
}

const configsOf = ({ properties }: StoredResource): readonly StoredConfig[] => properties["zoneConfigs"] as readonly StoredConfig[];

export const privateDnsZoneGroups = defineType<z.output<typeof body>>({
  name: typeName,
  ...childType,
  apiVersions: versionsOf("Microsoft.Network", { from: "2020-03-01" }),
  ...networkNames(1, 80),
  body,
  latency: { put: "privateEndpoint.put", ended: "network.put", delete: "privateEndpoint.delete" },
  put: networkPut("PutPrivateDnsZoneGroupOperation", 10, 10),
  delete: networkDelete("DeletePrivateDnsZoneGroupOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  checkPut({ state, id, body: { properties } }) {
    for (const { properties: own } of properties.privateDnsZoneConfigs) {
      if (state.resources[keyOf(own.privateDnsZoneId)] === undefined) throw missingReference(id, own.privateDnsZoneId);
    }
  },
  storedProperties({ call, state, id, body: { properties }, existing }) {
    if (existing !== undefined) forgetRecords(state, existing);
    const endpoint = parentResource(state, id);
    const names = dnsConfigs(state, endpoint);
    const zoneConfigs = properties.privateDnsZoneConfigs.map(({ name, properties: { privateDnsZoneId } }): StoredConfig => {
      const domain = domainOfZone(nameOf(privateDnsZoneId));
      const records = names
        .filter(({ fqdn }) => fqdn.endsWith(`.${domain}`))
        .map(({ fqdn, ipAddresses }) => ({ recordSetName: fqdn.slice(0, -domain.length - 1), ipAddresses }));
      for (const { recordSetName, ipAddresses } of records) {
        const metadata = {
          creator: `created by private endpoint ${endpoint.name} with resource guid ${String(endpoint.properties["resourceGuid"])}`,
        };
        const aRecords = ipAddresses.map((ipv4Address) => ({ ipv4Address }));
        storeOwn(call, `${privateDnsZoneId}/A/${recordSetName}`, { properties: { ttl, aRecords, metadata } });
      }
      return { name, privateDnsZoneId, records };
    });
    return { zoneConfigs };
  },
  presentedProperties(_state, group) {
    const { id, etag, properties } = group;
    const { zoneConfigs: _shown, ...own } = properties;
    return {
      ...own,
      privateDnsZoneConfigs: configsOf(group).map(({ name, privateDnsZoneId, records }) => ({
        name,
        id: `${id}/privateDnsZoneConfigs/${name}`,
        etag,
        type: `${typeName}/privateDnsZoneConfigs`,
        properties: {
          provisioningState: "Succeeded",
          privateDnsZoneId,
          recordSets: records.map(({ recordSetName, ipAddresses }) => ({
            recordType: "A",
            recordSetName,
            fqdn: `${recordSetName}.${nameOf(privateDnsZoneId)}`,
            ttl,
            provisioningState: "Succeeded",
            ipAddresses,
          })),
        },
      })),
    };
  },
  removeAtEnd({ state }, group) {
    forgetRecords(state, group);
    removeTree(state, group.id);
    return undefined;
  },
});

export function forgetRecords(state: AzureState, group: StoredResource): void {
  for (const { privateDnsZoneId, records } of configsOf(group)) {
    for (const { recordSetName } of records) removeTree(state, `${privateDnsZoneId}/A/${recordSetName}`);
  }
}
