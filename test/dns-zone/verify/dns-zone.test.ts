/** For every check of a public DNS zone: a fault makes only this check fail, and it passes after its advice is followed. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { dnsZoneContributor, reader } from "../../../src/domain/roles.js";
import { dnsZoneChecks } from "../../../src/dns-zone/verify/checks.js";
import { zoneFlags } from "../../../tools/demo-cluster.js";
import { exits } from "../../cli/expectations.js";
import { demoAccount, demoIssuer } from "../../harness/demo-issuer.js";
import { changeResource, changeState, deleteResources, resource, setProperties, removeApplications } from "../../harness/state-changes.js";
import { testEmulator } from "../../harness/test-emulator.js";
import { checkLines, everyLine } from "../../verify/advice.js";
import { dnsZoneState, type DnsZoneState, type ExternalDnsKind } from "./dns-zone-state.js";
import { findings, rowOf } from "../../verify/healthy-state.js";

const name = `blue.${wellKnown.dnsZone}`;
const home = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups`;
const group = `${home}/blue-dns`;
const zone = `${group}/providers/Microsoft.Network/dnszones/${name}`;
const delegation = `${home}/${wellKnown.dnsGroup}/providers/Microsoft.Network/dnszones/${wellKnown.dnsZone}/NS/blue`;
const hidden = delegation.replace(/NS\/blue$/, "A/api.blue");
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/external-dns-blue-hcp-example-com`;
const denial = `${zone}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000009`;
const lock = `${zone}/providers/Microsoft.Authorization/locks/frozen`;
const subjects = {
  group: "resource group blue-dns",
  zone: `public DNS zone ${name}`,
  records: `NS record set ${name}`,
  identity: "managed identity external-dns-blue-hcp-example-com",
  application: `application external-dns ${name}`,
};
const tag = "aro-hcp-dns-zone";

interface Document {
  readonly results: Parameters<typeof findings>[0];
}

interface Row {
  readonly check: keyof typeof dnsZoneChecks;
  readonly kind?: ExternalDnsKind;
  readonly subject: string;
  readonly state?: "warning";
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly breaks: (state: DnsZoneState) => Promise<unknown>;
  /** "lines": the command lines of the advice; a function does what the advice says in words. */
  readonly fix: "lines" | ((state: DnsZoneState) => Promise<unknown>);
}

const setTag = (id: string, value: string) => (state: DnsZoneState) =>
  changeResource(state, id, (stored) => (stored.tags = { ...stored.tags, [tag]: value }));
const setRecords = (properties: object) => (state: DnsZoneState) => setProperties(state, delegation, { ...properties });
const without =
  ({ id }: { readonly id: string }) =>
  (state: DnsZoneState) =>
    changeState(state, ({ roleAssignments }) => {
      for (const [key, one] of Object.entries(roleAssignments))
        if (one.roleDefinitionId.endsWith(id) && one.scope.toLowerCase().startsWith(group.toLowerCase())) delete roleAssignments[key];
    });
const changeFile = (changes: object) => async (state: DnsZoneState) => {
  const config = JSON.parse(await readFile(state.credentialsFile, "utf8")) as object;
  await writeFile(state.credentialsFile, JSON.stringify({ ...config, ...changes }));
};
/** As the advice says: with the client ID of the application, and without a secret. */
async function withNewSecret(state: DnsZoneState): Promise<void> {
  const { applications } = await state.snapshot();
  const own = (Object.values(applications) as { appId: string; uniqueName?: string }[]).find(({ uniqueName }) => uniqueName !== undefined);
  await changeFile({ aadClientId: own?.appId, aadClientSecret: undefined })(state);
  const service = ["--external-dns-identity", "service-principal", "--external-dns-credentials-file", state.credentialsFile];
  exits(await state.cli(["create", "dns-zone", ...zoneFlags, ...service, "--yes"]), 0);
}
const secretInFile = async ({ credentialsFile }: DnsZoneState) =>
  (JSON.parse(await readFile(credentialsFile, "utf8")) as { readonly aadClientSecret: string }).aadClientSecret;

const rows: readonly Row[] = [
  {
    ...{ check: "resource-exists", subject: subjects.identity, evidence: /^it does not exist$/, fix: "lines" },
    next: /^`aro-hcp create dns-zone .* --oidc-issuer-url \S+` creates what is missing$/,
    breaks: (state) => deleteResources(state, identity),
  },
  {
    ...{
      check: "resource-at-rest",
      state: "warning",
      subject: subjects.group,
      evidence: /in flight: Deleting$/,
      next: /^wait a few minutes/,
    },
    breaks: (state) => setProperties(state, group, { provisioningState: "Deleting" }),
    fix: (state) => setProperties(state, group, { provisioningState: "Succeeded" }),
  },
  {
    ...{ check: "resource-succeeded", subject: subjects.group, evidence: /ended as Failed/, next: /writes it again unchanged/ },
    breaks: (state) => setProperties(state, group, { provisioningState: "Failed" }),
    fix: (state) => setProperties(state, group, { provisioningState: "Succeeded" }),
  },
  {
    ...{
      check: "resource-owned",
      subject: subjects.identity,
      evidence: /exists but has a different owner/,
      next: /choose a different --dns-zone-rg-name/,
    },
    ...{ breaks: setTag(identity, "green.example.com"), fix: setTag(identity, name) },
  },
  {
    ...{ check: "resource-location", subject: subjects.identity, evidence: /is in westus3, not in eastus/, next: /./ },
    breaks: (state) => changeResource(state, identity, (stored) => (stored.location = "westus3")),
    fix: (state) => changeResource(state, identity, (stored) => (stored.location = "eastus")),
  },
  {
    ...{ check: "resource-as-wanted", subject: subjects.zone, evidence: /is not public/, next: /choose another --dns-zone-rg-name/ },
    breaks: (state) => setProperties(state, zone, { zoneType: "Private" }),
    fix: (state) => setProperties(state, zone, { zoneType: "Public" }),
  },
  {
    ...{ check: "zone-delegated", subject: subjects.zone, evidence: /has no NS record set "blue"/, fix: "lines" },
    ...{ next: /^`aro-hcp create dns-zone .*` writes the NS records$/, breaks: (state) => deleteResources(state, delegation) },
  },
  {
    ...{ check: "zone-delegated", subject: subjects.zone, evidence: /lists ns\.example\.net, but/, fix: "lines" },
    next: /^`az network dns record-set ns add-record/,
    breaks: (state) =>
      changeResource(state, delegation, (stored) => (stored.properties = { TTL: 60, NSRecords: [{ nsdname: "ns.example.net." }] })),
  },
  {
    ...{ check: "delegation-as-wanted", state: "warning", subject: subjects.records, evidence: /^ttl: 60, not 3600$/, fix: "lines" },
    ...{ next: /^`aro-hcp create dns-zone .*` fixes it$/, breaks: setRecords({ TTL: 60 }) },
  },
  {
    ...{ check: "hidden-records", state: "warning", subject: subjects.records, evidence: /hcp\.example\.com contains A api\.blue/ },
    next: /^copy to zone blue\.hcp\.example\.com what is still needed, .*`az network dns record-set a delete .* --name api\.blue --yes`$/,
    breaks: ({ seed }) => seed({ resources: { [hidden]: { properties: { TTL: 300, ARecords: [{ ipv4Address: "203.0.113.7" }] } } } }),
    fix: (state) => deleteResources(state, hidden),
  },
  {
    ...{
      check: "issuer-trusted",
      subject: subjects.identity,
      evidence: /^it trusts nobody, not system:serviceaccount:hypershift:external-dns of https/,
    },
    ...{ next: /^`aro-hcp create dns-zone .*` adds the credential$/, fix: "lines" },
    breaks: async (state) => {
      const { resources } = await state.snapshot();
      await deleteResources(state, ...Object.keys(resources).filter((id) => id.includes("/federatedidentitycredentials/")));
    },
  },
  {
    ...{ check: "issuer-documents", subject: subjects.identity, evidence: /openid-configuration (?:returned|cannot be read)/ },
    ...{ next: /make the issuer's address public/, fix: (state) => state.publishIssuer() },
    breaks: async (state) => {
      const { resources } = await state.snapshot();
      const account = `/storageaccounts/${demoAccount}`;
      await deleteResources(state, ...Object.keys(resources).filter((id) => id.endsWith(account)));
    },
  },
  ...[
    { role: dnsZoneContributor, on: subjects.zone },
    { role: reader, on: subjects.group },
  ].map(({ role, on }): Row => ({
    ...{
      check: "role-assigned",
      subject: `role assignment ${role.name} for ${subjects.identity} on ${on}`,
      evidence: /^it does not exist$/,
    },
    ...{ next: /creates what is missing$/, breaks: without(role), fix: "lines" },
  })),
  {
    ...{
      check: "deny-assignments",
      subject: subjects.zone,
      evidence: /^"stack" on .* denies ExternalDNS: Microsoft\.Network\/dnsZones\/write/,
    },
    next: /exclude the identity's principal/,
    async breaks(state) {
      const { properties } = (await resource(state, identity)) ?? {};
      const principals = [{ id: properties?.["principalId"], type: "ServicePrincipal" }];
      const denies = { denyAssignmentName: "stack", permissions: [{ actions: ["*"], notActions: ["*/read"] }], principals };
      await state.seed({ resources: { [denial]: { properties: denies } } });
    },
    fix: (state) => deleteResources(state, denial),
  },
  {
    ...{ check: "no-locks", state: "warning", subject: subjects.zone, evidence: /"frozen" \(CanNotDelete\)/, fix: "lines" },
    next: /^delete the lock before ExternalDNS deletes records, or you destroy the zone: `az lock delete --ids/,
    breaks: (state) => state.seed({ resources: { [lock]: { properties: { level: "CanNotDelete" } } } }),
  },
  {
    ...{
      check: "application-exists",
      kind: "service-principal",
      subject: subjects.application,
      evidence: /^it does not exist$/,
      fix: "lines",
    },
    next: /^`aro-hcp create dns-zone .* --external-dns-identity service-principal .*` creates what is missing$/,
    breaks: (state) =>
      changeState(state, (stored) => {
        removeApplications(stored, ({ displayName }) => displayName.startsWith("external-dns"));
      }),
  },
  {
    ...{
      check: "credentials-file",
      kind: "service-principal",
      subject: subjects.application,
      evidence: /resourceGroup: green-dns, not blue-dns$/,
    },
    ...{
      next: /^pass the azure\.json of this zone/,
      breaks: changeFile({ resourceGroup: "green-dns" }),
      fix: changeFile({ resourceGroup: "blue-dns" }),
    },
  },
  {
    ...{
      check: "credentials-file",
      kind: "service-principal",
      subject: subjects.application,
      evidence: /aadClientId: 0{8}-.*, not /,
      fix: withNewSecret,
    },
    ...{
      next: /^if the application is yours, write its client ID .* then adds a new secret$/,
      breaks: changeFile({ aadClientId: "00000000-0000-4000-8000-000000000001" }),
    },
  },
  {
    ...{
      check: "credentials-file",
      kind: "service-principal",
      subject: subjects.application,
      evidence: /has no aadClientSecret$/,
      fix: "lines",
    },
    ...{ next: /adds a new secret to it$/, breaks: changeFile({ aadClientSecret: undefined }) },
  },
  {
    ...{ check: "sign-in", kind: "service-principal", subject: subjects.application, evidence: /^AADSTS7000215: the secret is wrong/ },
    next: /^remove aadClientSecret from the azure\.json; `aro-hcp create dns-zone .*` then adds a new one$/,
    // Entra shows the first characters, so the create takes it for the right one.
    breaks: async (state) => changeFile({ aadClientSecret: `${(await secretInFile(state)).slice(0, 3)}wrong` })(state),
    fix: withNewSecret,
  },
  {
    ...{ check: "client-secret-as-wanted", kind: "service-principal", state: "warning", evidence: /^it expires at /, fix: "lines" },
    ...{ subject: subjects.application, next: /^`aro-hcp create dns-zone/ },
    breaks: (state) =>
      changeState(state, ({ applications }) => {
        const soon = new Date(Date.now() + 10 * 24 * 3_600_000).toISOString();
        for (const { passwordCredentials = [] } of Object.values(applications))
          for (const one of passwordCredentials) one.endDateTime = soon;
      }),
  },
];

test.each(["workload-identity", "service-principal"] as const)("every check passes before the fault, with a %s", async (kind) => {
  const results = await (await dnsZoneState(kind)).verify();
  expect(findings(results)).toEqual([]);
  expect(results.filter(({ state }) => state !== "passed")).toEqual([]);
});

test.each(rows.map((row) => [`${row.check} of ${row.subject}: ${String(row.evidence)}`, row] as const))("%s", async (_name, row) => {
  const state = await dnsZoneState(row.kind ?? "workload-identity");
  await row.breaks(state);
  const results = await state.verify();
  expect(findings(results)).toEqual([`${row.check}/${row.subject} ${row.state ?? "failed"}`]);
  const result = rowOf(results, row.check, row.subject);
  expect(result.evidence).toMatch(row.evidence);
  expect(result.next).toMatch(row.next);
  checkLines(results);
  if (row.fix === "lines") await everyLine(state, result);
  else await row.fix(state);
  expect(findings(await state.verify()), "after the advice was followed").toEqual([]);
});

test("without an issuer, one that is trusted is enough, and one whose management cluster is gone is reported with the command that removes it", async () => {
  const state = await dnsZoneState("workload-identity");
  expect(findings(await state.verify([]))).toEqual([]);
  exits(await state.cli(["create", "dns-zone", ...zoneFlags, "--oidc-issuer-url", "https://gone.example.com/mgmt", "--yes"]), 0);
  const results = await state.verify([]);
  expect(findings(results)).toEqual([`issuer-documents/${subjects.identity} failed`]);
  const result = rowOf(results, "issuer-documents", subjects.identity);
  expect(result.evidence).toContain("https://gone.example.com/mgmt");
  await everyLine(state, result);
  expect(rowOf(await state.verify([]), "issuer-trusted", subjects.identity).evidence).toMatch(new RegExp(`tokens of ${demoIssuer}$`));
});

test("an identity that trusts nobody is reported without an issuer too, with a placeholder for its file", async () => {
  const state = await dnsZoneState("workload-identity");
  const { resources } = await state.snapshot();
  await deleteResources(state, ...Object.keys(resources).filter((id) => id.includes("/federatedidentitycredentials/")));
  const result = rowOf(await state.verify([]), "issuer-trusted", subjects.identity);
  expect(result.evidence).toContain("not system:serviceaccount:hypershift:external-dns of any issuer");
  expect(result.next).toContain("--management-cluster-file <file>");
});

test("ExternalDNS that may not read the zone yet is reported, and without its azure.json the checks of its secret are skipped", async () => {
  const state = await dnsZoneState("service-principal");
  const denied = { error: { code: "AuthorizationFailed", message: "the client does not have authorization" } };
  // Its record and the plan are read first.
  const faults = [{ method: "GET", path: `/dnsZones/${name}$`, nth: 2, times: 20, answer: { status: 403, body: denied } }];
  const results = await state.verify(undefined, { faults });
  expect(findings(results)).toEqual([`zone-readable/${subjects.application} failed`]);
  await rm(state.credentialsFile);
  const skipped = (await state.verify()).filter(({ state: is }) => is === "skipped");
  expect(skipped.map(({ check }) => check)).toEqual(["credentials-file", "sign-in", "zone-readable", "client-secret-as-wanted"]);
  expect(new Set(skipped.map(({ evidence }) => evidence))).toEqual(
    new Set([`${state.credentialsFile} does not exist; pass the azure.json of this zone as --external-dns-credentials-file`]),
  );
});

test("with a zone of others and without a parent zone, what is not ours is used as it is, and the delegation is not checked", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [group]: { location: "eastus" }, [zone]: { location: "global", tags: { team: "dns" } } } });
  await deleteResources(azure, `${home}/${wellKnown.dnsGroup}/providers/Microsoft.Network/dnszones/${wellKnown.dnsZone}`);
  const flags = [...zoneFlags, "--external-dns-identity", "none", "--output", "json"];
  const { results } = JSON.parse(exits(await azure.cli(["verify", "dns-zone", ...flags]), 0).stdout) as Document;
  expect(rowOf(results, "resource-owned", subjects.zone).evidence).toBe("of another owner, and used as it is");
  expect(rowOf(results, "zone-delegated", subjects.zone)).toMatchObject({
    state: "skipped",
    evidence: expect.stringMatching(/^this subscription has no parent zone of blue\.hcp\.example\.com; `dig \+short NS/) as string,
  });
});

test("nothing exists: one check fails for each resource that nothing else lacks", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await azure.cli(["verify", "dns-zone", ...zoneFlags, "--output", "json"]), 6);
  const { results } = JSON.parse(stdout) as Document;
  expect(findings(results)).toEqual([`resource-exists/${subjects.group} failed`]);
});

test("every check has a row here, or a test of its own", () => {
  const covered = new Set<string>([...rows.map(({ check }) => check), "zone-readable"]);
  expect(Object.keys(dnsZoneChecks).filter((id) => !covered.has(id))).toEqual([]);
});
