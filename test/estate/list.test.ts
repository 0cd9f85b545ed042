/** `list` on an estate of clusters of every tool, whole and half gone, and of what only looks like them. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Contents } from "../../src/estate/domain/estate.js";
import { readByLists } from "../../src/estate/reading/by-lists.js";
import { readByResourceGraph } from "../../src/estate/reading/by-resource-graph.js";
import { defaultVaultName } from "../../src/domain/identity-names.js";
import { setProvisioningState } from "../harness/state-changes.js";
import { wellKnown } from "../../src/emulator/index.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { cluster, group, identitySet, inGroup, merged, network, principalsOf, scripted } from "./estate-seed.js";

interface Finding {
  readonly kind: string;
  readonly name: string;
  readonly infraID?: string;
  readonly origin: string;
  readonly version?: string;
  readonly identitiesName?: string;
  readonly missing: readonly string[];
  readonly resourceIDs: readonly string[];
  readonly roleAssignments: number;
}

interface Listed {
  readonly code: number | string;
  readonly findings: readonly Finding[];
  readonly unread: readonly object[];
  readonly stderr: string;
}

const own = (name: string, infraId: string) => ({ "aro-hcp-name": name, "aro-hcp-infra-id": infraId });

async function list(azure: TestEmulator, args: readonly string[] = [], options = {}): Promise<Listed> {
  const { code, stdout, stderr } = await azure.cli(["list", "--cloud", "local", "--output", "json", ...args], options);
  return { code, stderr, ...(JSON.parse(stdout) as Pick<Listed, "findings" | "unread">) };
}

/** "clusters demo/x7k2 of aro-hcp, no private DNS zone" */
function lineOf({ kind, name, infraID, origin, missing }: Finding): string {
  return [`${kind} ${infraID === undefined ? name : `${name}/${infraID}`} of ${origin}`, ...missing.map((one) => `no ${one}`)].join(", ");
}

async function estate(): Promise<TestEmulator> {
  const azure = await testEmulator();
  await azure.seed(identitySet("shared"));
  const half = Object.entries(identitySet("half").resources).filter(([id]) => !/userAssignedIdentities\/azure-disk-/.test(id));
  await azure.seed(
    merged([
      { resources: Object.fromEntries(half) },
      cluster({
        name: "c01",
        infraId: "x7k2",
        naming: "documented",
        tags: own("c01", "x7k2"),
        principals: await principalsOf(azure, "shared"),
      }),
      // A policy has changed the case of the tags.
      cluster({ name: "c08", infraId: "m3n4", naming: "hypershift", tags: { "ARO-HCP-Name": "c08", "ARO-HCP-Infra-Id": "m3n4" } }),
      cluster({ name: "c11", infraId: "p5q6", naming: "documented", tags: own("c11", "p5q6"), without: ["roles", "balancer"] }),
      group("c13-r7s8-nsg", own("c13", "r7s8")),
      // Names with hyphens: a-b and c, not a and b-c.
      cluster({ name: "a-b", infraId: "c", naming: "hypershift" }),
      cluster({ name: "c20", infraId: "t9u1", naming: "hypershift", without: ["roles"] }),
      scripted("c24"),
      scripted("c25", ["managed-rg", "customer-nsg-rg"]),
      group("c26-ab1cd-rg", { "kubernetes.io_cluster.c26-ab1cd": "owned" }),
      group("c26-oidc", { "openshift.io_cloud-credential-operator_c26": "owned" }),
      inGroup("c26-oidc", "Microsoft.Storage/storageAccounts", "c26", {
        kind: "StorageV2",
        sku: { name: "Standard_LRS" },
        tags: { "openshift.io_cloud-credential-operator_c26": "owned" },
      }),
      group("c28", { "sigs.k8s.io_cluster-api-provider-azure_cluster_c28": "owned" }),
      // Lookalikes: tags that a policy has copied, one group of the scripts, a network of anybody.
      group("team-a", own("c01", "x7k2")),
      inGroup("team-a", "Microsoft.Network/virtualNetworks", "team", { tags: own("c01", "x7k2"), ...network }),
      scripted("alone", ["managed-rg"]),
      group("web-prod"),
      inGroup("web-prod", "Microsoft.Network/virtualNetworks", "web-prod", network),
    ]),
  );
  return azure;
}

describe("of clusters of every tool", () => {
  test("each is listed once, with what it lacks, and lookalikes are not", async () => {
    const listed = await list(await estate());
    expect(listed.findings.map(lineOf)).toEqual([
      "clusters a-b/c of hypershift",
      "clusters c01/x7k2 of aro-hcp",
      "clusters c08/m3n4 of aro-hcp",
      "clusters c11/p5q6 of aro-hcp, no load balancer or NAT gateway",
      "clusters c13/r7s8 of aro-hcp, no private DNS zone, no load balancer or NAT gateway",
      "clusters c20/t9u1 of hypershift",
      "clusters c24 of contrib scripts",
      "clusters c25 of contrib scripts, no resource group c25-customer-vnet-rg",
      "clusters c26-ab1cd of openshift-install",
      "clusters c28 of Cluster API",
      "identities half of aro-hcp, no managed identity azure-disk-MI-half",
      "identities shared of aro-hcp",
      "oidc-issuers c26 of ccoctl",
    ]);
    expect(listed).toMatchObject({ code: 0, unread: [] });
  });

  test("a cluster has its set, its assignments, and only what has its names", async () => {
    const listed = await list(await estate());
    const [first] = listed.findings.filter(({ name }) => name === "c01");
    expect(first).toMatchObject({ identitiesName: "shared" });
    expect(first?.roleAssignments).toBeGreaterThan(5);
    expect(first?.resourceIDs.filter((id) => id.includes("team-a"))).toEqual([]);
    const versions = listed.findings.filter(({ origin }) => origin === "hypershift").map(({ version }) => version);
    expect(versions).toEqual(["2026-08 or later", "2026-08 or later"]);
  });

  test("a kind alone is listed, and another word is refused", async () => {
    const azure = await estate();
    expect((await list(azure, ["identities"])).findings.map(({ name }) => name)).toEqual(["half", "shared"]);
    const { code, stderr } = await azure.cli(["list", "networks", "--cloud", "local"]);
    expect(code).toBe(2);
    expect(stderr).toContain("clusters");
  });

  test("what cannot be read is named, and the exit code says so", async () => {
    const azure = await estate();
    const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no right" } } };
    const faults = [{ method: "GET", path: "/providers/Microsoft.Authorization/roleAssignments$", times: 9, answer }];
    const { code, unread, findings } = await list(azure, [], { faults });
    expect(code).toBe(8);
    expect(unread).toMatchObject([{ failure: { because: "no right", code: "ARO-AUTHZ-001" } }]);
    expect(findings.length).toBeGreaterThan(9);
    const unknown = "00000000-0000-4000-8000-00000000abcd";
    const named = await list(azure, ["--subscriptions", unknown]);
    expect(named).toMatchObject({ code: 8, findings: [], unread: [{ subscriptionID: unknown, failure: { code: "ARO-AUTH-004" } }] });
  });

  test("people see one table for a subscription, and a pipe gets no escape codes", async () => {
    const azure = await estate();
    const { stdout, code } = await azure.cli(["list", "--cloud", "local"]);
    expect(code).toBe(0);
    expect(stdout).toContain("cluster       a-b/c");
    expect(stdout).toContain("10 clusters, 2 identity sets, 1 OIDC issuer in 1 subscription");

    expect(stdout).not.toMatch(/\u001b/);
  });
});

test("a cluster has its management cluster, whose add-on reads the vault of the set, and what Azure says of its health", async () => {
  const azure = await testEmulator();
  const place = { subscriptionId: wellKnown.subscriptionId, groupName: "shared-common", name: "shared" };
  const tags = { "aro-hcp-management-cluster": "mgmt" };
  const groupOf = (name: string) => `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${name}`;
  const reader = {
    id: `${groupOf("mgmt-nodes")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/addon`,
    principalId: randomUUID(),
  };
  const vault = `${groupOf("shared-common")}/providers/Microsoft.KeyVault/vaults/${defaultVaultName(place)}`;
  await azure.seed(
    merged([
      identitySet("shared"),
      inGroup("shared-common", "Microsoft.KeyVault/vaults", defaultVaultName(place), {
        tags: { "aro-hcp-identities": "shared" },
        properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
      }),
      group("mgmt", tags),
      inGroup("mgmt", "Microsoft.ContainerService/managedClusters", "mgmt", {
        tags,
        identity: { type: "SystemAssigned" },
        properties: {
          dnsPrefix: "mgmt",
          nodeResourceGroup: "mgmt-nodes",
          agentPoolProfiles: [{ name: "system", mode: "System", count: 1 }],
        },
      }),
    ]),
  );
  await azure.seed({
    identities: [reader],
    roleAssignments: [{ scope: vault, role: "4633458b-17de-408a-b874-0445c86b69e6", principalId: reader.principalId }],
  });
  const key = { name: "c01", infraId: "x7k2" };
  const principals = await principalsOf(azure, "shared");
  await azure.seed(cluster({ ...key, naming: "documented", tags: own("c01", "x7k2"), principals }));
  const nsg = `${groupOf("c01-x7k2-nsg")}/providers/Microsoft.Network/networkSecurityGroups/c01-x7k2-nsg`;
  await setProvisioningState(azure, nsg, "Failed");
  const [found] = (await list(azure, ["clusters"])).findings;
  expect(found).toMatchObject({ identitiesName: "shared", managementCluster: "mgmt", unready: [{ resourceID: nsg, state: "Failed" }] });
  const { stdout } = await azure.cli(["list", "clusters", "--cloud", "local"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("whole; 1 resource Failed; set shared; on mgmt");
});

test("Resource Graph shows the same as the lists, and nothing of a subscription that it may not read as a whole", async () => {
  const { directory } = await estate();
  const azure = await connectedAzure(directory);
  const { subscriptionId } = azure.connection;
  const withoutDates = ({ entries, assignments }: Contents) => ({
    entries: entries.map((entry) => ({ ...entry, createdAt: undefined })).toSorted(byId),
    // Resource Graph names a built-in role without the subscription.
    assignments: assignments
      .map(({ createdOn, roleDefinitionId, ...one }) => ({
        ...one,
        createdOn: createdOn?.toISOString(),
        role: roleDefinitionId?.split("/").at(-1),
      }))
      .toSorted(byId),
  });
  const [lists, graph] = await Promise.all([readByLists(azure, subscriptionId), readByResourceGraph(azure, [subscriptionId])]);
  expect(graph.read).toEqual([subscriptionId]);
  expect(withoutDates(graph.contents)).toEqual(withoutDates(lists));
  expect(lists.entries.length).toBeGreaterThan(40);
  const unreadable = "00000000-0000-4000-8000-00000000abcd";
  expect((await readByResourceGraph(azure, [unreadable])).read).toEqual([]);
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1;
}

describe("of sixty clusters in six subscriptions", () => {
  const subscriptions = ["1", "2", "3", "4", "5"].map((digit) => `5b5c0000-0000-4000-8000-0000000000a${digit}`);
  const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
  const readerOn = (scope: string) => ({ scope, name: randomUUID(), role: reader, principalId: wellKnown.clientPrincipalId });

  /** Of the last one, the caller may read one resource group. */
  async function sixty(): Promise<TestEmulator> {
    const azure = await testEmulator();
    await azure.seed({ subscriptions: subscriptions.map((subscriptionId) => ({ subscriptionId })) });
    const places = [wellKnown.subscriptionId, ...subscriptions];
    const clusters = places.flatMap((subscriptionId, at) =>
      Array.from({ length: 10 }, (_, number) => {
        const [name, infraId] = [`c${String(at)}${String(number)}`, `i${String(at)}x${String(number)}`];
        return cluster({
          name,
          infraId,
          naming: number < 5 ? "documented" : "hypershift",
          tags: number < 5 ? own(name, infraId) : {},
          subscriptionId,
        });
      }),
    );
    const scopes = subscriptions.map((id) => `/subscriptions/${id}`);
    const readers = scopes.map((scope, at) => readerOn(at < 4 ? scope : `${scope}/resourceGroups/c50-i5x0`));
    await azure.seed(merged([...clusters, { resources: {}, roleAssignments: readers }]));
    await azure.traffic();
    return azure;
  }

  test("takes at most 40 requests, and names what it may not read", async () => {
    const azure = await sixty();
    const { code, findings, unread } = await list(azure);
    const requests = (await azure.traffic()).filter(({ url }) => !url.includes("login.microsoftonline.com"));
    expect(requests.length).toBeLessThanOrEqual(40);
    expect(requests.filter(({ url }) => url.includes("Microsoft.ResourceGraph")).length).toBeGreaterThan(0);
    expect(findings.filter(({ origin, missing }) => origin === "aro-hcp" && missing.length === 0).length).toBeGreaterThanOrEqual(25);
    expect(findings.filter(({ origin }) => origin === "hypershift").length).toBe(25);
    expect(code).toBe(8);
    expect(unread.length).toBeGreaterThan(0);
    for (const one of unread) expect(one).toMatchObject({ subscriptionID: subscriptions.at(-1) });
  });

  test("if Resource Graph cuts its answer, lists show all of it", async () => {
    const azure = await sixty();
    const { findings: whole } = await list(azure);
    await azure.seed({ knobs: { resourceGraphRowLimit: 20 } });
    const { findings } = await list(azure);
    expect(findings.map(lineOf)).toEqual(whole.map(lineOf));
    expect(
      (await azure.traffic()).filter(({ url }) => url.includes("/resourcegroups?") || url.includes("/resourceGroups?")).length,
    ).toBeGreaterThan(5);
  });
});
