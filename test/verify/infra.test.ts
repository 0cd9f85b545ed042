/** The infrastructure, broken one way at a time: exactly that check fails, and passes once its advice is followed. */
import { expect, test, vi } from "vitest";
import { openState } from "../../src/emulator/open.js";
import type { StoredResource } from "../../src/emulator/state/state.js";
import { groupId, groups, ids, inGroup, ownership } from "../cli/demo-cluster.js";
import { alter, rewrite, setState, vanish } from "../cli/other-hands.js";
import { existing, seedLandscape } from "../cli/existing-networks.js";
import { controlPlane, fileOf, principalIdOf, roleFlags } from "../cli/identities.js";
import { exits } from "../cli/expectations.js";
import { azureRest } from "../harness/azure-rest.js";
import { shellWords } from "../harness/shell-words.js";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import { infraCheckIds } from "../../src/verify/infra/checks.js";
import { checkLines, everyLine, firstLine, run, type AdvisedState } from "./advice.js";
import { commandsIn, findings, rowOf } from "./healthy-state.js";
import { infraState, made, type InfraState } from "./infra-state.js";

vi.setConfig({ testTimeout: 120_000 });

const subjects = {
  managed: `resource group ${groups.managed}`,
  vnetGroup: `resource group ${groups.vnet}`,
  nsg: "network security group demo-demo-x7k2-nsg",
  vnet: "virtual network demo-demo-x7k2",
  publicZone: "public DNS zone hcp.example.com",
  zone: "private DNS zone demo-azurecluster.hcp.example.com",
  link: "virtual network link demo-demo-x7k2",
  ip: "public IP address demo-x7k2",
  balancer: "load balancer demo-x7k2",
  cluster: "cluster demo-x7k2",
} as const;

/** "first": the first command line of the advice is run as it is printed; "every": all of them. A function does what it says in words. */
type Mend = "first" | "every" | ((state: InfraState, row: Result) => Promise<unknown>);

interface Fault {
  readonly check: string;
  readonly subject: string;
  readonly state?: "warning";
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly make: (state: InfraState) => Promise<unknown>;
  readonly mend: Mend;
}

/** Checks whose advice was followed until they passed. */
const followed = new Set<string>();

/** Where the lines of advices are run: our own by the command line. */
function advised({ azure, directory, cli }: InfraState): AdvisedState {
  return {
    azure,
    directory,
    follow: async (line) => exits(await cli(shellWords(line).slice(1), { env: { ARO_HCP_CLOUD: "local" } }), 0).stdout,
  };
}

/** Breaks and mends one after the other in one world. */
async function eachAlone(state: InfraState, faults: readonly Fault[]): Promise<void> {
  expect(findings(await state.verify())).toEqual([]);
  for (const { check, subject, state: outcome = "failed", evidence, next, make, mend } of faults) {
    await make(state);
    const results = await state.verify();
    expect(findings(results)).toEqual([`${check}/${subject} ${outcome}`]);
    const row = rowOf(results, check, subject);
    expect(row.evidence).toMatch(evidence);
    expect(row.next).toMatch(next);
    checkLines(results);
    if (mend === "first") await firstLine(advised(state), row);
    else if (mend === "every") await everyLine(advised(state), row);
    else await mend(state, row);
    expect(findings(await state.verify()), `after ${check} of ${subject} was mended`).toEqual([]);
    followed.add(check);
  }
}

/** Changes what is stored, behind ARM's back. */
async function store(state: InfraState, id: string, change: (stored: StoredResource) => unknown): Promise<void> {
  await openState(state.directory).transact(({ resources }) => {
    const stored = resources[id.toLowerCase()];
    if (stored === undefined) throw new Error(`${id} is not there`);
    change(stored);
    return { value: undefined, commit: true };
  });
}

/** To another location, as Azure itself never does. */
function move(state: InfraState, id: string, location: string): Promise<void> {
  return store(state, id, (stored) => {
    stored.location = location;
    // Of a group as it was sent.
    if (stored.beside?.["location"] !== undefined) stored.beside["location"] = location;
  });
}

const properties = (state: InfraState, id: string, values: Record<string, unknown>) => alter(state, id, values);

/** A fault of a property that is set behind ARM's back, and set back. */
function altered(id: string, wrong: Record<string, unknown>, right: Record<string, unknown>): Pick<Fault, "make" | "mend"> {
  return { make: (state) => properties(state, id, wrong), mend: (state) => properties(state, id, right) };
}

test("what is missing is missed once, and made by the command that is told", async () => {
  const state = await infraState();
  await state.follow(made());
  const missing = (subject: string, ...gone: string[]): Fault => ({
    check: "resource-exists",
    subject,
    evidence: /^it is not there$/,
    next: /^`aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp\.example\.com --location eastus` creates it$/,
    make: (there) => vanish(there, ...gone),
    mend: "first",
  });
  await eachAlone(state, [
    missing(subjects.ip, ids.publicIp),
    missing(subjects.balancer, ids.loadBalancer),
    missing(subjects.link, ids.link),
    missing(subjects.zone, ids.privateZone),
    missing(subjects.vnet, ids.vnet),
    missing(subjects.managed, groupId(groups.managed)),
    missing(subjects.vnetGroup, groupId(groups.vnet)),
    {
      ...missing(subjects.nsg, ids.nsg),
      // A security group that is used cannot go in Azure: the subnet lets it go first.
      make: async (there) => vanish(there, ids.nsg),
    },
    {
      check: "resource-exists",
      subject: subjects.publicZone,
      evidence: /there is no public DNS zone "hcp\.example\.com" in subscription/,
      next: /az network dns zone create --name hcp\.example\.com/,
      make: (there) => vanish(there, ids.publicZone),
      mend: (there, row) => run(advised(there), commandsIn(row)[0] ?? "", { "<group>": "dns" }),
    },
  ]);
});

test("every resource: in flight, failed, of others, elsewhere, different", async () => {
  const state = await infraState();
  await state.follow(made());
  await eachAlone(state, [
    {
      check: "resource-at-rest",
      subject: subjects.ip,
      state: "warning",
      evidence: /in flight: Updating/,
      next: /wait until it has ended/,
      make: (there) => setState(there, ids.publicIp, "Updating"),
      mend: (there) => setState(there, ids.publicIp, "Succeeded"),
    },
    {
      check: "resource-succeeded",
      subject: subjects.vnet,
      evidence: /ended as Failed/,
      next: /`aro-hcp create infra .*` writes it again as it is/,
      make: (there) => setState(there, ids.vnet, "Failed"),
      mend: "first",
    },
    {
      check: "resource-owned",
      subject: subjects.balancer,
      evidence: /exists and is not ours: its ownership tags name another owner/,
      next: /choose another --name or --infra-id, or remove it/,
      make: (there) => store(there, ids.loadBalancer, (stored) => (stored.tags = { ...ownership, "aro-hcp-infra-id": "other" })),
      mend: async (there) => {
        await vanish(there, ids.loadBalancer);
        await there.follow(made());
      },
    },
    ...[
      [subjects.nsg, ids.nsg],
      [subjects.vnet, ids.vnet],
      [subjects.managed, groupId(groups.managed)],
    ].map(([subject = "", id = ""]): Fault => ({
      check: "resource-location",
      subject,
      evidence: /is in westus3, not in eastus: .*must share one location/,
      next: /pass --location westus3, or use another/,
      make: (there) => move(there, id, "westus3"),
      mend: (there) => move(there, id, "eastus"),
    })),
    {
      check: "resource-as-wanted",
      subject: subjects.ip,
      evidence: /is Basic and Static, not Standard/,
      next: /delete it and rerun the command/,
      make: (there) => store(there, ids.publicIp, (stored) => (stored.sku = { name: "Basic" })),
      mend: async (there) => {
        await vanish(there, ids.publicIp);
        await there.follow(made());
      },
    },
    {
      check: "resource-as-made",
      subject: subjects.ip,
      state: "warning",
      evidence: /^idleTimeoutInMinutes: 30, not 4$/,
      next: /nothing here changes it back, since somebody meant it/,
      ...altered(ids.publicIp, { idleTimeoutInMinutes: 30 }, { idleTimeoutInMinutes: 4 }),
    },
    {
      check: "resource-as-made",
      subject: subjects.balancer,
      state: "warning",
      evidence:
        /^probes\[demo-x7k2\]\.requestPath: \/ready, not \/healthz; outboundRules\[demo-x7k2\]\.allocatedOutboundPorts: 64, not 1024$/,
      next: /set the wanted values in the portal/,
      make: (there) => rewrite(there, ids.loadBalancer, (live) => ({ properties: reworded(live.properties, "/healthz", "/ready", 64) })),
      mend: (there) => rewrite(there, ids.loadBalancer, (live) => ({ properties: reworded(live.properties, "/ready", "/healthz", 1024) })),
    },
  ]);
});

function reworded(live: Record<string, unknown>, from: string, to: string, ports: number): Record<string, unknown> {
  const text = JSON.stringify(live).replace(`"requestPath":"${from}"`, `"requestPath":"${to}"`);
  return JSON.parse(text.replace(/"allocatedOutboundPorts":\d+/, `"allocatedOutboundPorts":${String(ports)}`)) as Record<string, unknown>;
}

const rival = inGroup("others", "privateDnsZones/demo-azurecluster.hcp.example.com");
const hiding = inGroup("others", "privateDnsZones/hcp.example.com");
const otherVnet = inGroup("others", "virtualNetworks/theirs");
const linkOf = (zone: string) => `${zone}/virtualNetworkLinks/theirs`;
const zone = { location: "global", properties: {} };
const linkTo = (id: string) => ({ location: "global", properties: { virtualNetwork: { id }, registrationEnabled: false } });
const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] }, subnets: [] } };

test("DNS: links that overlap, lead elsewhere, register or hide; and who delegates", async () => {
  const state = await infraState();
  await state.seed({ resources: { [groupId("others")]: { location: "eastus" }, [rival]: zone, [hiding]: zone, [otherVnet]: network } });
  await state.follow(made());
  const parent = inGroup("dns", "dnszones/example.com");
  const servers = ["ns1-01.azure-dns.com.", "ns2-01.azure-dns.net.", "ns3-01.azure-dns.org.", "ns4-01.azure-dns.info."];
  const delegation = (names: readonly string[]) => ({
    [`${parent}/NS/hcp`]: { properties: { TTL: 300, NSRecords: names.map((nsdname) => ({ nsdname })) } },
  });
  await eachAlone(state, [
    {
      check: "zone-overlap",
      subject: subjects.zone,
      evidence: /others\/.*virtualNetworkLinks\/theirs leads to the network, too: Azure admits one link to zones of one name/,
      next: /`az network private-dns link vnet delete --ids .*theirs --yes`; then `aro-hcp create infra .*` creates what is missing/,
      // Azure admits no second one: whoever has it linked first.
      make: async (there) => {
        await vanish(there, ids.link);
        await there.seed({ resources: { [linkOf(rival)]: linkTo(ids.vnet) } });
      },
      mend: "every",
    },
    {
      check: "zone-overlap",
      subject: subjects.zone,
      evidence: /virtualNetworkLinks\/theirs leads to the network, too/,
      next: /link vnet delete/,
      make: async (there) => {
        await vanish(there, ids.link);
        await there.seed({ resources: { [linkOf(ids.privateZone)]: linkTo(ids.vnet) } });
      },
      mend: "every",
    },
    {
      check: "public-names-hidden",
      subject: subjects.zone,
      state: "warning",
      evidence: /^hcp\.example\.com is linked to the network: workers ask it for the names of demo\.hcp\.example\.com/,
      next: /or unlink it: `az network private-dns link vnet delete --ids .*hcp\.example\.com\/virtualNetworkLinks\/theirs --yes`/,
      make: (there) => there.seed({ resources: { [linkOf(hiding)]: linkTo(ids.vnet) } }),
      mend: "first",
    },
    {
      check: "zone-link-network",
      subject: subjects.link,
      evidence: /leads to .*others.*theirs, not to .*demo-demo-x7k2, and a link cannot be pointed elsewhere/,
      next: /`az network private-dns link vnet delete --ids .* --yes`, then `aro-hcp create infra .*` recreates it/,
      make: (there) => properties(there, ids.link, { virtualNetwork: { id: otherVnet } }),
      mend: "every",
    },
    {
      check: "zone-link-registration",
      subject: subjects.link,
      evidence: /registrationEnabled: true, not false/,
      next: /`aro-hcp create infra .*` fixes it/,
      make: (there) => properties(there, ids.link, { registrationEnabled: true }),
      mend: "first",
    },
    {
      check: "public-zone-delegated",
      subject: subjects.publicZone,
      evidence: /^example\.com has no NS record set "hcp"/,
      next: /`az network dns record-set ns add-record --resource-group dns --zone-name example\.com --record-set-name hcp --nsdname ns1-01/,
      make: (there) => there.seed({ resources: { [parent]: zone } }),
      mend: "every",
    },
    {
      check: "public-zone-delegated",
      subject: subjects.publicZone,
      evidence: /NS record set "hcp" of example\.com names ns9\.example\.net, ns1-01.*, the zone is at ns1-01/,
      next: /remove-record .* --nsdname ns9\.example\.net\.`$/,
      make: (there) => there.seed({ resources: delegation(["ns9.example.net.", ...servers]) }),
      mend: "every",
    },
  ]);
  await vanish(state, parent);
  expect(rowOf(await state.verify(), "public-zone-delegated", subjects.publicZone)).toMatchObject({
    state: "skipped",
    evidence: expect.stringMatching(
      /no zone above hcp\.example\.com is in this subscription; `dig \+short NS hcp\.example\.com`/,
    ) as string,
  });
});

test("the network: its subnet, its addresses and its peerings", async () => {
  const state = await infraState("--subnet-cidr 10.0.0.0/29");
  const command = made("--subnet-cidr 10.0.0.0/29");
  await state.follow(command);
  const otherNsg = inGroup(groups.nsg, "networkSecurityGroups/other");
  const peering = `${ids.vnet}/virtualNetworkPeerings/hub`;
  const peered = (values: object) => ({
    [peering]: {
      properties: {
        peeringState: "Connected",
        peeringSyncLevel: "FullyInSync",
        remoteAddressSpace: { addressPrefixes: ["10.9.0.0/16"] },
        ...values,
      },
    },
  });
  const machine = (number: number) => inGroup(groups.managed, `networkInterfaces/worker-${String(number)}`);
  const machines = [1, 2, 3].map(machine);
  await state.seed({ resources: { [otherNsg]: { location: "eastus", properties: {} }, ...peered({}) } });
  await eachAlone(state, [
    {
      check: "subnet-exists",
      subject: subjects.vnet,
      evidence: /has no subnet "default"/,
      next: /`aro-hcp create infra .* --subnet-cidr 10\.0\.0\.0\/29` adds it/,
      make: (there) => vanish(there, ids.subnet),
      mend: "first",
    },
    {
      check: "subnet-security-group",
      subject: subjects.vnet,
      evidence: /none is attached to it/,
      next: /`aro-hcp create infra .*` attaches .*demo-demo-x7k2-nsg/,
      make: (there) => store(there, ids.subnet, (stored) => delete stored.properties["networkSecurityGroup"]),
      mend: "first",
    },
    {
      check: "subnet-security-group",
      subject: subjects.vnet,
      evidence: /networkSecurityGroups\/other is attached to it, not .*demo-demo-x7k2-nsg/,
      next: /`az network vnet subnet update --ids .*subnets\/default --network-security-group .*demo-demo-x7k2-nsg`/,
      make: (there) => properties(there, ids.subnet, { networkSecurityGroup: { id: otherNsg } }),
      mend: "first",
    },
    {
      check: "subnet-delegation",
      subject: subjects.vnet,
      evidence: /delegated to Microsoft\.Sql\/managedInstances: Azure puts no virtual machine into it/,
      next: /--remove delegations/,
      make: (there) =>
        properties(there, ids.subnet, { delegations: [{ name: "sql", properties: { serviceName: "Microsoft.Sql/managedInstances" } }] }),
      mend: "first",
    },
    {
      check: "subnet-addresses",
      subject: subjects.vnet,
      evidence: /^all 3 addresses are in use/,
      next: /bring a larger subnet with --subnet-id/,
      make: (there) =>
        there.seed({
          resources: Object.fromEntries(
            machines.map((id) => [
              id,
              { location: "eastus", properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: ids.subnet } } }] } },
            ]),
          ),
        }),
      mend: ({ azure }) => azureRest(azure).arm("DELETE", machine(1), "2025-05-01"),
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      state: "warning",
      evidence: /^hub is Disconnected, FullyInSync$/,
      next: /`az network vnet peering delete --ids .*hub`, and create it again on both networks/,
      make: (there) => there.seed({ resources: peered({ peeringState: "Disconnected" }) }),
      async mend(there, row) {
        await firstLine(advised(there), row);
        await there.seed({ resources: peered({}) });
      },
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      state: "warning",
      evidence: /^hub is Connected, RemoteNotInSync$/,
      next: /^`az network vnet peering sync --ids .*hub`$/,
      make: (there) => there.seed({ resources: peered({ peeringSyncLevel: "RemoteNotInSync" }) }),
      mend: "first",
    },
    {
      check: "peering-ranges",
      subject: subjects.vnet,
      state: "warning",
      evidence: /^hub: 10\.133\.0\.0\/16 overlaps the pod network 10\.132\.0\.0\/14: pods cannot reach/,
      next: /hypershift create cluster azure --cluster-cidr/,
      make: (there) => there.seed({ resources: peered({ remoteAddressSpace: { addressPrefixes: ["10.133.0.0/16"] } }) }),
      mend: (there) => there.seed({ resources: peered({}) }),
    },
    {
      check: "balancer-parts",
      subject: subjects.balancer,
      evidence: /^probes\[demo-x7k2\]: nothing, there is renamed$/,
      next: /`aro-hcp create infra .*` puts it back beside what is there/,
      make: (there) => properties(there, ids.loadBalancer, { probes: [{ name: "renamed", properties: { port: 30595, protocol: "Tcp" } }] }),
      mend: "first",
    },
  ]);

  const near = { podNetworks: ["10.0.0.0/14"], serviceNetworks: ["fd02::/112", "172.31.0.0/16"] };
  const results = await state.verify(near);
  expect(findings(results)).toEqual([`network-ranges/${subjects.vnet} failed`]);
  expect(rowOf(results, "network-ranges", subjects.vnet)).toMatchObject({
    evidence: expect.stringMatching(/^10\.0\.0\.0\/16 overlaps the pod network 10\.0\.0\.0\/14/) as string,
    next: expect.stringContaining("--cluster-cidr ... --service-cidr") as string,
  });
  // "with others, and verify with the same"
  expect(findings(await state.verify({ podNetworks: ["10.200.0.0/14"], serviceNetworks: ["172.31.0.0/16"] }))).toEqual([]);
  followed.add("network-ranges");
});

test("locks, tags of the groups, another range: each is told with what would mend it", async () => {
  const state = await infraState("--resource-group-tags 'team=the edge' --vnet-cidr 10.0.0.0/16");
  await state.follow(made("--resource-group-tags 'team=the edge'"));
  const lock = `${groupId(groups.managed)}/providers/Microsoft.Authorization/locks/keep`;
  await eachAlone(state, [
    {
      check: "no-locks",
      subject: subjects.cluster,
      state: "warning",
      evidence: /^"keep" \(CanNotDelete\) on .*resourceGroups\/demo-demo-x7k2$/,
      next: /`az lock delete --ids .*locks\/keep`/,
      make: (there) => there.seed({ resources: { [lock]: { properties: { level: "CanNotDelete" } } } }),
      mend: "first",
    },
    {
      check: "resource-as-wanted",
      subject: subjects.vnetGroup,
      evidence: /^tags\.team: nothing, not the edge$/,
      next: /`aro-hcp create infra .* --resource-group-tags 'team=the edge'` fixes it/,
      make: (there) => store(there, groupId(groups.vnet), (stored) => delete stored.tags?.["team"]),
      mend: "first",
    },
  ]);
  const elsewhere = await infraState("--vnet-cidr 10.64.0.0/16 --subnet-cidr 10.64.0.0/24");
  await elsewhere.follow(made());
  const results = await elsewhere.verify();
  expect(findings(results)).toEqual([`resource-as-wanted/${subjects.vnet} failed`]);
  expect(rowOf(results, "resource-as-wanted", subjects.vnet)).toMatchObject({
    evidence: expect.stringMatching(/has the address range 10\.0\.0\.0\/16, not 10\.64\.0\.0\/16/) as string,
    next: "pass --vnet-cidr 10.0.0.0/16, or destroy the infrastructure first",
  });
});

test("roles: as the steps of create infra decide", async () => {
  const bare = await infraState();
  const flags = (await roleFlags(bare)).join(" ").replace("--assign-identity-roles", "--assign-custom-hcp-roles");
  const state = await infraState(flags);
  await roleFlags(state);
  await state.follow(made(flags));
  const results = await state.verify();
  expect(findings(results)).toEqual([]);
  expect(results.filter(({ check }) => check === "role-assigned")).toHaveLength(21);
  const forget = (principalId: string) =>
    openState(state.directory).transact((there) => {
      for (const [id, one] of Object.entries(there.roleAssignments)) if (one.principalId === principalId) delete there.roleAssignments[id];
      return { value: undefined, commit: true };
    });
  await eachAlone(state, [
    {
      check: "role-assigned",
      subject: `role assignment Azure Red Hat OpenShift Disk Storage Operator for disk on resource group ${groups.managed}`,
      evidence: /it is not there/,
      next: /`aro-hcp create infra .* --dns-zone-rg-name dns --managed-identities-file .*cp\.json .* --assign-custom-hcp-roles` creates it/,
      make: () => forget(principalIdOf("disk")),
      mend: "first",
    },
    {
      check: "principals-exist",
      subject: "11 identities in the directory",
      evidence: /1 of 11 identities are not in the directory: disk/,
      next: /check the client ids in the identity files/,
      make: () =>
        openState(state.directory).transact((there) => {
          there.applications = there.applications.filter(({ displayName }) => displayName !== "disk");
          return { value: undefined, commit: true };
        }),
      mend: (there) => roleFlags(there),
    },
  ]);
  await openState(state.directory).transact((there) => {
    there.applications = there.applications.filter(({ displayName }) => displayName !== "ingress");
    return { value: undefined, commit: true };
  });
  const unknown = await state.verify();
  expect(unknown.filter(({ check, state }) => check === "role-assigned" && state === "skipped").map(({ subject }) => subject)).toEqual(
    [groups.managed, groups.vnet, "dns"].map(
      (group) => `role assignment Azure Red Hat OpenShift Cluster Ingress Operator for ingress on resource group ${group}`,
    ),
  );
  expect(findings(unknown)).toEqual(["principals-exist/11 identities in the directory failed"]);
  await roleFlags(state);

  const { disk, file } = controlPlane;
  await fileOf(bare, "cp.json", { ...controlPlane, disk: file, file: disk });
  const crossed = await state.verify();
  expect(findings(crossed)).toHaveLength(4);
  expect(
    rowOf(
      crossed,
      "role-assigned",
      `role assignment Azure Red Hat OpenShift Disk Storage Operator for disk on resource group ${groups.managed}`,
    ),
  ).toMatchObject({
    evidence: expect.stringMatching(/held by another identity of the same files$/) as string,
    next: expect.stringMatching(/^find out first which of the two is right: `aro-hcp verify identities`/) as string,
  });
  const plan = await state.cli(["create", "infra", "--cloud", "local", ...made(flags).split(" ").slice(3), "--dry-run"]);
  expect(plan.stdout + plan.stderr).toMatch(
    /for disk on resource group \S+: .*held by the identity of file: if it is right as it is, the two are swapped/,
  );
  await roleFlags(bare);

  const missing = { error: { code: "RoleDefinitionDoesNotExist", message: "gone" } };
  const struck = await state.struck([
    { path: "/roleDefinitions/fc0c873f-[0-9a-f-]+$", times: 100, answer: { status: 404, body: missing } },
    {
      method: "GET",
      path: "/loadBalancers/demo-x7k2$",
      times: 100,
      answer: { status: 403, body: { error: { code: "AuthorizationFailed", message: "no" } } },
    },
  ]);
  const refused = await struck.verify();
  expect(findings(refused)).toEqual([`resource-exists/${subjects.balancer} failed`, "roles-defined/hosted control plane roles failed"]);
  expect(rowOf(refused, "roles-defined", "hosted control plane roles").next).toBe("run without --assign-custom-hcp-roles");
  const without = ["verify", "infra", ...shellWords(made(flags.replace("--assign-custom-hcp-roles", ""))).slice(3), "--cloud", "local"];
  // The tags record what it was made with; a switch that is said to be off goes before them.
  const off = { env: { ARO_HCP_ASSIGN_CUSTOM_HCP_ROLES: "false" } };
  const { results: narrower } = JSON.parse(exits(await state.cli([...without, "-o", "json"], off), 6).stdout) as { results: Result[] };
  expect(new Set(narrower.filter(({ state }) => state === "failed").map(({ check }) => check))).toEqual(new Set(["role-assigned"]));
  await firstLine(advised(state), narrower.find(({ state }) => state === "failed") ?? rowOf([], "role-assigned", "any"));
  exits(await state.cli(without, off), 0);
  followed.add("roles-defined");
  expect(rowOf(refused, "resource-exists", subjects.balancer).evidence).toMatch(/^ARO-[A-Z]+-\d+: /);
});

test("what is brought passes where it fits, and is told of where it does not", async () => {
  const state = await infraState(
    `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg} --resource-group-name mine`,
  );
  await seedLandscape(state);
  await state.follow(
    made(
      `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg} --resource-group-name mine`,
    ),
  );
  const theirs = { vnet: "virtual network theirs", nsg: "network security group theirs" };
  await eachAlone(state, [
    {
      check: "subnet-security-group",
      subject: theirs.vnet,
      evidence: /carries no network security group: .* a brought subnet is never altered/,
      next: /az network vnet subnet update --ids .*workers --network-security-group .*theirs/,
      make: (there) => store(there, existing.subnet, (stored) => delete stored.properties["networkSecurityGroup"]),
      mend: "first",
    },
    {
      check: "resource-succeeded",
      subject: theirs.vnet,
      evidence: /ended as Failed/,
      next: /`az network vnet update --ids .*virtualNetworks\/theirs` writes it again/,
      make: (there) => setState(there, existing.vnet, "Failed"),
      mend: "first",
    },
    {
      check: "resource-location",
      subject: theirs.nsg,
      evidence: /is in westus3, not in eastus/,
      next: /pass --location westus3, or use another/,
      make: (there) => move(there, existing.nsg, "westus3"),
      mend: (there) => move(there, existing.nsg, "eastus"),
    },
    {
      check: "resource-exists",
      subject: "resource group mine",
      evidence: /resource group "mine" does not exist: --resource-group-name names it/,
      next: /correct --resource-group-name/,
      make: (there) => vanish(there, groupId("mine")),
      mend: async (there) => {
        await there.seed({ resources: { [groupId("mine")]: { location: "eastus" } } });
        await there.follow(
          made(
            `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg} --resource-group-name mine`,
          ),
        );
      },
    },
    {
      check: "subnet-exists",
      subject: theirs.vnet,
      evidence: /subnet "workers" is not in virtual network theirs: the network has no subnets/,
      next: /correct --subnet-id/,
      make: (there) => vanish(there, existing.subnet),
      mend: (there) => seedLandscape(there),
    },
  ]);
});

test("another location than it was made in is told of each that has one, and giving that is what passes", async () => {
  const state = await infraState();
  await state.follow(made());
  const verify = ["verify", "infra", ...shellWords(made()).slice(3), "--cloud", "local", "-o", "json"];
  const { results } = JSON.parse(exits(await state.cli([...verify, "--location", "westus3"]), 6).stdout) as { results: Result[] };
  const failed = results.filter(({ state }) => state === "failed");
  expect(new Set(failed.map(({ check }) => check))).toEqual(new Set(["resource-location"]));
  const [, flag = "", value = ""] = /^pass (--location) (\S+),/.exec(failed[0]?.next ?? "") ?? [];
  exits(await state.cli([...verify, flag, value]), 0);
  followed.add("resource-location");
});

test("there is no check whose advice was not followed in this file", () => {
  expect([...followed].sort()).toEqual([...infraCheckIds].sort());
});
