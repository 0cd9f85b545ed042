/** `create service-cluster` and `show service-cluster`: the ingress, its drift, its refusals, and what of others stays. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { secretsUser } from "../../../src/domain/roles.js";
import { deleteResources, setProperties } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { inGroup } from "../../cli/demo-cluster.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";
import {
  create,
  faster,
  ids,
  ipAddress,
  live,
  rule,
  ruleText,
  seedSurroundings,
  show,
  svc,
  withIngress,
  zone,
} from "./service-clusters.js";

test("one command opens a shared ingress: address, rules, hostnames, certificate and role; a second run writes nothing", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const file = azure.path("service-cluster.json");
  const created = exits(await create(azure, [...withIngress, "--output-file", file]), 0);

  const address = await ipAddress(azure, ids.ingress);
  expect(created.stdout).toMatch(new RegExp(`^ingressAddresses +${address}$`, "m"));
  expect(await ruleText(azure, "rp-in-arm")).toBe(`120 AzureResourceManager 443 ${address}`);
  expect(await ruleText(azure, "admin-in-geneva")).toBe(`130 GenevaActions 443 ${address}`);
  expect(await ruleText(azure, "sre-in-ops")).toBe(`140 CorpNetSaw 443 ${address}`);
  const metadata = { "aro-hcp-service-cluster": "svc" };
  for (const record of [ids.rp, ids.admin])
    expect((await live(azure, record)).properties).toMatchObject({ TTL: 300, ARecords: [{ ipv4Address: address }], metadata });
  const { nameServers } = (await live(azure, ids.zone)).properties;
  expect((await live(azure, ids.delegation)).properties).toMatchObject({
    TTL: 3600,
    NSRecords: (nameServers as string[]).map((nsdname) => ({ nsdname })),
    metadata,
  });
  const { properties } = await live(azure, ids.cluster);
  expect(properties).toMatchObject({
    serviceMeshProfile: { mode: "Istio", istio: { components: { ingressGateways: [{ mode: "External", enabled: true }] } } },
    ingressProfile: { gatewayAPI: { installation: "Standard" } },
  });

  const document = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown> & { keyVaultAddOn: { objectID: string } };
  expect(document).toMatchObject({
    kind: "service-cluster",
    ingressAddresses: [{ id: ids.ingress, ipAddress: address, ipTags: [], purpose: "ingress" }],
    options: { regionalZone: zone, opsHost: ["admin"], delegateZone: true, certificateVaultId: ids.vault },
  });
  const { roleAssignments } = (await azure.snapshot()) as unknown as { roleAssignments: Record<string, Record<string, unknown>> };
  const scopes = Object.values(roleAssignments)
    .filter(({ principalId }) => principalId === document.keyVaultAddOn.objectID)
    .map(({ scope, roleDefinitionId }) => `${String(scope)} ${String(roleDefinitionId).split("/").at(-1) ?? ""}`);
  expect(scopes).toEqual([`${ids.vault}/secrets/frontend-cert ${secretsUser.id}`]);

  await azure.traffic();
  // Without the operator's file, zone and certificate are left as they are.
  exits(await create(azure, []), 0);
  const { stderr } = exits(await create(azure, ["--output-file", file]), 0);
  expect(stderr).toContain("keeps what exists for it");
  expect(await writesSince(azure)).toEqual([]);
  const { stdout } = exits(await azure.cli(["render", "ingress", "--service-cluster-file", file, "--ops-backend", "admin=a.b:443"]), 0);
  expect(stdout).toContain("svc-ingress-ip");
});

interface ShownResource {
  readonly title: string;
  readonly drift: string;
  readonly changes: readonly { readonly path: string }[];
}

/** The drift of every resource that has one. */
async function driftOf(azure: TestEmulator): Promise<string[]> {
  const { stdout } = exits(await show(azure, ["--output", "json"]), 0);
  const { resources } = JSON.parse(stdout) as { resources: ShownResource[] };
  const different = resources.filter(({ drift }) => drift !== "none");
  return different.map(({ title, changes }) => `${title}: ${changes.map(({ path }) => path).join(", ")}`);
}

test("show finds drift of rules, records and certificate, and create restores only those", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure), 0);
  expect(await driftOf(azure)).toEqual([]);

  const theirs = {
    protocol: "Tcp",
    access: "Allow",
    direction: "Inbound",
    priority: 1000,
    sourceAddressPrefix: "198.51.100.7",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "443",
  };
  await azure.seed({ resources: { [rule("allow-istio-ingress")]: { properties: theirs } } });
  await setProperties(azure, rule("rp-in-arm"), { sourceAddressPrefix: "*" });
  await deleteResources(azure, rule("sre-in-ops"));
  await setProperties(azure, ids.rp, { ARecords: [{ ipv4Address: "203.0.113.200" }] });
  await setProperties(azure, ids.admin, { TTL: 60 });
  await setProperties(azure, ids.delegation, { NSRecords: [{ nsdname: "ns1.example.net." }] });
  expect(await driftOf(azure)).toEqual([
    "security rules of network security group svc-node-nsg: securityRules[rp-in-arm].sourceAddressPrefix, securityRules[sre-in-ops]",
    `A record rp.${zone}: aRecords`,
    `A record admin.${zone}: ttl`,
    `NS record set ${zone}: nsRecords`,
  ]);

  await azure.traffic();
  exits(await create(azure), 0);
  expect((await writesSince(azure)).sort()).toEqual(
    [`PUT ${ids.delegation}`, `PUT ${rule("rp-in-arm")}`, `PUT ${rule("sre-in-ops")}`, `PUT ${ids.admin}`, `PUT ${ids.rp}`]
      .map((line) => line.replace("dnszones", "dnsZones"))
      .sort(),
  );
  expect(await driftOf(azure)).toEqual([]);
  expect((await live(azure, rule("allow-istio-ingress"))).properties).toMatchObject(theirs);
});

test("another hostname and the operators' own address move rules, records and certificate; the second run writes nothing", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure), 0);
  const shared = await ipAddress(azure, ids.ingress);
  const moved = [...withIngress, "--ops-ingress", "--ops-host", "session"];
  const { stderr } = exits(await create(azure, moved), 0);
  expect(stderr).toContain("it differs, so a new version is issued");
  expect(stderr).toContain("warning: --ops-ingress: the cluster has off; now on");
  expect(stderr).not.toContain("az keyvault certificate delete");
  const own = await ipAddress(azure, ids.ops);
  expect(own).not.toBe(shared);
  expect(await ruleText(azure, "rp-in-arm")).toBe(`120 AzureResourceManager 443 ${shared}`);
  expect(await ruleText(azure, "admin-in-geneva")).toBe(`130 GenevaActions 443 ${own}`);
  expect(await ruleText(azure, "sre-in-ops")).toBe(`140 CorpNetSaw 443 ${own}`);
  expect((await live(azure, ids.rp)).properties["ARecords"]).toEqual([{ ipv4Address: shared }]);
  for (const name of ["admin", "session"])
    expect((await live(azure, `${ids.zone}/A/${name}`)).properties["ARecords"]).toEqual([{ ipv4Address: own }]);
  await azure.traffic();
  exits(await create(azure, moved), 0);
  expect(await writesSince(azure)).toEqual([]);
  const other = exits(await create(azure, [...moved, "--certificate-name", "other"]), 0);
  expect(other.stderr).toMatch(/certificate frontend-cert in Key Vault kv-svc is not used any more.*az keyvault certificate delete/s);
});

test("a setting that requires another one is refused without it, and keeps the others on a rerun", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  await refuses(azure, create(azure, ["--certificate-name", "other"]), 2, /--certificate-name +requires --certificate-vault-id/);
  await refuses(azure, create(azure, ["--certificate-vault-id", ids.vault]), 2, "requires --regional-zone or --certificate-hostname");
  await refuses(azure, create(azure, ["--ops-host", "admin"]), 2, /--ops-host +requires --regional-zone/);
  exits(await create(azure, [...withIngress, "--certificate-name", "own"]), 0);
  await azure.traffic();
  exits(await create(azure, [...withIngress, "--certificate-name", "own"]), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(exits(await show(azure, ["--certificate-name", "own"]), 0).stdout).toMatch(/certificate own +exists +none/);
  const { stderr } = exits(await create(azure, [...withIngress, "--certificate-name", "other"]), 0);
  expect(stderr).toMatch(/certificate own in Key Vault kv-svc is not used any more.*az keyvault certificate delete/s);
  const issued = (await writesSince(azure)).filter((line) => line.includes("/certificates/"));
  expect(issued).toEqual(["POST /certificates/other/create"]);
});

test("hostnames that differ in a period, and the zone itself, are records of their own", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure, ["--regional-zone", zone, "--ops-host", "a.b,a-b,apex,@,a.b"]), 0);
  const address = await ipAddress(azure, ids.ingress);
  for (const name of ["a.b", "a-b", "apex", "@"])
    expect((await live(azure, `${ids.zone}/A/${name}`)).properties["ARecords"]).toEqual([{ ipv4Address: address }]);
});

test("an address keeps its IP tags: another wish is refused, with the way to a new address", async () => {
  const azure = await testEmulator();
  await azure.seed({ features: { "Microsoft.Network/AllowBringYourOwnPublicIpAddress": "Registered" } });
  exits(await create(azure, ["--environment", "int"]), 0);
  expect((await live(azure, ids.ingress)).properties["ipTags"]).toEqual([{ ipTagType: "FirstPartyUsage", tag: "/NonProd" }]);
  await refuses(
    azure,
    create(azure, ["--ingress-ip-tags", "FirstPartyUsage:/aro-hcp-prod-inbound-svc"]),
    5,
    'public IP address "svc-ingress-ip" has the IP tags FirstPartyUsage:/NonProd, not FirstPartyUsage:/aro-hcp-prod-inbound-svc',
    "az network public-ip delete --ids",
  );
});

test("a subscription that is not enrolled is refused before the first write", async () => {
  const azure = await testEmulator();
  const running = create(azure, ["--ingress-ip-tags", "FirstPartyUsage:/NonProd"]);
  await refuses(azure, running, 5, "ARO-SUB-007", "is NotRegistered in subscription", "Microsoft enrolls only its own subscriptions");
});

test("where features cannot be read, the address is refused in Azure's words and in plain ones", async () => {
  const azure = await testEmulator();
  const unreadable = {
    path: "/providers/Microsoft.Features/",
    times: 100,
    answer: { status: 403, body: { error: { code: "AuthorizationFailed" } } },
  };
  const args = ["create", "service-cluster", ...svc, "--yes", "--ingress-ip-tags", "FirstPartyUsage:/NonProd"];
  const { stderr } = exits(await azure.cli(args, { ...faster, faults: [unreadable] }), 5);
  for (const words of [
    "ARO-SUB-007",
    "is not registered for feature Microsoft.Network/AllowBringYourOwnPublicIpAddress",
    "omit the IP tags: Microsoft enrolls only the subscriptions of its own services",
  ])
    expect(stderr).toContain(words);
});

test("a rule of others at a needed priority is refused before the first write; so is a record of others", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure), 0);
  const theirs = (await live(azure, rule("rp-in-arm"))).properties;
  await deleteResources(azure, rule("rp-in-arm"));
  await azure.seed({ resources: { [rule("theirs")]: { properties: { ...theirs, provisioningState: undefined } } } });
  await refuses(
    azure,
    create(azure),
    5,
    /rule "theirs" of .* has priority 120, which rule "rp-in-arm" needs/,
    "az network nsg rule update",
  );
  await deleteResources(azure, rule("theirs"));
  await setProperties(azure, ids.rp, { ARecords: [{ ipv4Address: "203.0.113.200" }], metadata: { owner: "network team" } });
  await refuses(azure, create(azure), 5, `A record rp.${zone} exists but has a different owner`, "az network dns record-set a delete");
});

test("the zone of the region must exist, and must be one", async () => {
  const azure = await testEmulator();
  await refuses(
    azure,
    create(azure, ["--regional-zone", zone]),
    5,
    `public DNS zone "${zone}" not found in subscription`,
    /correct --regional-zone$/m,
    `aro-hcp create dns-zone --cloud local --base-domain ${zone}`,
  );
  await azure.seed({
    resources: {
      [ids.zone]: { location: "global" },
      [`${ids.group}-other`]: { location: "eastus" },
      [inGroup("svc-other", `dnszones/${zone}`)]: { location: "global" },
    },
  });
  await refuses(azure, create(azure, ["--regional-zone", zone]), 5, "2 public DNS zones", "--dns-zone-rg-name");
  exits(await create(azure, ["--regional-zone", zone, "--dns-zone-rg-name", "dns"]), 0);
});
