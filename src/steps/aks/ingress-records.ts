/** The DNS records of an AKS cluster's ingress: the A records of its hostnames, and the delegation of their zone. Records of others stay. */
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { defineStep, type Change, type Step } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import type { AksClusterKey } from "../../domain/aks/cluster-kind.js";
import {
  addressTtl,
  delegationTtl,
  hostnameOf,
  ownsRecord,
  parentZoneOf,
  plainServer,
  recordMetadata,
  type RecordName,
} from "../../domain/aks/ingress-records.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { unlessChanged } from "../conditional-write.js";
import { refuse } from "../ownership-decision.js";
import type { AddressOutput } from "./public-address.js";
import type { RegionalZoneOutput, ZoneList } from "./regional-zone.js";

const { addressRecord: aRow, nameServerRecord: nsRow } = resourceTypes;

/** Stands for an address that Azure has not chosen yet. */
const newAddress = "the new address";

/** The A record of one hostname. Its metadata name its owner; without them, it is somebody else's. */
export function addressRecord(
  azure: Azure,
  cluster: AksClusterKey,
  { name }: RecordName,
  zone: Step<RegionalZoneOutput>,
  zoneName: string,
  address: Step<AddressOutput>,
): Step<unknown> {
  const hostname = hostnameOf(name, zoneName);
  const title = titleOf(aRow, hostname);
  const wantedOf = ({ ipAddress }: AddressOutput) => ({ ttl: addressTtl, aRecords: [{ ipv4Address: ipAddress ?? newAddress }] });
  return defineStep({
    id: `${aRow.use.step}-${slug(name)}`,
    title,
    subject: { kind: "resource", type: aRow.type },
    needs: { zone, address },
    within: "zone",
    read: async ({ zone: { group } }) => found((await azure.dns()).recordSets.get(group, zoneName, name, "A")),
    wanted: (outputs) => wantedOf(outputs.address),
    decide(live, outputs) {
      if (!live) return { act: "create" };
      const changes = recordChanges(live, outputs.address.ipAddress ?? newAddress);
      if (ownsRecord(live.metadata, cluster)) return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
      // Somebody created the same record before: it works, and stays its owner's.
      if (!changes.some(({ path }) => path !== "ttl")) return { act: "adopt" };
      const remove = shell`az network dns record-set a delete --resource-group ${outputs.zone.group} --zone-name ${zoneName} --name ${name}`;
      return refuse("ARO-OWN-001", `${title} exists but has a different owner`, {
        because: `it is at ${addressesOf(live).join(", ") || "no address"}, and its metadata do not name this cluster`,
        next: ["choose another --ingress-host", advise`or delete it, if its owner agrees: ${remove}`],
      });
    },
    async apply(live, outputs): Promise<RecordSet> {
      const { recordSets } = await azure.dns();
      const { zone: to, address: at } = outputs;
      const body = { ...wantedOf(at), metadata: { ...live?.metadata, ...recordMetadata(cluster) } };
      return unlessChanged(recordSets.createOrUpdate(to.group, zoneName, name, "A", body, condition(live)));
    },
    output: (live) => ({ fqdn: live.fqdn }),
  });
}

function recordChanges(live: RecordSet, ipAddress: string): Change[] {
  const addresses = addressesOf(live);
  return [
    ...(live.ttl === addressTtl ? [] : [{ path: "ttl", from: live.ttl, to: addressTtl }]),
    ...(addresses.length === 1 && addresses[0] === ipAddress ? [] : [{ path: "aRecords", from: addresses, to: [ipAddress] }]),
    ...(live.targetResource?.id === undefined ? [] : [{ path: "targetResource", from: live.targetResource.id, to: undefined }]),
  ];
}

function addressesOf({ aRecords = [] }: RecordSet): string[] {
  return aRecords.map(({ ipv4Address = "" }) => ipv4Address);
}

/** The record set that a run read is still the same, or there is none yet. */
function condition(live: RecordSet | undefined) {
  return live?.etag === undefined ? { ifNoneMatch: "*" } : { ifMatch: live.etag };
}

/** For the ID of a step. No hostname has an underscore, so each name has a slug of its own. */
function slug(name: string): string {
  return name.replace("@", "_").replaceAll(".", "_").toLowerCase();
}

interface LiveDelegation {
  /** The closest zone above; undefined if the subscription has none. */
  readonly parent: Zone | undefined;
  readonly set: RecordSet | undefined;
}

/**
 * The NS records in the parent zone, if the subscription has it. A delegation of others stays as it is. The address is created first: a destroy
 * looks for records only if the cluster has one.
 */
export function zoneDelegation(
  azure: Azure,
  cluster: AksClusterKey,
  needs: { readonly zone: Step<RegionalZoneOutput>; readonly address: Step<AddressOutput> },
  zoneName: string,
  listed: ZoneList,
): Step<unknown> {
  const relative = (parent: Zone) => zoneName.slice(0, -(parent.name ?? "").length - 1);
  return defineStep({
    id: nsRow.use.step,
    title: titleOf(nsRow, zoneName),
    subject: { kind: "resource", type: nsRow.type },
    needs,
    within: "zone",
    async read(): Promise<LiveDelegation> {
      const { recordSets } = await azure.dns();
      const parent = parentZoneOf(await listed(), zoneName);
      if (parent?.name === undefined) return { parent: undefined, set: undefined };
      return { parent, set: await found(recordSets.get(groupOf(parent), parent.name, relative(parent), "NS")) };
    },
    wanted: (outputs) => ({ ttl: delegationTtl, nsRecords: outputs.zone.nameServers }),
    decide(live, outputs) {
      const { nameServers } = outputs.zone;
      if (live?.parent === undefined) {
        return { act: "keep", why: `the subscription has no parent zone; its owner must delegate to ${nameServers.join(", ")}` };
      }
      const { set } = live;
      if (set === undefined) return { act: "create" };
      const servers = serversOf(set);
      const isSame = servers.length === nameServers.length && nameServers.every((one) => servers.includes(plainServer(one)));
      if (!ownsRecord(set.metadata, cluster)) {
        return isSame ? { act: "adopt" } : { act: "keep", why: `it delegates to ${servers.join(", ")}, and this cluster does not own it` };
      }
      const changes: Change[] = [
        ...(set.ttl === delegationTtl ? [] : [{ path: "ttl", from: set.ttl, to: delegationTtl }]),
        ...(isSame ? [] : [{ path: "nsRecords", from: servers, to: nameServers }]),
      ];
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
    },
    async apply(live, outputs): Promise<LiveDelegation> {
      const { recordSets } = await azure.dns();
      const { parent, set } = live ?? {};
      if (parent?.name === undefined) return { parent: undefined, set: undefined };
      const body = {
        ttl: delegationTtl,
        nsRecords: outputs.zone.nameServers.map((nsdname) => ({ nsdname })),
        metadata: { ...set?.metadata, ...recordMetadata(cluster) },
      };
      const write = recordSets.createOrUpdate(groupOf(parent), parent.name, relative(parent), "NS", body, condition(set));
      return { parent, set: await unlessChanged(write) };
    },
    output: () => undefined,
  });
}

function groupOf({ id = "" }: Zone): string {
  return parseResourceId(id).resourceGroup ?? "";
}

function serversOf({ nsRecords = [] }: RecordSet): string[] {
  return nsRecords.map(({ nsdname = "" }) => plainServer(nsdname));
}
