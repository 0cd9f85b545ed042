/** Load balancers: their parts are written and answered with them, refer to each other by id, and are answered with who refers to them. */
import { z } from "zod";
import { ApiError } from "../../../service.js";
import type { StoredResource, World } from "../../../world/world.js";
import { isWithin } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { isRecord, known, networkNames, oneOf, partName, reference } from "../body-schema.js";
import { directUsersOf, sameId, usesWithin } from "../uses.js";
import { checkReferences, joinRights, missingReference } from "./references.js";
import { networkDelete, networkPut, networkReadOnly, networkVersions, tracked } from "./resource.js";

const partReadOnly = ["id", "etag", "type"];
const port = z.int().min(0).max(65535);
const idle = z.int().min(4).max(100);

function part<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[]) {
  return known({ name: partName, properties: known(shape, ["provisioningState", ...readOnly]) }, partReadOnly);
}

const frontend = known(
  {
    name: partName,
    zones: z.array(z.string()).optional(),
    properties: known(
      {
        publicIPAddress: reference.optional(),
        subnet: reference.optional(),
        privateIPAddress: z.string().optional(),
        privateIPAllocationMethod: oneOf("Dynamic", "Static").default("Dynamic"),
        privateIPAddressVersion: oneOf("IPv4", "IPv6").optional(),
      },
      ["provisioningState", "inboundNatRules", "inboundNatPools", "outboundRules", "loadBalancingRules"],
    ),
  },
  partReadOnly,
);

const backendPool = known(
  {
    name: partName,
    properties: known(
      {
        loadBalancerBackendAddresses: z
          .array(
            known({
              name: z.string(),
              properties: known(
                {
                  ipAddress: z.string().optional(),
                  virtualNetwork: reference.optional(),
                  subnet: reference.optional(),
                  adminState: oneOf("None", "Up", "Down").optional(),
                },
                ["networkInterfaceIPConfiguration", "inboundNatRulesPortMapping"],
              ),
            }),
          )
          .optional(),
        virtualNetwork: reference.optional(),
        syncMode: oneOf("Automatic", "Manual").optional(),
        drainPeriodInSeconds: z.int().optional(),
      },
      ["provisioningState", "backendIPConfigurations", "loadBalancingRules", "outboundRule", "outboundRules", "inboundNatRules"],
    ).prefault({}),
  },
  partReadOnly,
);

const probe = part(
  {
    protocol: oneOf("Http", "Tcp", "Https"),
    port: port.min(1),
    requestPath: z.string().optional(),
    intervalInSeconds: z.int().min(5).default(15),
    numberOfProbes: z.int().default(1),
    probeThreshold: z.int().min(1).max(100).default(1),
    noHealthyBackendsBehavior: oneOf("AllProbedDown", "AllProbedUp").default("AllProbedDown"),
  },
  ["loadBalancingRules"],
);

const loadBalancingRule = part(
  {
    frontendIPConfiguration: reference,
    backendAddressPool: reference.optional(),
    backendAddressPools: z.array(reference).optional(),
    probe: reference.optional(),
    protocol: oneOf("Tcp", "Udp", "All", "Quic"),
    frontendPort: port,
    backendPort: port.optional(),
    loadDistribution: oneOf("Default", "SourceIP", "SourceIPProtocol").default("Default"),
    idleTimeoutInMinutes: idle.default(4),
    enableFloatingIP: z.boolean().default(false),
    enableTcpReset: z.boolean().default(false),
    disableOutboundSnat: z.boolean().default(false),
    enableConnectionTracking: z.boolean().optional(),
  },
  [],
);

const outboundRule = part(
  {
    protocol: oneOf("Tcp", "Udp", "All"),
    frontendIPConfigurations: z.array(reference).min(1),
    backendAddressPool: reference,
    allocatedOutboundPorts: z.int().min(0).max(64000).default(0),
    enableTcpReset: z.boolean().default(false),
    idleTimeoutInMinutes: idle.default(4),
  },
  [],
);

const body = known(
  {
    ...tracked,
    sku: known({
      name: oneOf("Basic", "Standard", "Gateway").default("Standard"),
      tier: oneOf("Regional", "Global").default("Regional"),
    }).prefault({}),
    properties: known(
      {
        frontendIPConfigurations: z.array(frontend).default([]),
        backendAddressPools: z.array(backendPool).default([]),
        loadBalancingRules: z.array(loadBalancingRule).default([]),
        probes: z.array(probe).default([]),
        inboundNatRules: z.array(z.never()).default([]),
        inboundNatPools: z.array(z.never()).default([]),
        outboundRules: z.array(outboundRule).default([]),
      },
      ["provisioningState", "resourceGuid"],
    ).prefault({}),
  },
  networkReadOnly,
);

const typeName = "Microsoft.Network/loadBalancers";

export const loadBalancers = defineType<z.output<typeof body>>({
  name: typeName,
  apiVersions: networkVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  ...networkNames(1, 80),
  body,
  etag: "weak",
  latency: { put: "loadBalancer.put", delete: "loadBalancer.delete", inGroup: "loadBalancer" },
  put: networkPut("PutLoadBalancerOperation", 3, 10),
  delete: networkDelete("DeleteLoadBalancerOperation", 10),
  busy: { creating: "Updating", updating: "Updating" },
  lock: { on: "self", second: "supersede" },
  links: ({ properties: { frontendIPConfigurations, backendAddressPools } }) =>
    joinRights({ frontendIPConfigurations, backendAddressPools }),
  check(put) {
    checkOwnParts(put.id, put.body.properties);
    checkReferences(put, put.body.location);
    checkAddresses(put.world, put.id, put.body);
  },
  store: ({ call, body: { properties }, existing }) => ({
    ...properties,
    resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
  }),
  present: presentParts,
});

/** References between parts of one load balancer name parts that this very body holds. */
function checkOwnParts(id: string, properties: z.output<typeof body>["properties"]): void {
  const parts = Object.entries(properties).flatMap(([collection, held]) => held.map(({ name }) => `${id}/${collection}/${name}`));
  for (const { from, to } of usesWithin(id, properties)) {
    if (isWithin(to, id) && !parts.some((own) => sameId(own, to))) {
      throw missingReference(from, to);
    }
  }
}

/** A public IP address serves one frontend, and its SKU is the load balancer's. */
function checkAddresses(world: World, id: string, { sku, properties }: z.output<typeof body>): void {
  for (const { name, properties: held } of properties.frontendIPConfigurations) {
    if (held.publicIPAddress === undefined) continue;
    const address = held.publicIPAddress.id;
    const other = directUsersOf(world, address).find(({ from }) => !isWithin(from, id));
    if (other !== undefined) {
      throw new ApiError(
        400,
        "PublicIPAddressInUse",
        `Resource ${id}/frontendIPConfigurations/${name} is referencing public IP address ${address} that is already allocated to resource ${other.from}.`,
      );
    }
    const addressSku = world.resources[address.toLowerCase()]?.sku?.["name"];
    if (addressSku !== sku.name) {
      throw new ApiError(
        400,
        "PublicIPAndLBSkuDoNotMatch",
        `${sku.name} sku load balancer ${id} cannot reference ${String(addressSku)} sku publicIP ${address}.`,
      );
    }
  }
}

/** Members that Azure adds to a part: the parts of which collection, pointing at it through which member, answered under which name. */
const pointers = [
  { to: "frontendIPConfigurations", from: "loadBalancingRules" },
  { to: "frontendIPConfigurations", from: "outboundRules" },
  { to: "backendAddressPools", from: "loadBalancingRules" },
  { to: "backendAddressPools", from: "outboundRules" },
  { to: "probes", from: "loadBalancingRules" },
] as const;

function presentParts(world: World, { id, etag, properties }: StoredResource): Record<string, unknown> {
  const uses = usesWithin(id, properties);
  return Object.fromEntries(
    Object.entries(properties).map(([collection, held]) => [
      collection,
      Array.isArray(held) ? held.filter(isRecord).map((item) => presentPart(collection, item)) : held,
    ]),
  );

  function presentPart(collection: string, item: Record<string, unknown>): Record<string, unknown> {
    const partId = `${id}/${collection}/${String(item["name"])}`;
    const own = isRecord(item["properties"]) ? item["properties"] : {};
    const pointing = pointers
      .filter(({ to }) => to === collection)
      .map(({ from }) => [from, usersAmong(`${id}/${from}/`, partId)] as const)
      .filter(([, users]) => users.length > 0);
    const interfaces = collection === "backendAddressPools" ? directUsersOf(world, partId).filter(({ from }) => !isWithin(from, id)) : [];
    return {
      ...item,
      id: partId,
      etag,
      type: `${typeName}/${collection}`,
      properties: {
        provisioningState: properties["provisioningState"],
        ...own,
        ...Object.fromEntries(pointing),
        ...(interfaces.length === 0 ? {} : { backendIPConfigurations: interfaces.map(({ from }) => ({ id: from })) }),
      },
    };
  }

  function usersAmong(prefix: string, target: string): { id: string }[] {
    return uses.filter(({ from, to }) => from.startsWith(prefix) && sameId(to, target)).map(({ from }) => ({ id: from }));
  }
}
