/** The settings that a cluster was created with, as its output file and its tags record them: under the keys of a configuration file. */
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

/** The same in the tags of a cluster. */
export const clusterRecordSchema = recordedOptionsSchema.extend({
  /** While a change of the egress is not complete: the IDs of the existing prefixes, NAT gateways and route tables that earlier choices attached. */
  formerEgress: z.array(z.string()).optional(),
});

export type ClusterRecord = z.output<typeof clusterRecordSchema>;

export const recordedKeys = Object.keys(recordedOptionsSchema.shape) as (keyof RecordedOptions)[];
