/** What AKS created for itself in a node resource group, by type and evidence. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { labelled, titleOf } from "../../domain/resource-catalogue.js";
import { isWithin, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { tagValue } from "../../domain/tags.js";
import { advise, withFlag } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { claimOf } from "./hosted-control-planes.js";

/** A resource in a node resource group that AKS did not create for itself. */
export interface NodeGroupResource {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly origin: "foreign";
}

interface Context {
  readonly clusterName: string;
  /** Undefined if AKS is gone: then names and tags alone show what it created. */
  readonly live: ManagedCluster | undefined;
  readonly contents: readonly GenericResourceExpanded[];
}

/**
 * `contents`: of the node resource group. Of the volumes that Kubernetes creates there, none is AKS's: they hold data. Tags that AKS copies from the
 * cluster and its group to everything prove nothing, because a policy copies them too.
 */
export function foreignInNodeGroup(group: string, context: Context): NodeGroupResource[] {
  const own = context.contents.filter((one) => isMadeByAks(one, context));
  const isOwn = (id: string) => own.some((one) => one.id !== undefined && isWithin(id, one.id));
  return context.contents.flatMap(({ id = "", type = "", tags }) => {
    if (id === "" || isOwn(id)) return [];
    const claim = claimOf(tags);
    const what = claim === undefined ? "AKS did not create it" : `volume of claim ${claim.namespace}/${claim.name}`;
    const title = titleOf(labelled(type), parseResourceId(id).name);
    return [{ id, title, why: `deleted with resource group ${group} (${what})`, origin: "foreign" as const }];
  });
}

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly managedBy: string;
  tag(name: string): string | undefined;
}

type Evidence = (one: Candidate, context: Context) => boolean;

const guid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const named =
  (pattern: string): Evidence =>
  ({ name }) =>
    new RegExp(`^(?:${pattern})$`, "i").test(name);
const all =
  (...evidence: readonly Evidence[]): Evidence =>
  (one, context) =>
    evidence.every((shows) => shows(one, context));
const some =
  (...evidence: readonly Evidence[]): Evidence =>
  (one, context) =>
    evidence.some((shows) => shows(one, context));
const tagged =
  (...names: readonly string[]): Evidence =>
  ({ tag }) =>
    names.some((name) => tag(name) !== undefined);

/** Names are those that AKS and the Azure cloud provider of Kubernetes give, and tags those that they set on this type alone. */
const evidence: readonly (readonly [{ readonly type: string }, Evidence])[] = [
  [resourceTypes.virtualMachineScaleSet, all(named("aks.+"), tagged("aks-managed-poolName"))],
  // The disk of the operating system of a node. A volume that is attached to a node has another name.
  [resourceTypes.disk, all(named(".+OS__\\d+_[0-9a-f]{32}"), belongsToNode)],
  [resourceTypes.loadBalancer, named("kubernetes|kubernetes-internal|kube-apiserver")],
  [
    resourceTypes.publicIpAddress,
    some(
      all(named(guid), ({ tag }) => tag("aks-managed-type")?.startsWith("aks-slb-") === true),
      all(named("kubernetes-[0-9a-f]+(?:-ipv[46])?"), tagged("k8s-azure-service", "service")),
    ),
  ],
  [resourceTypes.networkSecurityGroup, named("aks-agentpool-\\d+-nsg")],
  [{ type: "Microsoft.Network/routeTables" }, named("aks-agentpool-\\d+-routetable")],
  [resourceTypes.virtualNetwork, named("aks-vnet-\\d+")],
  [resourceTypes.managedIdentity, some(isNamedIdentity, isAddOnIdentity)],
  [resourceTypes.privateEndpoint, named("kube-apiserver")],
  [resourceTypes.privateDnsZone, named(`${guid}\\.privatelink\\..+`)],
  // For a service with annotations of its own. A private endpoint of others leads to it, but it holds no data.
  [resourceTypes.privateLinkService, all(named("pls-.+"), tagged("k8s-azure-owner-service"))],
  [resourceTypes.networkInterface, isInterfaceOfOwn],
];

function isMadeByAks({ id = "", type = "", tags, managedBy = "" }: GenericResourceExpanded, context: Context): boolean {
  if (id === "" || claimOf(tags) !== undefined) return false;
  const one = { id, name: parseResourceId(id).name, managedBy, tag: (name: string) => tagValue(tags, name) };
  return evidence.some(([row, shows]) => sameType(row.type, type) && shows(one, context));
}

/** Azure itself records which machine a disk belongs to. */
function belongsToNode({ managedBy }: Candidate, { contents }: Context): boolean {
  return contents.some(
    ({ id, type = "", tags }) =>
      id !== undefined &&
      sameType(type, resourceTypes.virtualMachineScaleSet.type) &&
      tagValue(tags, "aks-managed-poolName") !== undefined &&
      isWithin(managedBy, id),
  );
}

/** `PREFIX-CLUSTER`, for the identity of an add-on. */
const addOns = [
  "aciconnectorlinux",
  "azurekeyvaultsecretsprovider",
  "azurepolicy",
  "httpapplicationrouting",
  "ingressapplicationgateway",
  "omsagent",
  "webapprouting",
];

function isNamedIdentity({ name }: Candidate, { clusterName }: Context): boolean {
  return [`${clusterName}-agentpool`, ...addOns.map((addOn) => `${addOn}-${clusterName}`)].some((own) => sameText(own, name));
}

function isAddOnIdentity({ id }: Candidate, { live }: Context): boolean {
  return Object.values(live?.addonProfiles ?? {}).some(({ identity }) => sameId(identity?.resourceId ?? "", id));
}

/** Azure creates it with a private endpoint or private link service, and names it after that. */
function isInterfaceOfOwn({ name }: Candidate, context: Context): boolean {
  const owner = new RegExp(`^(.+)\\.nic\\.${guid}$`, "i").exec(name)?.[1];
  const makers: readonly { readonly type: string }[] = [resourceTypes.privateEndpoint, resourceTypes.privateLinkService];
  return context.contents.some(
    (one) =>
      makers.some((row) => sameType(row.type, one.type ?? "")) &&
      sameText(parseResourceId(one.id ?? "").name, owner) &&
      isMadeByAks(one, context),
  );
}

/** Undefined if there are none. */
export function nodeGroupRefusal(clusterName: string, foreign: readonly NodeGroupResource[]): Failure | undefined {
  if (foreign.length === 0) return undefined;
  const them = foreign.length === 1 ? "it" : "them";
  return new Failure(
    "ARO-OWN-004",
    `the node resource group of "${clusterName}" contains ${plural(foreign.length, "resource")} that AKS did not create for itself`,
    {
      because: foreign.map(({ id }) => id).join(", "),
      next: [
        `move ${them} elsewhere; delete the claims of volumes in the cluster`,
        advise`or delete ${them} with the cluster, and lose the data${withFlag("--delete-foreign", ": --delete-foreign")}`,
      ],
    },
  );
}
