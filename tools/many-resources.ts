/** An emulator's state with many resources, and requests whose cost must not depend on how many there are. */
import { randomUUID } from "node:crypto";
import { coreOf } from "../src/emulator/services/all-services.js";
import { systemClock } from "../src/emulator/common/clock.js";
import { systemRandom } from "../src/emulator/common/random.js";
import { serveRequest, type ServerDeps } from "../src/emulator/core/serve-request.js";
import type { ApiRequest } from "../src/emulator/core/service.js";
import { signAccessToken } from "../src/emulator/core/access-token.js";
import type { AzureState, StoredResource } from "../src/emulator/state/state.js";
import type { StateStore } from "../src/emulator/state/store.js";
import { wellKnown } from "../src/emulator/state/well-known.js";

export interface Sent {
  readonly method: ApiRequest["method"];
  readonly host: string;
  /** Path and query. */
  readonly target: string;
  readonly body?: unknown;
}

/** Resolves to the body of the answer. @throws Error for a refusal */
export type Send = (sent: Sent) => Promise<unknown>;

const arm = "management.azure.com";
const graph = "graph.microsoft.com";
const home = `/subscriptions/${wellKnown.subscriptionId}`;
const contributor = `${home}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`;
const regions = ["eastus", "westeurope", "uksouth", "centralus", "westus3", "northeurope"];
const resourcesInGroup = 20;

/** Sends requests to the emulator's core, without a server. */
export async function senderTo(store: StateStore): Promise<Send> {
  const surroundings = { clock: systemClock, random: systemRandom };
  const core = coreOf(store, surroundings, { latency: "none", timeScale: 1, record: undefined, faults: [] });
  const deps: ServerDeps = { ...core, fetch: () => Promise.resolve(undefined) };
  const tokens = new Map(await Promise.all([arm, graph].map(async (host) => [host, await tokenFor(store, host)] as const)));
  return async ({ method, host, target, body }) => {
    const [path = "", query = ""] = target.split("?");
    const request: ApiRequest = {
      method,
      host,
      path: path
        .split("/")
        .filter((segment) => segment !== "")
        .map(decodeURIComponent),
      target,
      query: new URLSearchParams(query),
      headers: { authorization: `Bearer ${tokens.get(host) ?? ""}` },
      body,
    };
    const answer = await serveRequest(
      request,
      () => Promise.resolve(request),
      randomUUID(),
      deps,
      () => undefined,
    );
    if (answer.status >= 300) throw new Error(`${method} ${target} answered ${String(answer.status)}`);
    return answer.body;
  };
}

function tokenFor(store: StateStore, host: string): Promise<string> {
  const subject = { appId: wellKnown.clientId, objectId: wellKnown.clientPrincipalId, roles: [], proof: "secret" } as const;
  return store.transact(async (state) => ({
    value: signAccessToken(state, subject, `https://${host}`, systemClock.now().getTime()),
    commit: false,
  }));
}

const group = (nth: number | string): string => `${home}/resourceGroups/group-${String(nth)}`;
const inGroup = (type: string, name: string, nth: number | string = "zero"): string => `${group(nth)}/providers/${type}/${name}`;
const network = (name: string): string => inGroup("Microsoft.Network/virtualNetworks", name);
const address = (name: string): string => inGroup("Microsoft.Network/publicIPAddresses", name);
const account = (name: string): string => inGroup("Microsoft.Storage/storageAccounts", name);
const vault = (name: string): string => inGroup("Microsoft.KeyVault/vaults", name);
const identity = (name: string): string => inGroup("Microsoft.ManagedIdentity/userAssignedIdentities", name);
const zone = inGroup("Microsoft.Network/dnsZones", "demo.example", "dns");
const assignment = (scope: string): string => `${scope}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;

const put = (id: string, version: string, body: unknown): Sent => ({
  method: "PUT",
  host: arm,
  target: `${id}?api-version=${version}`,
  body,
});
const get = (id: string, version: string, query = ""): Sent => ({
  method: "GET",
  host: arm,
  target: `${id}?api-version=${version}${query && `&${query}`}`,
});
const remove = (id: string, version: string): Sent => ({ method: "DELETE", host: arm, target: `${id}?api-version=${version}` });
const ofGraph = (method: Sent["method"], path: string, body?: unknown): Sent => ({ method, host: graph, target: `/v1.0/${path}`, body });

const located = { location: "eastus" };
const networkBody = (nth: number): unknown => ({
  ...located,
  tags: { owner: "zero" },
  properties: {
    addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
    subnets: [{ name: "default", properties: { addressPrefix: `10.${String(nth % 200)}.0.0/24` } }],
  },
});
const addressBody = { ...located, sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } };
const accountBody = { ...located, sku: { name: "Standard_LRS" }, kind: "StorageV2" };
const vaultBody = {
  ...located,
  properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
};
const assignmentBody = (): unknown => ({
  properties: { roleDefinitionId: contributor, principalId: randomUUID(), principalType: "ServicePrincipal" },
});
const recordBody = { properties: { TTL: 60, ARecords: [{ ipv4Address: "10.0.0.4" }] } };

/** The first group, written by requests. */
async function writeFirst(send: Send): Promise<void> {
  for (const sent of [
    put(group("zero"), "2022-09-01", located),
    put(network("network-zero"), "2024-05-01", networkBody(0)),
    put(address("address-zero"), "2024-05-01", addressBody),
    put(account("accountzero"), "2023-05-01", accountBody),
    put(`${account("accountzero")}/blobServices/default/containers/content`, "2023-05-01", { properties: {} }),
    put(vault("vault-zero"), "2023-07-01", vaultBody),
    put(identity("identity-zero"), "2023-01-31", located),
    put(group("dns"), "2022-09-01", located),
    put(zone, "2018-05-01", { location: "global" }),
    put(`${zone}/A/record-zero`, "2018-05-01", recordBody),
    put(assignment(group("zero")), "2022-04-01", assignmentBody()),
    ofGraph("POST", "applications", { displayName: "application-zero", uniqueName: "unique-zero", tags: ["tag-zero"] }),
  ]) {
    await send(sent);
  }
}

/** How many of each there are in a group: with the group itself and children, as many as `resourcesInGroup`. */
const copies = { network: 5, address: 3, account: 1, vault: 1, record: 2, identity: 1 };

/** Groups like the first one. No request is sent for them. */
export async function fillState(store: StateStore, send: Send, count: number): Promise<void> {
  await writeFirst(send);
  await store.transact((state) => {
    const first = Object.entries(state.resources).filter(([key]) => key.includes("zero"));
    const firstAssignment = Object.values(state.roleAssignments).find(({ scope }) => scope === group("zero"))!;
    const firstApplication = Object.values(state.applications).find(({ displayName }) => displayName === "application-zero")!;
    for (let nth = 1; nth < count / resourcesInGroup; nth++) {
      copyGroup(state, first, nth);
      const id = assignment(group(nth));
      state.roleAssignments[id.toLowerCase()] = { ...renamed(firstAssignment, nth), id, scope: group(nth), principalId: randomUUID() };
      const [appId, objectId] = [randomUUID(), randomUUID()];
      state.applications[appId] = { ...renamed(firstApplication, nth), appId, id: objectId, servicePrincipalId: randomUUID() };
    }
    return { value: undefined, commit: true };
  });
}

function copyGroup(state: AzureState, first: readonly (readonly [string, StoredResource])[], nth: number): void {
  for (const [key, resource] of first) {
    const [, kind = ""] = /(\w+?)-?zero(?:\/\w+\/default.*|\/subnets.*)?$/.exec(key) ?? [];
    for (let copy = 0; copy < (copies[kind as keyof typeof copies] ?? 1); copy++) {
      const name = kind === "group" || copy === 0 ? String(nth) : `${String(nth)}x${String(copy)}`;
      const made = renamed(resource, nth, name);
      // Addresses and identities are each other's only by mistake.
      if ("ipAddress" in made.properties) made.properties["ipAddress"] = `241.${String(copy)}.${String(nth >> 8)}.${String(nth & 255)}`;
      if ("clientId" in made.properties) Object.assign(made.properties, { clientId: randomUUID(), principalId: randomUUID() });
      if (made.location === "eastus") made.location = regions[nth % regions.length]!;
      // All record sets are in one zone.
      const place = (id: string) => (kind === "record" ? id.replace("record-zero", `record-${name}`) : renamed(id, nth, name));
      made.id = place(resource.id);
      state.resources[place(key)] = made;
    }
  }
}

function renamed<T>(value: T, nth: number, name = String(nth)): T {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll("group-zero", `group-${String(nth)}`)
      .replaceAll("zero", name),
  ) as T;
}

/** By name. Each can be sent again and again, and leaves as many resources as there were. */
export function requestsOf(): Readonly<Record<string, readonly Sent[]>> {
  const [fresh, versionOfNetwork] = [randomUUID().slice(0, 8), "2024-05-01"];
  const again = (id: string, version: string, body: unknown): readonly Sent[] => [put(id, version, body), remove(id, version)];
  const purge = `${home}/providers/Microsoft.KeyVault/locations/eastus/deletedVaults/vault-${fresh}/purge?api-version=2023-07-01`;
  const role = assignment(group("zero"));
  const quoted = (text: string) => encodeURIComponent(text);
  return {
    "GET group": [get(group("zero"), "2022-09-01")],
    "PUT, DELETE group": again(group(fresh), "2022-09-01", located),
    "GET network": [get(network("network-zero"), versionOfNetwork)],
    "PUT network": [put(network("network-zero"), versionOfNetwork, networkBody(1))],
    "PUT, DELETE address": again(address("address-new"), versionOfNetwork, addressBody),
    "PUT, DELETE account": again(account(`account${fresh}`), "2023-05-01", accountBody),
    "PUT, DELETE vault": [...again(vault(`vault-${fresh}`), "2023-07-01", vaultBody), { method: "POST", host: arm, target: purge }],
    "PUT, DELETE record set": again(`${zone}/A/record-new`, "2018-05-01", recordBody),
    "PUT, DELETE role": again(role, "2022-04-01", assignmentBody()),
    "list networks of group": [get(inGroup("Microsoft.Network", "virtualNetworks"), versionOfNetwork)],
    "list containers": [get(`${account("accountzero")}/blobServices/default/containers`, "2023-05-01")],
    "list resources of group": [get(`${group("zero")}/resources`, "2021-04-01")],
    "list by tag": [get(`${home}/resources`, "2021-04-01", `$filter=${quoted("tagName eq 'owner' and tagValue eq 'zero'")}`)],
    "list by name and group": [
      get(`${home}/resources`, "2021-04-01", `$filter=${quoted("resourceGroup eq 'group-zero' and name eq 'vault-zero'")}`),
    ],
    "list roles of group": [get(`${group("zero")}/providers/Microsoft.Authorization/roleAssignments`, "2022-04-01", "$filter=atScope()")],
    "usages of region": [get(`${home}/providers/Microsoft.Network/locations/eastus/usages`, versionOfNetwork)],
    "check account name": [
      {
        method: "POST",
        host: arm,
        target: `${home}/providers/Microsoft.Storage/checkNameAvailability?api-version=2023-05-01`,
        body: { name: `account${fresh}`, type: "Microsoft.Storage/storageAccounts" },
      },
    ],
    "Graph by unique name": [ofGraph("GET", "applications(uniqueName='unique-zero')")],
    "Graph by display name": [ofGraph("GET", `applications?$filter=${quoted("displayName eq 'application-zero'")}`)],
    "Graph by tag": [ofGraph("GET", `applications?$filter=${quoted("tags/any(t:t eq 'tag-zero')")}`)],
    "Graph principal": [ofGraph("GET", `servicePrincipals?$filter=${quoted(`appId eq '${wellKnown.clientId}'`)}`)],
    "Graph update": [ofGraph("PATCH", "applications(uniqueName='unique-zero')", { tags: ["tag-zero"] })],
  };
}
