/** The names of a cluster's API server: public ones, and those of a private cluster with its private link. */
import { normalLocation } from "../../locations.js";
import type { Put } from "../../resource-type.js";
import { idAnswered } from "../../present.js";
import type { ClusterBody } from "./cluster-body.js";
import { withoutUndefined } from "./defaults.js";
import { hexOf } from "./nodes.js";

type AccessProfile = ClusterBody["properties"]["apiServerAccessProfile"];

/** `prefix` begins the hostnames. The private endpoint and its zone in the node resource group do not exist here. */
export function apiServerFor({ call, id, body, existing }: Put<ClusterBody>, prefix: string): Record<string, unknown> {
  const cluster = existing?.id ?? id;
  const host = `${prefix}-${hexOf(cluster, 8)}`;
  const location = normalLocation(body.location);
  const { apiServerAccessProfile: sent } = body.properties;
  const before = existing?.properties["apiServerAccessProfile"] as AccessProfile;
  const access = sent === undefined && before === undefined ? undefined : { ...before, ...withoutUndefined(sent ?? {}) };
  const publicName = { fqdn: `${host}.hcp.${location}.azmk8s.io`, azurePortalFQDN: `${host}.portal.hcp.${location}.azmk8s.io` };
  if (access?.enablePrivateCluster !== true) return { ...publicName, ...(access && { apiServerAccessProfile: access }) };
  const { privateDNSZone = "system", enablePrivateClusterPublicFQDN = true } = access;
  const type = "Microsoft.ContainerService/managedClusters";
  const ofCluster = call.types.named(type);
  const management = {
    id: `${ofCluster === undefined ? cluster : idAnswered(ofCluster, cluster)}/privateLinkResources/management`,
    name: "management",
    type: `${type}/privateLinkResources`,
    groupId: "management",
    requiredMembers: ["management"],
  };
  return {
    ...(enablePrivateClusterPublicFQDN && { fqdn: publicName.fqdn }),
    ...(privateDNSZone !== "none" && { privateFQDN: `${host}.${hexOf(`${cluster}/privateLink`, 8)}.privatelink.${location}.azmk8s.io` }),
    azurePortalFQDN: `${hexOf(cluster, 32)}-priv.portal.hcp.${location}.azmk8s.io`,
    privateLinkResources: [management],
    apiServerAccessProfile: { ...access, privateDNSZone, enablePrivateClusterPublicFQDN },
  };
}
