/** Each missing prerequisite of a create fails exactly one check, which passes after its advice is followed. */
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/state/well-known.js";
import { controlPlaneComponents } from "../../src/domain/components.js";
import { applicationUniqueName } from "../../src/domain/identity-names.js";
import { doctorChecks } from "../../src/preflight/checks.js";
import { doctorState, healthy } from "./doctor-state.js";
import { findings, rowOf } from "../verify/healthy-state.js";
import { subscription } from "../verify/other-client.js";

const servers = ["ns1-01.azure-dns.com.", "ns2-01.azure-dns.net.", "ns3-01.azure-dns.org.", "ns4-01.azure-dns.info."];

const clockOff = (seconds: number) => ({ machine: { ...healthy.machine, now: () => new Date(Date.now() + seconds * 1000) } });

test("every check passes in a healthy state", async () => {
  const state = await doctorState();
  const parent = `${subscription}/resourceGroups/dns/providers/Microsoft.Network/dnszones/example.com`;
  await state.seed({
    resources: {
      [`${subscription}/resourceGroups/demo-demo-x7k2`]: { location: "eastus" },
      [parent]: { location: "global", properties: {} },
      [`${parent}/NS/hcp`]: { properties: { TTL: 300, NSRecords: servers.map((nsdname) => ({ nsdname })) } },
    },
  });
  const results = await state.examine({ existing: new Set(["managed"]) });
  expect(results.filter(({ state }) => state !== "passed")).toEqual([]);
  expect(new Set(results.map(({ check }) => check))).toEqual(new Set(Object.keys(doctorChecks)));
});

test("a Node.js version that is too old fails, and the oldest supported one passes", async () => {
  const state = await doctorState();
  const results = await state.examine({ machine: { ...healthy.machine, nodeVersion: "20.18.9" } });
  expect(findings(results)).toEqual(["node-version/machine failed"]);
  expect(rowOf(results, "node-version", "machine")).toMatchObject({
    evidence: "Node.js 20.18.9, but >=20.19 is required",
    next: "install a newer Node.js: https://nodejs.org/en/download",
  });
  expect(findings(await state.examine({ machine: { ...healthy.machine, nodeVersion: "22.0.0" } }))).toEqual([]);
});

test("a clock that is off by a minute is a warning, and by five minutes an error, in either direction", async () => {
  const state = await doctorState();
  expect(findings(await state.examine(clockOff(-30)))).toEqual([]);
  const drifted = await state.examine(clockOff(-120));
  expect(findings(drifted)).toEqual(["clock-drift/machine warning"]);
  expect(rowOf(drifted, "clock-drift", "machine").evidence).toMatch(/^the clock is 1\d\d s behind Azure's$/);
  const wrong = await state.examine(clockOff(400));
  expect(findings(wrong)).toEqual(["clock/machine failed"]);
  expect(rowOf(wrong, "clock", "machine")).toMatchObject({
    evidence: expect.stringMatching(/^the clock is \d+ s ahead of Azure's$/) as string,
    next: expect.stringContaining("timedatectl") as string,
  });
});

test("a rejected sign-in fails one check, and the checks of Azure are skipped", async () => {
  const state = await doctorState();
  const results = await (await state.signedIn({ clientSecret: "wrong" })).examine();
  expect(findings(results)).toEqual(["sign-in/account failed"]);
  expect(rowOf(results, "sign-in", "account")).toMatchObject({
    evidence: expect.stringMatching(/^ARO-AUTH-002: .*AADSTS7000215/) as string,
    next: expect.stringContaining("check the tenant, client ID and secret") as string,
  });
  expect(rowOf(results, "providers", "providers")).toMatchObject({
    state: "skipped",
    evidence: "depends on sign-in of account, which failed",
  });
  expect(findings(await (await state.signedIn()).examine())).toEqual([]);
});

test("a subscription that cannot be written to fails one check, and the checks that depend on it still run", async () => {
  const state = await doctorState();
  await state.seed({ knobs: { subscriptionState: "Disabled" } });
  const results = await state.examine();
  expect(findings(results)).toEqual(["subscription/account failed"]);
  expect(rowOf(results, "subscription", "account")).toMatchObject({
    evidence: expect.stringMatching(/^subscription "Azure emulator" \(5b5c.*\) is Disabled$/) as string,
    next: expect.stringMatching(/^ask its owner to enable it again/) as string,
  });
  await expect((await state.azure.resources()).resourceGroups.createOrUpdate("any", { location: "eastus" })).rejects.toMatchObject({
    code: "ReadOnlyDisabledSubscription",
  });
  for (const subscriptionState of ["PastDue", "Warned"]) {
    await state.seed({ knobs: { subscriptionState } });
    // A connection reads its subscription once.
    const payable = await (await state.signedIn()).examine();
    expect(findings(payable)).toEqual(["payment/account warning"]);
    expect(rowOf(payable, "payment", "account").next).toMatch(/^pay the amount due/);
  }
  await state.seed({ knobs: { subscriptionState: "Enabled" } });
  expect(findings(await (await state.signedIn()).examine())).toEqual([]);
});

test("without a subscription, checks that do not need one run, and the others are skipped with the reason", async () => {
  const state = await (await doctorState()).signedIn({ subscriptionId: "" });
  const results = await state.examine();
  const passed = results.filter(({ state }) => state === "passed").map(({ check }) => check);
  expect(passed).toEqual(["node-version", "sign-in", "applications"]);
  const rest = results.filter(({ state }) => state !== "passed").map(({ state, evidence }) => `${state}: ${evidence}`);
  expect([...new Set(rest)]).toEqual([
    "skipped: no subscription is specified: pass --subscription, or set it in AZURE_SUBSCRIPTION_ID or the --azure-creds file",
  ]);
});

test("an unregistered provider is a warning; --register registers it, which is the doctor's only write", async () => {
  const state = await doctorState();
  await state.seed({ providers: { "Microsoft.Storage": "NotRegistered", "Microsoft.KeyVault": "Registering" } });
  const results = await state.examine();
  expect(findings(results)).toEqual(["providers/providers warning"]);
  expect(rowOf(results, "providers", "providers")).toMatchObject({
    evidence: "Microsoft.KeyVault is Registering, Microsoft.Storage is NotRegistered",
    next: expect.stringMatching(/^`aro-hcp doctor --register` registers them/) as string,
  });
  // Providers that the selected part does not need are not checked.
  expect(findings(await state.examine({ parts: new Set(["infra"]) }))).toEqual([]);
  // The check itself has not registered it.
  expect(findings(await state.examine())).toEqual(["providers/providers warning"]);
  expect(rowOf(await state.examine({ register: true }), "providers", "providers")).toMatchObject({
    state: "passed",
    evidence: expect.stringMatching(/; Microsoft.KeyVault, Microsoft.Storage newly registered$/) as string,
  });
  expect(findings(await state.examine())).toEqual([]);
});

test("an unknown location fails", async () => {
  const state = await doctorState();
  const results = await state.examine({ location: "eastmars" });
  expect(findings(results)).toEqual(["location/eastmars failed"]);
  expect(rowOf(results, "location", "eastmars")).toMatchObject({
    evidence: 'the subscription has no location "eastmars"',
    next: "choose another --location: `az account list-locations --query '[].name'`",
  });
  const quotas = results
    .filter(({ check }) => check === "quotas")
    .map(({ subject, state, evidence }) => `${subject} ${state}: ${evidence}`);
  const unasked = "skipped: depends on location of eastmars, which failed";
  const regional = quotas.filter((row) => row.includes("eastmars"));
  expect(regional).toContain(`storage accounts in eastmars ${unasked}`);
  for (const row of regional) expect(row).toContain(unasked);
  expect(quotas.length).toBeGreaterThan(regional.length);
  for (const row of quotas) if (!regional.includes(row)) expect(row).toMatch(/^(resource groups|role assignments) passed: /);
  expect(findings(await state.examine({ location: "westeurope" }))).toEqual([]);
});

test("a location that does not offer a resource type fails for the parts that make it, and another location passes", async () => {
  const state = await doctorState();
  await state.seed({ knobs: { notOffered: { "Microsoft.KeyVault/vaults": ["eastus"], "Microsoft.Network/loadBalancers": ["eastus"] } } });
  const results = await state.examine();
  expect(findings(results)).toEqual(["location/eastus failed"]);
  expect(rowOf(results, "location", "eastus")).toMatchObject({
    evidence: "East US does not offer Microsoft.Network/loadBalancers, Microsoft.KeyVault/vaults",
    next: expect.stringMatching(/^choose another --location/) as string,
  });
  const { vaults } = await state.azure.vaults();
  await (await state.azure.resources()).resourceGroups.createOrUpdate("any", { location: "eastus" });
  const vault = { location: "eastus", properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" } } } as const;
  await expect(vaults.beginCreateOrUpdateAndWait("any", "kv-any-1", vault)).rejects.toMatchObject({
    code: "LocationNotAvailableForResourceType",
  });
  expect(findings(await state.examine({ parts: new Set(["issuer"]) }))).toEqual([]);
  expect(findings(await state.examine({ location: "westeurope" }))).toEqual([]);
});

test("a zone without delegation fails with the missing records, and passes after they are added", async () => {
  const state = await doctorState();
  const subject = "hcp.example.com";
  expect(rowOf(await state.examine(), "zone-delegated", subject)).toMatchObject({
    state: "skipped",
    evidence: expect.stringMatching(
      /^this subscription has no parent zone of hcp.example.com; `dig \+short NS hcp.example.com` must return ns1-01/,
    ) as string,
  });
  await (await state.azure.dns()).zones.createOrUpdate("dns", "example.com", { location: "global" });
  const results = await state.examine();
  expect(findings(results)).toEqual(["zone-delegated/hcp.example.com failed"]);
  expect(rowOf(results, "zone-delegated", subject)).toMatchObject({
    evidence: 'example.com has no NS record set "hcp", so the cluster\'s public names cannot be resolved',
    next: expect.stringMatching(
      /--resource-group dns --zone-name example\.com --record-set-name hcp --nsdname ns1-01\.azure-dns\.com\.`/,
    ) as string,
  });
  const nsRecords = servers.map((nsdname) => ({ nsdname }));
  await (await state.azure.dns()).recordSets.createOrUpdate("dns", "example.com", "hcp", "NS", { ttl: 300, nsRecords });
  expect(findings(await state.examine())).toEqual([]);
});

test("a deleted application with a name of the set is a warning until it is purged, because a create would restore it", async () => {
  const state = await doctorState();
  const [component] = controlPlaneComponents;
  const { identities } = healthy.wanted;
  if (component === undefined || identities === undefined) throw new Error("no component");
  const directory = await state.azure.directory();
  const made = await directory.upsertApplication(applicationUniqueName(identities, component), { displayName: "demo-first", tags: [] });
  expect(findings(await state.examine())).toEqual([]);
  await directory.deleteApplication(made?.id ?? "");
  const results = await state.examine();
  expect(findings(results)).toEqual(["application-names/demo warning"]);
  expect(rowOf(results, "application-names", "demo")).toMatchObject({
    evidence: expect.stringMatching(/^demo-first, deleted \d{4}-\d\d-\d\d$/) as string,
    next: expect.stringContaining(
      `\`az rest --method DELETE --url https://graph.microsoft.com/v1.0/directory/deletedItems/${made?.id ?? ""}\``,
    ) as string,
  });
  await directory.purgeApplication(made?.id ?? "");
  expect(findings(await state.examine())).toEqual([]);
});

test("an existing group instead of the managed group fails if it is missing or in another location, and its locks are checked", async () => {
  const state = await doctorState();
  const existing = (managed: string) => ({ existing: new Set(["managed"] as const), groups: { ...healthy.groups, managed } });
  const missing = await state.examine(existing("corp"));
  expect(findings(missing)).toEqual(["managed-group/corp failed"]);
  expect(rowOf(missing, "managed-group", "corp").evidence).toMatch(/^ARO-OWN-003: resource group "corp" does not exist/);
  const corp = `${subscription}/resourceGroups/corp`;
  await state.seed({ resources: { [corp]: { location: "eastus" }, [`${corp}-eu`]: { location: "westeurope" } } });
  const elsewhere = rowOf(await state.examine(existing("corp-eu")), "managed-group", "corp-eu");
  expect(elsewhere.evidence).toMatch(/^ARO-OWN-003: .* is in westeurope, not in eastus/);
  expect(findings(await state.examine(existing("corp")))).toEqual([]);
  await state.seed({ resources: { [`${corp}/providers/Microsoft.Authorization/locks/frozen`]: { properties: { level: "ReadOnly" } } } });
  expect(findings(await state.examine(existing("corp")))).toEqual(["locks/subscription failed"]);
});
