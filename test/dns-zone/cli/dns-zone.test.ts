/** `create|show|destroy dns-zone`: the zone, its delegation, the identity of ExternalDNS, and what stays because it is somebody else's. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { dnsZoneContributor, reader } from "../../../src/domain/roles.js";
import { createZoneFlags, zoneFlags } from "../../../tools/demo-cluster.js";
import { recorded } from "../../faults/recorded-answers.js";
import { emulatorConnection } from "../../harness/connected-azure.js";
import { changeResource, changeState, deleteResources, resource } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import {
  addRecord,
  create,
  delegationId,
  destroy,
  home,
  name,
  parentId,
  principal,
  servers,
  show,
  zoneId,
  zoneIn,
  type Flags,
} from "../dns-zones.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";

const json = async (path: string) => JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;

async function rolesOn(azure: TestEmulator, scope: string): Promise<string[]> {
  const { roleAssignments } = await azure.snapshot();
  const all = Object.values(roleAssignments) as { scope: string; roleDefinitionId: string }[];
  return all.filter((one) => one.scope.toLowerCase() === scope.toLowerCase()).map((one) => one.roleDefinitionId.split("/").at(-1) ?? "");
}

test("create makes zone, delegation and workload identity; a rerun writes nothing, and destroy leaves nothing", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const path = azure.path("zone.json");
  const plan = exits(await azure.cli(["create", "dns-zone", ...createZoneFlags, "--dry-run"]), 0);
  expect(plan.stderr).toMatch(/NS record set blue\.hcp\.example\.com/);
  expect(await azure.snapshot()).toEqual(before);

  expect(exits(await create(azure, [...createZoneFlags, "--output-file", path]), 0).stdout).toBe("");
  const { clientID, ...externalDns } = (await json(path))["externalDNS"] as Record<string, string>;
  expect(await json(path)).toMatchObject({
    ...{ kind: "dns-zone", name, nameServers: servers },
    delegation: { parentZone: wellKnown.dnsZone, isDelegated: true, reason: null, recordsToHandOver: [] },
  });
  expect(externalDns).toMatchObject({ namespace: "hypershift", serviceAccountName: "external-dns" });
  const identity = await resource(
    azure,
    `${home}/blue-dns/providers/Microsoft.ManagedIdentity/userAssignedIdentities/external-dns-blue-hcp-example-com`,
  );
  expect(identity?.properties["clientId"]).toBe(clientID);
  expect(JSON.stringify(await azure.snapshot())).toContain("system:serviceaccount:hypershift:external-dns");
  expect(await rolesOn(azure, zoneId)).toEqual([dnsZoneContributor.id]);
  expect(await rolesOn(azure, `${home}/blue-dns`)).toEqual([reader.id]);
  expect((await resource(azure, delegationId))?.properties).toMatchObject({
    TTL: 3600,
    NSRecords: servers.map((nsdname) => ({ nsdname })),
  });

  await azure.traffic();
  exits(await create(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(exits(await show(azure), 0).stdout).not.toMatch(/absent/);
  expect(JSON.parse(exits(await show(azure, [...createZoneFlags, "--output", "json"]), 0).stdout)).toMatchObject({
    nameServers: servers,
    delegation: { isDelegated: true },
  });

  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
  expect(exits(await destroy(azure), 0).stderr).toMatch(/nothing in subscription .* belongs to the DNS zone/);
});

test("each management cluster is trusted by a credential of its own, and without an issuer a warning says what is missing", async () => {
  const azure = await testEmulator();
  const namespace = ["--external-dns-namespace", "dns"];
  const { stderr } = exits(await create(azure, [...zoneFlags, ...namespace]), 0);
  expect(stderr).toMatch(/ExternalDNS cannot sign in yet[^]* create dns-zone .*--external-dns-namespace dns/);
  expect(stderr).toContain("--management-cluster-file <");
  exits(await create(azure, [...createZoneFlags, ...namespace]), 0);
  exits(await create(azure, [...zoneFlags, ...namespace, "--oidc-issuer-url", "https://issuer.example.com/other"]), 0);
  const text = JSON.stringify(await azure.snapshot());
  expect(text).toContain("https://issuer.example.com/mgmt");
  expect(text).toContain("https://issuer.example.com/other");
});

test("without permission to write to the parent zone, a delegation that works stays, also with another TTL", async () => {
  const azure = await testEmulator();
  const flags = [...zoneFlags, "--external-dns-identity", "none"];
  exits(await create(azure, flags), 0);
  await changeState(azure, ({ resources, roleAssignments }) => {
    const delegation = resources[delegationId.toLowerCase()];
    if (delegation) delegation.properties = { ...delegation.properties, TTL: 60 };
    for (const assignment of Object.values(roleAssignments)) assignment.scope = `${home}/blue-dns`;
  });
  await azure.traffic();
  exits(await create(azure, flags), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("a zone with workload identity is destroyed without permissions on the directory", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const faults = [{ host: "graph.microsoft.com", times: 100, answer: recorded.graphDenied }];
  const { stderr } = exits(await azure.cli(["destroy", "dns-zone", ...zoneFlags, "--yes"], { faults }), 0);
  expect(stderr).toMatch(/keep +application external-dns blue.*no permission to read the directory/);
  expect(await azure.snapshot()).toEqual(before);
});

test("a credential of somebody else for the same tokens is used as it is: Azure accepts no second one", async () => {
  const azure = await testEmulator();
  exits(await create(azure, zoneFlags), 0);
  const identity = `${home}/blue-dns/providers/Microsoft.ManagedIdentity/userAssignedIdentities/external-dns-blue-hcp-example-com`;
  const properties = {
    issuer: "https://issuer.example.com/mgmt",
    subject: "system:serviceaccount:hypershift:external-dns",
    audiences: ["api://AzureADTokenExchange"],
  };
  await azure.seed({ resources: { [`${identity}/federatedIdentityCredentials/theirs`]: { properties } } });
  await azure.traffic();
  exits(await create(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("a service principal has the azure.json of the contrib scripts, for its owner alone, and can write records in the zone only", async () => {
  const azure = await testEmulator();
  exits(await create(azure, principal(azure)), 0);
  const file = azure.path("azure.json");
  const config = (await json(file)) as Record<string, string>;
  expect(Object.keys(config).sort()).toEqual(["aadClientId", "aadClientSecret", "resourceGroup", "subscriptionId", "tenantId"]);
  expect(config).toMatchObject({ resourceGroup: "blue-dns", subscriptionId: wellKnown.subscriptionId, tenantId: wellKnown.tenantId });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await azure.traffic();
  exits(await create(azure, principal(azure)), 0);
  expect(await writesSince(azure)).toEqual([]);

  const connect = await emulatorConnection(azure.directory, { ARO_HCP_LOCAL_TIME_SCALE: "1000" });
  const externalDns = await connect({ clientId: config["aadClientId"] ?? "", clientSecret: config["aadClientSecret"] ?? "" });
  const { recordSets } = await externalDns.dns();
  const record = { ttl: 300, aRecords: [{ ipv4Address: "203.0.113.7" }] };
  await expect
    .poll(async () => recordSets.createOrUpdate("blue-dns", name, "api", "A", record).then(() => "written", String))
    .toBe("written");
  await expect(recordSets.createOrUpdate(wellKnown.dnsGroup, wellKnown.dnsZone, "api", "A", record)).rejects.toThrow(
    /AuthorizationFailed|does not have authorization/,
  );

  await refuses(azure, destroy(azure), 5, /contains 1 record set/, /A api/, "--delete-records");
  exits(await destroy(azure, ["--delete-records", "--purge"]), 0);
  const { applications, deletedApplications } = await azure.snapshot();
  expect(JSON.stringify([applications, deletedApplications])).not.toContain("external-dns");
});

test("a lost azure.json is replaced with its secret, and one of another resource group is not overwritten", async () => {
  const azure = await testEmulator();
  // Names the application while azure.json is lost.
  const flags = [...principal(azure), "--output-file", azure.path("zone.json")];
  exits(await create(azure, flags), 0);
  const first = await json(azure.path("azure.json"));
  await azure.traffic();
  await writeFile(azure.path("azure.json"), JSON.stringify({ ...first, resourceGroup: "green-dns" }));
  await refuses(azure, create(azure, flags), 2, "it is the file of a zone in resource group green-dns");
  const { rm } = await import("node:fs/promises");
  await rm(azure.path("azure.json"));
  expect(exits(await create(azure, flags), 0).stderr).toMatch(/the credential file is missing/);
  expect((await json(azure.path("azure.json")))["aadClientSecret"]).not.toBe(first["aadClientSecret"]);
  expect(JSON.stringify((await azure.snapshot()).applications)).toContain('"secrets":1');
});

const handedOver: readonly (readonly [what: string, prepare: (azure: TestEmulator) => Promise<void>, reason: RegExp])[] = [
  ["there is no parent zone", (azure) => deleteResources(azure, parentId), /the subscription has no parent zone/],
  [
    "somebody delegates it elsewhere",
    (azure) => addRecord(azure, delegationId, { TTL: 60, NSRecords: [{ nsdname: "ns.example.net." }] }),
    /it delegates to ns\.example\.net, and its metadata do not name this owner/,
  ],
  [
    "two zones above have one name",
    (azure) =>
      azure.seed({ resources: { [`${home}/twin`]: { location: "eastus" }, [zoneIn("twin", wellKnown.dnsZone)]: { location: "global" } } }),
    /several zones hcp\.example\.com/,
  ],
];

test.each(handedOver)("if %s, the records are handed over and nothing there is written", async (_what, prepare, reason) => {
  const azure = await testEmulator();
  await prepare(azure);
  const delegation = await resource(azure, delegationId);
  const { stdout, stderr } = exits(await create(azure), 0);
  expect(stdout).toBe(`${servers.map((server) => `${name}. 3600 IN NS ${server}`).join("\n")}\n`);
  expect(stderr).toMatch(reason);
  expect(await resource(azure, delegationId)).toEqual(delegation);
  const shown = JSON.parse(exits(await show(azure, [...createZoneFlags, "--output", "json"]), 0).stdout) as {
    delegation: { recordsToHandOver: object[] };
  };
  expect(shown.delegation.recordsToHandOver).toEqual(servers.map((value) => ({ name, type: "NS", ttl: 3600, value })));
  await azure.traffic();
  exits(await create(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
  exits(await destroy(azure), 0);
  expect(await resource(azure, delegationId)).toEqual(delegation);
});

test("without permission to write to the parent zone, the records are handed over", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [`${home}/blue-dns`]: { location: "eastus" } } });
  await changeState(azure, ({ roleAssignments }) => {
    for (const assignment of Object.values(roleAssignments)) assignment.scope = `${home}/blue-dns`;
  });
  const { stdout, stderr } = exits(await create(azure, [...zoneFlags, "--external-dns-identity", "none"]), 0);
  expect(stdout).toContain(`${name}. 3600 IN NS ${servers[0] ?? ""}`);
  expect(stderr).toMatch(/the owner of the parent zone must add these records/);
});

test("an existing zone is used unchanged and kept, and so is its group", async () => {
  const azure = await testEmulator();
  await azure.seed({
    resources: { [`${home}/blue-dns`]: { location: "eastus" }, [zoneId]: { location: "global", tags: { team: "dns" } } },
  });
  const before = await azure.snapshot();
  const zone = await resource(azure, zoneId);
  exits(await create(azure), 0);
  expect(await resource(azure, zoneId)).toEqual(zone);
  const { stderr } = exits(await destroy(azure), 0);
  expect(stderr).toMatch(/public DNS zone blue\.hcp\.example\.com.*create dns-zone did not create it/);
  expect(await azure.snapshot()).toEqual(before);
});

test("destroy keeps a delegation that somebody changed, and deletes that of a zone that is gone", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const change = (nsdname: string) =>
    changeResource(azure, delegationId, (stored) => (stored.properties = { ...stored.properties, NSRecords: [{ nsdname }] }));
  const made = await resource(azure, delegationId);
  await change("ns.example.net.");
  expect(exits(await destroy(azure), 0).stderr).toMatch(/NS record set blue\.hcp\.example\.com.*it delegates to other name servers/);
  // The zone is gone now. What somebody wrote stays, what create wrote does not.
  expect(exits(await destroy(azure), 0).stderr).toMatch(/the zone is gone, and somebody changed the name servers since/);
  await changeResource(azure, delegationId, (stored) => (stored.properties = { ...made?.properties }));
  exits(await destroy(azure), 0);
  expect(await resource(azure, delegationId)).toBeUndefined();
});

test.each<[string, Flags, string]>([
  ["an issuer that Entra cannot read", [...zoneFlags, "--oidc-issuer-url", "https://kubernetes.default.svc"], "cannot be read by Entra"],
  [
    "an issuer for a service principal",
    [...createZoneFlags, "--external-dns-identity", "service-principal"],
    "cannot be combined with --external-dns-identity service-principal",
  ],
  [
    "a file without an identity",
    [...zoneFlags, "--external-dns-identity", "none", "--external-dns-credentials-file", "x.json"],
    "cannot be combined with --external-dns-identity none",
  ],
  ["a namespace that is none", [...zoneFlags, "--external-dns-namespace", "Hyper_Shift"], "is not a namespace"],
  ["no group", ["--cloud", "local", "--base-domain", name], "--dns-zone-rg-name"],
])("%s is refused", async (_what, flags, message) => {
  const azure = await testEmulator();
  expect(exits(await create(azure, flags), 2).stderr).toContain(message);
});
