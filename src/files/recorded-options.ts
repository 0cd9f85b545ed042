/** The settings that a cluster was created with, as its output file records them: under the keys of a configuration file. */
import { z } from "zod";
import { egressTypes } from "../domain/egress.js";

const text = z.string().optional();
const on = z.boolean().optional();

/** Every option that determines the resources of a cluster and their properties. A missing option had its default. */
export const recordedOptionsSchema = z.object({
  identitiesName: text,
  baseDomain: text,
  location: text,
  naming: z.enum(["documented", "hypershift"]).optional(),
  resourceGroupName: text,
  singleResourceGroup: on,
  resourceGroupTags: z.record(z.string(), z.string()).optional(),
  vnetCidr: text,
  subnetCidr: text,
  vnetId: text,
  subnetId: text,
  networkSecurityGroupId: text,
  egress: z.enum(egressTypes).optional(),
  outboundAddresses: z.number().optional(),
  publicIpPrefixId: z.array(z.string()).optional(),
  natGatewayId: text,
  routeTableId: text,
  expectedNodes: z.number().optional(),
  dnsZoneRgName: text,
  assignIdentityRoles: on,
  assignCustomHcpRoles: on,
  disableClusterCapabilities: z.array(z.string()).optional(),
});

export type RecordedOptions = z.output<typeof recordedOptionsSchema>;
