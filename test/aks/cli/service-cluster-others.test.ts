/** `create service-cluster` beside resources of others, and `destroy service-cluster`: what is used, what stays, and that nothing else is left. */
import { describe, expect, test } from "vitest";
import { isPending } from "../../../src/azure/certificate-creations.js";
import { all } from "../../../src/azure/pages.js";
import { certificatesOfficer, secretsOfficer } from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { changeState, deleteResources, setProperties } from "../../harness/state-changes.js";
import { realTime, testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId, inGroup } from "../../cli/demo-cluster.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";
import { create, fileOf, ids, ipAddress, live, seedSurroundings, show, svc, withIngress, zone } from "./service-clusters.js";

/** The plan with a line for each resource. */
const full = ["--full-plan"];

/** The role Owner. */
const owner = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";

const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };

/** After everything that the AKS cluster needs. */
const noCluster = {
  method: "PUT",
  path: "/managedClusters/svc$",
  answer: { status: 403, body: { error: { code: "RequestDisallowedByPolicy", message: "No." } } },
};

/** A certificate that somebody else has in the vault. */
async function issue(azure: TestEmulator, ...hostnames: readonly [string, ...string[]]): Promise<void> {
  const { certificates } = await (await connectedAzure(azure.directory)).vaultContent("kv-svc");
  const policy = { issuerName: "Self", subject: "CN=theirs", subjectAlternativeNames: { dnsNames: [...hostnames] as [string] } };
  await (await certificates.beginCreateCertificate("frontend-cert", policy, { intervalInMs: 0 })).pollUntilDone();
}

async function versions(azure: TestEmulator): Promise<number> {
  const { certificates } = await (await connectedAzure(azure.directory)).vaultContent("kv-svc");
  return (await all(certificates.listPropertiesOfCertificateVersions("frontend-cert"))).length;
}

test("destroy leaves the zone and the vault as they were", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const before = await azure.snapshot();
  exits(await create(azure, [...withIngress, "--ops-ingress"]), 0);
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], faster), 0);
  expect(await azure.snapshot()).toEqual(before);
});

const empty = { status: 200, headers: { "content-type": "application/json" }, body: {} };

test.each([
  ["a record, which only its address proves", "/A/rp$", empty],
  ["a delegation", "/NS/eastus$", empty],
  ["a certificate, which only a role proves", "/certificates/frontend-cert$", empty],
  ["a deleted certificate", "/deletedcertificates/frontend-cert$", empty],
  ["a deleted certificate, with status 204", "/deletedcertificates/frontend-cert$", { status: 204, headers: { "x-ms-request-id": "r" } }],
])("destroy repeats the deletion of %s, if Azure reports one that it has not done", async (_what, path, answer) => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const before = await azure.snapshot();
  exits(await create(azure, [...withIngress, "--ops-ingress"]), 0);
  const faults = [{ method: "DELETE", path, answer }];
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], { ...faster, faults }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a deletion that Azure reports each time and never does fails with these words, and the address that proves the record stays", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure, withIngress), 0);
  const answer = { status: 200, headers: { "content-type": "application/json" }, body: {} };
  const faults = [{ method: "DELETE", path: "/A/rp$", times: 99, answer }];
  const { stderr } = exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], { ...faster, faults }), 1);
  expect(stderr).toContain("Azure still has it after its deletion; reading it again");
  expect(stderr).toMatch(/A record rp\.\S+: none of 5 attempts succeeded/);
  expect(stderr).not.toContain("another client");
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], faster), 0);
});

test.each([
  ["a group of its own", []],
  ["an existing group", ["--resource-group-name", "shared"]],
])("a destroy after a create in %s that ended before its cluster leaves no delegation, and made no certificate", async (_what, flags) => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const before = await azure.snapshot();
  const ended = await azure.cli(["create", "service-cluster", ...svc, "--yes", ...withIngress, ...flags], {
    ...faster,
    faults: [noCluster],
  });
  expect(ended.code).not.toBe(0);
  expect(await versions(azure)).toBe(0);
  expect(Object.keys((await azure.snapshot()).resources)).toContain(ids.delegation.toLowerCase());
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], faster), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a destroy waits for a certificate whose creation is in progress", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const { certificates } = await (await connectedAzure(azure.directory)).vaultContent("kv-svc");
  const { properties } = await certificates.getCertificate("frontend-cert");
  await (await certificates.beginDeleteCertificate("frontend-cert", { intervalInMs: 0 })).pollUntilDone();
  await certificates.purgeDeletedCertificate("frontend-cert");
  const slower = await connectedAzure(azure.directory, { ARO_HCP_LOCAL_LATENCY: "recorded", ...realTime });
  const policy = { issuerName: "Self", subject: "CN=svc" };
  await (await slower.vaultContent("kv-svc")).certificates.beginCreateCertificate("frontend-cert", policy, { tags: properties.tags ?? {} });
  // It is ready while the destroy waits, also on a busy machine.
  await changeState(azure, ({ vaults = {} }) => {
    const { pending } = vaults["kv-svc"]?.certificates["frontend-cert"] ?? {};
    if (pending) pending.readyAt = Date.now() + 10_000;
  });
  expect(await isPending(certificates, "frontend-cert")).toBe(true);
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], { env: { ARO_HCP_LOCAL_TIME_SCALE: "1" } }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a destroy that ended between the deletion of the certificate and its purge purges it when it is rerun", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const refused = {
    method: "DELETE",
    path: "/deletedcertificates/frontend-cert$",
    answer: { status: 403, body: { error: { code: "Forbidden", message: "No." } } },
  };
  const destroy = ["destroy", "service-cluster", ...svc, "--yes", "--purge"];
  expect((await azure.cli(destroy, { ...faster, faults: [refused] })).code).not.toBe(0);
  exits(await azure.cli(destroy, faster), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a destroy that may not read deleted certificates purges its own", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const refused = {
    method: "GET",
    path: "/deletedcertificates/frontend-cert$",
    times: 100,
    answer: { status: 403, body: { error: { code: "Forbidden", message: "No." } } },
  };
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], { ...faster, faults: [refused] }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("destroy keeps a delegation that the records of others need", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const theirs = `${ids.zone}/A/theirs`;
  await azure.seed({ resources: { [theirs]: { properties: { TTL: 60, ARecords: [{ ipv4Address: "198.51.100.1" }] } } } });
  exits(await create(azure), 0);
  exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], faster), 0);
  const left = Object.keys((await azure.snapshot()).resources);
  expect(left).toContain(theirs.toLowerCase());
  expect(left).toContain(ids.delegation.toLowerCase());
  expect(left).not.toContain(ids.rp.toLowerCase());
});

describe("a vault in another subscription", () => {
  const other = "5b5c0000-0000-4000-8000-00000000000f";
  const vault = ids.vault.replace(wellKnown.subscriptionId, other);
  const flags = withIngress.map((flag) => (flag === ids.vault ? vault : flag));
  const inFile = (azure: TestEmulator) => [...svc, "--service-cluster-file", fileOf(azure)];
  const destroy = (azure: TestEmulator) => azure.cli(["destroy", "service-cluster", ...inFile(azure), "--yes", "--purge"], faster);

  async function withVaultThere(): Promise<TestEmulator> {
    const azure = await testEmulator();
    await seedSurroundings(azure);
    await changeState(azure, ({ subscriptions }) => {
      const [first] = subscriptions;
      if (first !== undefined) subscriptions.push({ ...first, subscriptionId: other });
    });
    await deleteResources(azure, ids.vault);
    const { tenantId, clientPrincipalId: principalId } = wellKnown;
    const properties = { sku: { family: "A", name: "standard" }, tenantId, enableRbacAuthorization: true };
    await azure.seed({
      resources: {
        [`/subscriptions/${other}/resourceGroups/shared`]: { location: "westus3" },
        [vault]: { location: "westus3", properties },
      },
      roleAssignments: [
        { scope: `/subscriptions/${other}`, role: owner, principalId },
        ...[certificatesOfficer, secretsOfficer].map(({ id: role }) => ({ scope: vault, role, principalId })),
      ],
    });
    return azure;
  }

  test("has the certificate, and a destroy deletes only that and its role", async () => {
    const azure = await withVaultThere();
    const before = await azure.snapshot();
    exits(await create(azure, flags), 0);
    expect(await versions(azure)).toBe(1);
    const scopes = Object.values((await azure.snapshot()).roleAssignments as Readonly<Record<string, { readonly scope: string }>>);
    expect(scopes.map(({ scope }) => scope)).toContain(`${vault}/secrets/frontend-cert`);
    await azure.traffic();
    exits(await create(azure, flags), 0);
    expect(await writesSince(azure)).toEqual([]);
    expect((await show(azure)).stdout).toMatch(/certificate frontend-cert +exists +none/);
    const { stdout } = exits(await azure.cli(["verify", "service-cluster", ...inFile(azure)], faster), 0);
    expect(stdout).toMatch(/^\d+ passed/m);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("keeps a certificate of others that the cluster used", async () => {
    const azure = await withVaultThere();
    await issue(azure, `rp.${zone}`, `*.${zone}`);
    const before = await azure.snapshot();
    expect(exits(await create(azure, [...flags, ...full]), 0).stderr).toContain("= use     certificate frontend-cert");
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("a certificate of others is used if it is for all hostnames, and refused otherwise", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  await issue(azure, `rp.${zone}`);
  await refuses(
    azure,
    create(azure),
    5,
    'certificate "frontend-cert" exists but does not belong to this cluster',
    `it is not for admin.${zone}`,
    "--certificate-name",
  );
  await issue(azure, `rp.${zone}`, `*.${zone}`);
  const { stderr } = exits(await create(azure, [...withIngress, ...full]), 0);
  expect(stderr).toContain("= use     certificate frontend-cert");
  expect(await versions(azure)).toBe(2);
});

test("destroy keeps a certificate that another cluster's gateway mounts", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  const vault = ["--certificate-vault-id", ids.vault];
  exits(await create(azure, [...vault, "--certificate-hostname", `*.${zone}`]), 0);
  const other = ["service-cluster", "--cloud", "local", "--name", "other"];
  const file = azure.path("other.json");
  const hostname = ["--certificate-hostname", `rp.${zone}`];
  exits(await azure.cli(["create", ...other, "--yes", ...vault, ...hostname, "--output-file", file], faster), 0);
  const { stderr } = exits(await azure.cli(["destroy", "service-cluster", ...svc, "--yes", "--purge"], faster), 0);
  expect(stderr).toMatch(/keep +\S+certificates\/frontend-cert: used by AKS cluster other/);
  expect(await versions(azure)).toBe(1);
  const { stdout } = exits(await azure.cli(["show", ...other, "--service-cluster-file", file], faster), 0);
  expect(stdout).toMatch(/certificate frontend-cert +exists, bring-your-own/);
});

test("a second run issues no version and reads nothing twice, and a vault with access policies is refused", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure), 0);
  await azure.traffic();
  exits(await create(azure), 0);
  const asked = await azure.traffic();
  // The first request of a vault's client has no token.
  const read = asked.filter(({ url, status }) => !url.includes("/oauth2/") && status !== 401).map(({ method, url }) => `${method} ${url}`);
  expect(read.filter((one) => !one.startsWith("GET "))).toEqual([]);
  // The cluster and what is in its group show the settings before they are compared with them.
  const others = read.filter((one) => !/resourcegroups\/svc\//i.test(one));
  expect(others.filter((one, at) => others.indexOf(one) !== at)).toEqual([]);
  expect(read.filter((one) => one.includes("/roleAssignments"))).toHaveLength(2);
  expect(await versions(azure)).toBe(1);
  await setProperties(azure, ids.vault, { enableRbacAuthorization: false });
  await refuses(azure, create(azure), 5, 'Key Vault "kv-svc" uses access policies', "az keyvault update");
});

test("without a role on the vault, nothing is written", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure, []);
  // Nothing of it is a secret that create reads or writes.
  const onlyRole = /ask\s+an\s+owner\s+for\s+"Key\s+Vault\s+Certificates\s+Officer"\s+on\s+the\s+vault/;
  await refuses(azure, create(azure), 5, "ARO-AUTHZ-005", onlyRole);
});

test("a management cluster opens the ports of API servers to everyone, and gets an ingress address only on request", async () => {
  const azure = await testEmulator();
  const mgmt = (flags: readonly string[]) =>
    azure.cli(["create", "management-cluster", "--cloud", "local", "--name", "mgmt", "--yes", ...flags], faster);
  exits(await mgmt([]), 0);
  const nsg = inGroup("mgmt", "networkSecurityGroups/mgmt-node-nsg");
  for (const [name, priority, destinationPortRange] of [
    ["kas-443-in-internet", 120, "443"],
    ["kas-6443-in-internet", 130, "6443"],
  ] as const) {
    expect((await live(azure, `${nsg}/securityRules/${name}`)).properties).toMatchObject({
      ...{ access: "Allow", direction: "Inbound", protocol: "Tcp", priority, destinationPortRange },
      ...{ sourceAddressPrefix: "*", destinationAddressPrefix: "*" },
    });
  }
  const address = inGroup("mgmt", "publicIPAddresses/mgmt-ingress-ip").toLowerCase();
  expect(Object.keys((await azure.snapshot()).resources)).not.toContain(address);
  exits(await mgmt(["--ingress-address"]), 0);
  expect(Object.keys((await azure.snapshot()).resources)).toContain(address);
});

test("a record and a delegation of others that are already right are used, and stay theirs", async () => {
  const azure = await testEmulator();
  await seedSurroundings(azure);
  exits(await create(azure), 0);
  const metadata = { owner: "network team" };
  for (const id of [ids.rp, ids.delegation]) await setProperties(azure, id, { metadata });
  await azure.traffic();
  const { stderr } = exits(await create(azure, [...withIngress, ...full]), 0);
  expect(stderr).toContain(`= use     A record rp.${zone}`);
  expect(stderr).toContain(`= use     NS record set ${zone}`);
  await setProperties(azure, ids.delegation, { NSRecords: [{ nsdname: "ns1.example.net." }] });
  const { stderr: other } = exits(await create(azure), 0);
  expect(other).toContain("it delegates to ns1.example.net, and its metadata do not name this owner");
  expect(await writesSince(azure)).toEqual([]);
  expect((await live(azure, ids.rp)).properties).toMatchObject({ metadata });
});

test("without the parent zone in the subscription, the plan names the servers that its owner must delegate to", async () => {
  const azure = await testEmulator();
  const apart = "eastus.example.org";
  await azure.seed({ resources: { [inGroup("dns", `dnszones/${apart}`)]: { location: "global" } } });
  const { stderr } = exits(await create(azure, ["--regional-zone", apart, "--delegate-zone", "--dry-run"]), 0);
  expect(stderr).toMatch(/the subscription has no parent zone; its owner must\s+delegate to ns1-/);
});

test("an existing network security group stays as it is: the command lists the rules that it lacks", async () => {
  const azure = await testEmulator();
  const theirs = inGroup("net", "networkSecurityGroups/theirs");
  await azure.seed({ resources: { [groupId("net")]: { location: "eastus" }, [theirs]: { location: "eastus", properties: {} } } });
  const flags = ["--network-security-group-id", theirs];
  const before = await live(azure, theirs);
  const { stderr } = exits(await create(azure, flags), 5);
  const address = await ipAddress(azure, ids.ingress);
  expect(stderr).toContain('network security group "theirs" lacks rp-in-arm, admin-in-geneva, sre-in-ops');
  expect(stderr).toContain(`--source-address-prefixes AzureResourceManager --destination-address-prefixes ${address}`);
  expect((await live(azure, theirs)).properties["securityRules"]).toEqual(before.properties["securityRules"]);
  // One rule of theirs that lets more in is enough.
  const wide = {
    protocol: "*",
    access: "Allow",
    direction: "Inbound",
    priority: 200,
    sourceAddressPrefix: "Internet",
    sourcePortRange: "*",
  };
  await azure.seed({
    resources: {
      [`${theirs}/securityRules/wide`]: { properties: { ...wide, destinationAddressPrefix: "*", destinationPortRange: "443" } },
    },
  });
  exits(await create(azure, flags), 0);
});
