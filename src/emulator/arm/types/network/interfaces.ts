/** Network interfaces, as far as needed to use subnets, security groups, public addresses and backend pools. */
import { z } from "zod";
import { ApiError } from "../../../service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { keyOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { isRecord, known, networkNames, oneOf, partName, reference } from "../body-schema.js";
import { directUsersOf } from "../uses.js";
import { addressAt, readRange } from "./cidr.js";
import { checkReferences, joinRights } from "./references.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./resource.js";

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
        dnsSettings: known({ dnsServers: z.array(z.string()).optional(), internalDnsNameLabel: z.string().optional() }, [
          "appliedDnsServers",
          "internalFqdn",
          "internalDomainNameSuffix",
        ]).optional(),
        enableAcceleratedNetworking: z.boolean().default(false),
        enableIPForwarding: z.boolean().default(false),
        nicType: oneOf("Standard", "Elastic").default("Standard"),
      },
      [
        "provisioningState",
        "resourceGuid",
        "macAddress",
        "primary",
        "virtualMachine",
        "hostedWorkloads",
        "tapConfigurations",
        "vnetEncryptionSupported",
      ],
    ),
  },
  networkReadOnly,
);

export const networkInterfaces = defineType<z.output<typeof body>>({
  name: "Microsoft.Network/networkInterfaces",
  ...trackedType,
  ...networkNames(1, 80),
  body,
  latency: { put: "nic.put", ended: "network.put", delete: "nic.delete" },
  put: networkPut("PutNicOperation", 1, 1),
  delete: networkDelete("DeleteNicOperation", 10),
  lock: { on: "self", second: "exclusive" },
  links: ({ properties }) => joinRights(properties),
  check(put) {
    checkReferences(put, put.body.location);
  },
  store({ call, state, id, body: { properties }, existing }) {
    const taken = new Set<string>();
    const ipConfigurations = properties.ipConfigurations.map((configuration, index) => {
      const own = configuration.properties;
      const privateIPAddress = own.privateIPAddress ?? freeAddress(state, id, own.subnet.id, taken);
      taken.add(privateIPAddress);
      return { ...configuration, properties: { primary: index === 0, ...own, privateIPAddress } };
    });
    return { ...properties, ipConfigurations, resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid() };
  },
  present(state, { id, etag, properties }) {
    const held = Array.isArray(properties["ipConfigurations"]) ? properties["ipConfigurations"].filter(isRecord) : [];
    const [machine] = directUsersOf(state, id);
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
      ...(machine === undefined ? {} : { virtualMachine: { id: machine.from } }),
    };
  },
  deletable(state, { id }) {
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

/** The lowest free address of the subnet; Azure reserves the first four. */
function freeAddress(state: AzureState, nic: string, subnetId: string, taken: ReadonlySet<string>): string {
  const subnet = state.resources[keyOf(subnetId)];
  const { addressPrefix, addressPrefixes } = (subnet?.properties ?? {}) as { addressPrefix?: string; addressPrefixes?: string[] };
  const range = readRange(addressPrefix ?? addressPrefixes?.[0] ?? "", subnetId);
  const held = new Set([...taken, ...addressesIn(state, nic, subnetId)]);
  for (let offset = 4n; range.first + offset < range.last; offset++) {
    const address = addressAt(range, offset);
    if (!held.has(address)) return address;
  }
  throw new ApiError(
    400,
    "SubnetIsFull",
    `Subnet ${subnet?.name ?? ""} with address prefix ${range.prefix} does not have enough capacity for 1 IP addresses.`,
  );
}

/** Private addresses of other interfaces in the subnet. */
function addressesIn(state: AzureState, nic: string, subnetId: string): unknown[] {
  const others = Object.values(state.resources).filter(
    ({ id, type }) => type === "Microsoft.Network/networkInterfaces" && keyOf(id) !== keyOf(nic),
  );
  return others
    .flatMap(configurationsOf)
    .flatMap(({ subnet, privateIPAddress }) => (keyOf(subnet.id) === keyOf(subnetId) ? [privateIPAddress] : []));
}

function configurationsOf({ properties }: StoredResource): { subnet: { id: string }; privateIPAddress?: string }[] {
  const { ipConfigurations } = properties as { ipConfigurations: { properties: { subnet: { id: string }; privateIPAddress?: string } }[] };
  return ipConfigurations.map((configuration) => configuration.properties);
}
