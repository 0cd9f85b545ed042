/** The body of a load balancer, with all the parts that are written with it. */
import { z } from "zod";
import { known, oneOf, partName, reference } from "../../body-schema.js";
import { networkReadOnly, trackedMembers } from "./provider.js";

const partReadOnly = ["id", "etag", "type"];
const port = z.int().min(0).max(65535);
const idle = z.int().min(4).max(100);

function settings<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[] = []) {
  return known(shape, ["provisioningState", ...readOnly]);
}

function part<Properties extends z.ZodType>(properties: Properties) {
  return known({ name: partName, properties }, partReadOnly);
}

const frontend = known(
  {
    name: partName,
    zones: z.array(z.string()).optional(),
    properties: settings(
      {
        publicIPAddress: reference.optional(),
        publicIPPrefix: reference.optional(),
        gatewayLoadBalancer: reference.optional(),
        subnet: reference.optional(),
        privateIPAddress: z.string().optional(),
        privateIPAllocationMethod: oneOf("Dynamic", "Static").default("Dynamic"),
        privateIPAddressVersion: oneOf("IPv4", "IPv6").optional(),
      },
      ["inboundNatRules", "inboundNatPools", "outboundRules", "loadBalancingRules"],
    ).refine(
      ({ publicIPAddress, publicIPPrefix, subnet }) =>
        (publicIPAddress === undefined && publicIPPrefix === undefined) !== (subnet === undefined),
      {
        error: "A frontend IP configuration must reference either a public IP address or a subnet.",
      },
    ),
  },
  partReadOnly,
);

const backendAddress = known({
  name: z.string(),
  properties: known(
    {
      ipAddress: z.string().optional(),
      virtualNetwork: reference.optional(),
      subnet: reference.optional(),
      // Of a regional load balancer behind a global one.
      loadBalancerFrontendIPConfiguration: reference.optional(),
      adminState: oneOf("None", "Up", "Down").optional(),
    },
    ["networkInterfaceIPConfiguration", "inboundNatRulesPortMapping"],
  ),
});

/** Azure answers 0 until it has chosen a port. */
const tunnelInterface = known({
  port: port.default(0),
  identifier: z.int().optional(),
  protocol: oneOf("None", "Native", "VXLAN").optional(),
  type: oneOf("None", "Internal", "External").optional(),
});

const backendPool = settings(
  {
    loadBalancerBackendAddresses: z.array(backendAddress).default([]),
    tunnelInterfaces: z.array(tunnelInterface).optional(),
    location: z.string().optional(),
    virtualNetwork: reference.optional(),
    syncMode: oneOf("Automatic", "Manual").optional(),
    drainPeriodInSeconds: z.int().optional(),
  },
  ["backendIPConfigurations", "loadBalancingRules", "outboundRule", "outboundRules", "inboundNatRules"],
).prefault({});

const probe = settings(
  {
    protocol: oneOf("Http", "Tcp", "Https"),
    port: port.min(1),
    requestPath: z.string().optional(),
    intervalInSeconds: z.int().min(5).default(15),
    numberOfProbes: z.int().default(2),
    probeThreshold: z.int().min(1).max(100).default(1),
    noHealthyBackendsBehavior: oneOf("AllProbedDown", "AllProbedUp").default("AllProbedDown"),
  },
  ["loadBalancingRules"],
);

/** The members of every rule that leads from a frontend to a backend. */
const forwarding = {
  frontendIPConfiguration: reference,
  idleTimeoutInMinutes: idle.default(4),
  enableFloatingIP: z.boolean().default(false),
  enableTcpReset: z.boolean().default(false),
  enableDestinationServiceEndpoint: z.boolean().default(false),
  allowBackendPortConflict: z.boolean().default(false),
};

const loadBalancingRule = settings({
  ...forwarding,
  backendAddressPool: reference.optional(),
  backendAddressPools: z.array(reference).optional(),
  probe: reference.optional(),
  protocol: oneOf("Tcp", "Udp", "All", "Quic"),
  frontendPort: port,
  backendPort: port.optional(),
  loadDistribution: oneOf("Default", "SourceIP", "SourceIPProtocol").default("Default"),
  disableOutboundSnat: z.boolean().default(false),
  enableConnectionTracking: z.boolean().optional(),
});

const inboundProtocol = oneOf("Tcp", "Udp", "All").default("Tcp");

const inboundNatRule = settings(
  {
    ...forwarding,
    protocol: inboundProtocol,
    frontendPort: port.optional(),
    frontendPortRangeStart: port.optional(),
    frontendPortRangeEnd: port.optional(),
    backendPort: port,
    backendAddressPool: reference.optional(),
  },
  ["backendIPConfiguration"],
);

const inboundNatPool = settings({
  ...forwarding,
  protocol: inboundProtocol,
  frontendPortRangeStart: port,
  frontendPortRangeEnd: port,
  backendPort: port,
});

const outboundRule = settings({
  protocol: oneOf("Tcp", "Udp", "All"),
  frontendIPConfigurations: z.array(reference).min(1),
  backendAddressPool: reference,
  allocatedOutboundPorts: z.int().min(0).max(64000).default(0),
  enableTcpReset: z.boolean().default(false),
  idleTimeoutInMinutes: idle.default(4),
});

export const loadBalancerBody = known(
  {
    ...trackedMembers,
    sku: known({
      name: oneOf("Basic", "Standard", "Gateway").default("Basic"),
      tier: oneOf("Regional", "Global").default("Regional"),
    }).prefault({}),
    properties: known(
      {
        frontendIPConfigurations: z.array(frontend).default([]),
        backendAddressPools: z.array(part(backendPool)).default([]),
        loadBalancingRules: z.array(part(loadBalancingRule)).default([]),
        probes: z.array(part(probe)).default([]),
        inboundNatRules: z.array(part(inboundNatRule)).default([]),
        inboundNatPools: z.array(part(inboundNatPool)).default([]),
        outboundRules: z.array(part(outboundRule)).default([]),
      },
      ["provisioningState", "resourceGuid"],
    ).prefault({}),
  },
  networkReadOnly,
);

export type LoadBalancerBody = z.output<typeof loadBalancerBody>;
