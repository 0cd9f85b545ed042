/** The body of a load balancer, with all the parts that are written with it. */
import { z } from "zod";
import { known, oneOf, partName, reference } from "../body-schema.js";
import { networkReadOnly, trackedMembers } from "./resource.js";

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
    ).refine(({ publicIPAddress, subnet }) => (publicIPAddress === undefined) !== (subnet === undefined), {
      error: "A frontend IP configuration must reference either a public IP address or a subnet.",
    }),
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

export const loadBalancerBody = known(
  {
    ...trackedMembers,
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

export type LoadBalancerBody = z.output<typeof loadBalancerBody>;
