/** Network interfaces, as far as needed to use subnets, security groups, public addresses and backend pools. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { versionOf } from "../../api-versions.js";
import { defineType, type ArmCall } from "../../resource-type.js";
import { isRecord, known, networkNames, oneOf, partName, reference } from "../../body-schema.js";
import { typeOf } from "../../resource-id.js";
import { normalLocation } from "../../locations.js";
import { directUsersOf } from "../../uses.js";
import { addressFor } from "./private-addresses.js";
import { checkReferences, joinRights } from "./references.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";

const ipConfiguration = known(
  {
    name: partName,
    properties: known(
      {
        subnet: reference,
        privateIPAddress: z.string().optional(),
        privateIPAllocationMethod: oneOf("Dynamic", "Static").default("Dynamic"),
        privateIPAddressVersion: oneOf("IPv4", "IPv6").default("IPv4"),
        primary: z.boolean().optional(),
        publicIPAddress: reference.optional(),
        loadBalancerBackendAddressPools: z.array(reference).optional(),
        loadBalancerInboundNatRules: z.array(reference).optional(),
        gatewayLoadBalancer: reference.optional(),
        applicationSecurityGroups: z.array(reference).optional(),
      },
      ["provisioningState", "privateLinkConnectionProperties"],
    ),
  },
  ["id", "etag", "type"],
);

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        ipConfigurations: z.array(ipConfiguration).min(1),
        networkSecurityGroup: reference.optional(),
        dnsSettings: known({ dnsServers: z.array(z.string()).default([]), internalDnsNameLabel: z.string().optional() }, [
          "appliedDnsServers",
          "internalFqdn",
          "internalDomainNameSuffix",
        ]).prefault({}),
        auxiliaryMode: oneOf("None", "MaxConnections", "Floating", "AcceleratedConnections").optional(),
        auxiliarySku: oneOf("None", "A1", "A2", "A4", "A8").optional(),
        disableTcpStateTracking: z.boolean().optional(),
        enableAcceleratedNetworking: z.boolean().optional(),
        enableIPForwarding: z.boolean().default(false),
        nicType: oneOf("Standard", "Elastic").default("Standard"),
      },
      [
        "provisioningState",
        "resourceGuid",
        "macAddress",
        "primary",
        "virtualMachine",
        "privateEndpoint",
        "privateLinkService",
        "hostedWorkloads",
        "tapConfigurations",
        "vnetEncryptionSupported",
        "allowPort25Out",
        "nicAuxiliarySkuBillingNotificationType",
        "defaultOutboundConnectivityEnabled",
      ],
    ),
  },
  [...networkReadOnly, "kind"],
);

export const networkInterfaces = defineType<z.output<typeof body>>({
  name: "Microsoft.Network/networkInterfaces",
  ...trackedType,
  ...networkNames(1, 80),
  partLists: { ipConfigurations: "read", tapConfigurations: "read" },
  versionDifferences: [
    { member: "enableAcceleratedNetworking", since: "2023-02-01", default: false },
    { member: "allowPort25Out", since: "2022-01-01" },
    { member: "kind", since: "2022-01-01" },
    // An older version shows these if a newer one created the interface.
    { member: "auxiliaryMode", since: "2022-01-01" },
    { member: "auxiliaryMode", since: "2022-07-01", default: "None" },
    { member: "disableTcpStateTracking", since: "2022-11-01" },
    { member: "disableTcpStateTracking", since: "2022-11-01", default: false },
    { member: "auxiliarySku", since: "2022-11-01" },
    { member: "auxiliarySku", since: "2022-11-01", default: "None" },
    { member: "nicAuxiliarySkuBillingNotificationType", since: "2022-11-01", before: "2023-02-01" },
    { member: "defaultOutboundConnectivityEnabled", since: "2024-10-01" },
  ],
  undescribedMembers: ["allowPort25Out", "kind", "nicAuxiliarySkuBillingNotificationType"],
  body,
  latency: { put: "nic.put", delete: "nic.delete" },
  put: networkPut("PutNicOperation", 1, 1),
  delete: networkDelete("DeleteNicOperation", 10),
  lock: { on: "self", second: "exclusive" },
  hasPutEnded: () => true,
  // The newest version answers a PUT without an operation, and a short DELETE with one that has ended.
  synchronousPutLatency: ({ call }) => (versionOf(call.request) >= "2025-05-01" ? "nic.put" : undefined),
  hasDeleteEnded: ({ request }, seconds) => versionOf(request) >= "2025-05-01" && seconds <= 1,
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
    checkReferences(put, put.body.location);
  },
  storedProperties({ call, state, id, body, existing }) {
    const { properties } = body;
    const isAhead = isAheadOfOthers(call, body.location);
    const taken = new Set(properties.ipConfigurations.flatMap((configuration) => configuration.properties.privateIPAddress ?? []));
    const ipConfigurations = properties.ipConfigurations.map(({ name, properties: own }, index) => {
      const privateIPAddress = own.privateIPAddress ?? addressFor(state, id, { name, subnet: own.subnet.id }, taken);
      taken.add(privateIPAddress);
      return { name, properties: { primary: index === 0, ...withoutEmpty(own), privateIPAddress } };
    });
    return {
      ...(isAhead ? { enableAcceleratedNetworking: false } : { nicAuxiliarySkuBillingNotificationType: "NoOp" }),
      ...properties,
      ipConfigurations,
      dnsSettings: { ...properties.dnsSettings, appliedDnsServers: [], internalDomainNameSuffix: suffixOf(existing) ?? newSuffix(call) },
      resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
      vnetEncryptionSupported: false,
      hostedWorkloads: [],
      tapConfigurations: [],
      allowPort25Out: true,
      defaultOutboundConnectivityEnabled: false,
    };
  },
  storedMembers: () => ({ kind: "Regular" }),
  presentedProperties(state, { id, etag, properties }) {
    const held = Array.isArray(properties["ipConfigurations"]) ? properties["ipConfigurations"].filter(isRecord) : [];
    const [user] = directUsersOf(state, id);
    return {
      ...properties,
      ipConfigurations: held.map((configuration) => ({
        ...configuration,
        id: `${id}/ipConfigurations/${String(configuration["name"])}`,
        etag,
        type: "Microsoft.Network/networkInterfaces/ipConfigurations",
        properties: {
          provisioningState: properties["provisioningState"],
          ...(isRecord(configuration["properties"]) ? configuration["properties"] : {}),
        },
      })),
      ...(user === undefined ? {} : { [usedAs(user.from)]: { id: user.from } }),
    };
  },
  checkDelete(state, { id }) {
    const [machine] = directUsersOf(state, id);
    if (machine !== undefined) {
      throw new ApiError(
        400,
        "NicInUse",
        `Network Interface ${id} is used by existing resource ${machine.from}. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.`,
      );
    }
  },
});

/** In this region, versions of 2022 answer what all do since 2023-02-01. */
function isAheadOfOthers({ request }: Pick<ArmCall, "request">, location: string): boolean {
  return normalLocation(location) === "eastus2" && versionOf(request) >= "2022-01-01";
}

/** The member that names the user of an interface. */
function usedAs(user: string): string {
  const [, kind] = /^Microsoft\.Network\/private(Endpoint|LinkService)s$/i.exec(typeOf(user)) ?? [];
  return kind === undefined ? "virtualMachine" : `private${kind}`;
}

/** Azure does not answer lists without entries here. */
function withoutEmpty<Members extends object>(members: Members): Partial<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0)) as Partial<Members>;
}

function suffixOf(existing: StoredResource | undefined): string | undefined {
  const { dnsSettings } = (existing?.properties ?? {}) as { dnsSettings?: { internalDomainNameSuffix?: string } };
  return dnsSettings?.internalDomainNameSuffix;
}

/** The DNS zone in which Azure names the machines of a virtual network. */
function newSuffix({ uuid }: Pick<ArmCall, "uuid">): string {
  return `${uuid().replaceAll("-", "").slice(0, 26)}.bx.internal.cloudapp.net`;
}
