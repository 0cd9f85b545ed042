/** The A records of the hostnames of an AKS cluster's ingress, beside the records of others. */
import type { RecordSet } from "@azure/arm-dns";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { defineStep, type Change, type Step } from "../../engine/step.js";
import { advise, shell } from "../../errors/advice.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import { addressTtl, hostnameOf, ownsRecord, recordMetadata, type RecordName } from "../domain/ingress-records.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { ifStillThere, unlessChanged } from "../../steps/conditional-write.js";
import { refuse } from "../../steps/ownership-decision.js";
import type { AddressOutput } from "./public-address.js";
import type { RegionalZoneOutput } from "./regional-zone.js";

const aRow = resourceTypes.addressRecord;

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
      if (!changes.some(({ path }) => path !== "ttl")) return { act: "use" };
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
      return unlessChanged(recordSets.createOrUpdate(to.group, zoneName, name, "A", body, ifStillThere(live?.etag)));
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

/** A part of the ID of a step. No hostname has an underscore, so each name has a slug of its own. */
function slug(name: string): string {
  return name.replace("@", "_").replaceAll(".", "_").toLowerCase();
}
