/** A regional zone below another: created, delegated, with the record of an ingress, and deleted, through Azure's own SDK. */
import { DnsManagementClient } from "@azure/arm-dns";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { wellKnown } from "../../../../src/emulator/index.js";
import { openLocalServer, recording } from "../../local-server.js";
import { all, sdkAccess } from "../../sdk-access.js";

const { dnsGroup, dnsZone, subscriptionId } = wellKnown;

test("a zone is delegated by name servers in its parent, and has A records with owners' metadata", async () => {
  const server = await openLocalServer({ environment: recording() });
  const { credential, options } = sdkAccess(server);
  await new ResourceManagementClient(credential, subscriptionId, options).resourceGroups.createOrUpdate("regional", { location: "eastus" });
  const { zones, recordSets } = new DnsManagementClient(credential, subscriptionId, options);
  const child = `eastus.${dnsZone}`;
  const zone = await zones.createOrUpdate("regional", child, { location: "global", tags: { "aro-hcp-service-cluster": "demo" } });
  expect(zone.nameServers).toHaveLength(4);
  const delegation = { ttl: 3600, nsRecords: zone.nameServers?.map((nsdname) => ({ nsdname })) ?? [] };
  const made = await recordSets.createOrUpdate(dnsGroup, dnsZone, "eastus", "NS", delegation, { ifNoneMatch: "*" });
  expect(made).toMatchObject({ ...delegation, fqdn: `${child}.` });
  await expect(recordSets.createOrUpdate(dnsGroup, dnsZone, "eastus", "NS", delegation, { ifNoneMatch: "*" })).rejects.toMatchObject({
    statusCode: 412,
  });
  const address = { ttl: 300, aRecords: [{ ipv4Address: "203.0.113.7" }], metadata: { "aro-hcp-service-cluster": "demo" } };
  const record = await recordSets.createOrUpdate("regional", child, "rp", "A", address);
  expect(record).toMatchObject({ ...address, fqdn: `rp.${child}.`, targetResource: {} });
  const moved = { ...address, aRecords: [{ ipv4Address: "203.0.113.8" }] };
  await expect(recordSets.createOrUpdate("regional", child, "rp", "A", moved, { ifMatch: "other" })).rejects.toMatchObject({
    statusCode: 412,
  });
  await recordSets.createOrUpdate("regional", child, "rp", "A", moved, { ifMatch: record.etag ?? "" });
  expect(await recordSets.get("regional", child, "rp", "A")).toMatchObject(moved);
  // The apex keeps its own name servers, whatever the parent says.
  await expect(recordSets.delete("regional", child, "@", "NS")).rejects.toMatchObject({ statusCode: 400 });
  await recordSets.delete(dnsGroup, dnsZone, "eastus", "NS");
  await expect(recordSets.get(dnsGroup, dnsZone, "eastus", "NS")).rejects.toMatchObject({ statusCode: 404 });
  await zones.beginDeleteAndWait("regional", child);
  expect((await all(zones.list())).map(({ name }) => name)).toEqual([dnsZone]);
});
