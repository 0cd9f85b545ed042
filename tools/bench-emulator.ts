/** Measures what a request costs the emulator, with few and with many resources: `npm run bench:emulator -- 100 10000`. */
import { randomUUID } from "node:crypto";
import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { armService } from "../src/emulator/arm/service.js";
import { systemClock } from "../src/emulator/clock.js";
import { systemRandom } from "../src/emulator/random.js";
import { serveRequest, type ServerDeps } from "../src/emulator/server/serve-request.js";
import { Throttle } from "../src/emulator/server/throttle.js";
import type { ApiRequest } from "../src/emulator/service.js";
import { signAccessToken } from "../src/emulator/services/entra/access-token.js";
import { freshState } from "../src/emulator/state/seed.js";
import type { AzureState } from "../src/emulator/state/state.js";
import { StateStore } from "../src/emulator/state/store.js";
import { wellKnown } from "../src/emulator/state/well-known.js";
import { plural } from "../src/text/plural.js";
import { median } from "./bench-usage.js";

const home = `/subscriptions/${wellKnown.subscriptionId}`;
const contributor = `${home}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`;
const rounds = 200;
const resourcesInGroup = 20;

type Send = (method: ApiRequest["method"], path: string, apiVersion: string, body?: unknown) => Promise<void>;

async function senderFor(store: StateStore): Promise<Send> {
  const deps: ServerDeps = {
    store,
    clock: systemClock,
    random: systemRandom,
    services: [armService],
    throttle: new Throttle(1, false),
    latency: "none",
    timeScale: 1,
    fetch: () => Promise.resolve(undefined),
  };
  const subject = { appId: wellKnown.clientId, objectId: wellKnown.clientPrincipalId, roles: [], proof: "secret" } as const;
  const now = systemClock.now().getTime();
  const token = await store.transact(async (state) => ({
    value: await signAccessToken(state, subject, "https://management.azure.com", now),
    commit: false,
  }));
  return async (method, path, apiVersion, body) => {
    const query = `api-version=${apiVersion}`;
    const { status } = await serveRequest(
      {
        method,
        host: "management.azure.com",
        path: path.split("/").filter((segment) => segment !== ""),
        target: `${path}?${query}`,
        query: new URLSearchParams(query),
        headers: { authorization: `Bearer ${token}` },
        body,
      },
      randomUUID(),
      deps,
    );
    if (status >= 300) throw new Error(`${method} ${path} answered ${String(status)}`);
  };
}

const network = (nth: number): unknown => ({
  location: "eastus",
  properties: {
    addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
    subnets: [{ name: "default", properties: { addressPrefix: `10.${String(nth % 200)}.0.0/24` } }],
  },
});

/** Groups of virtual networks, each with a subnet and a role assignment. The first ones are written by requests, the others are copies of them. */
async function fill(store: StateStore, send: Send, count: number): Promise<void> {
  await send("PUT", groupId(0), "2022-09-01", { location: "eastus" });
  await send("PUT", networkId(0, 0), "2024-05-01", network(0));
  await send("PUT", assignmentId(groupId(0)), "2022-04-01", assignment());
  await store.transact((state) => {
    for (let nth = 1; Object.keys(state.resources).length < count && nth < count; nth++) copyInto(state, nth);
    return { value: undefined, commit: true };
  });
}

const groupId = (group: number): string => `${home}/resourceGroups/group-${String(group)}`;
const networkId = (group: number, nth: number): string =>
  `${groupId(group)}/providers/Microsoft.Network/virtualNetworks/network-${String(nth)}`;
const assignmentId = (scope: string): string => `${scope}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
const assignment = (): unknown => ({
  properties: { roleDefinitionId: contributor, principalId: randomUUID(), principalType: "ServicePrincipal" },
});

function copyInto(state: AzureState, nth: number): void {
  const group = Math.floor(nth / (resourcesInGroup / 2));
  const renamed = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll("network-0", `network-${String(nth)}`)
        .replaceAll("group-0", `group-${String(group)}`),
    ) as T;
  for (const key of [groupId(0), networkId(0, 0), `${networkId(0, 0)}/subnets/default`].map((id) => id.toLowerCase())) {
    state.resources[renamed(key)] ??= renamed(state.resources[key]!);
  }
  const id = assignmentId(networkId(group, nth));
  const [first] = Object.values(state.roleAssignments).filter(({ scope }) => scope === groupId(0));
  // Fewer than a subscription may have.
  if (nth % 5 === 0)
    state.roleAssignments[id.toLowerCase()] = { ...renamed(first!), id, scope: networkId(group, nth), principalId: randomUUID() };
}

/** Medians of processor time, in microseconds, by request. */
async function measure(count: number): Promise<Record<string, number>> {
  const directory = mkdtempSync(join(tmpdir(), "aro-hcp-bench-"));
  try {
    const store = StateStore.open(directory, () => freshState("secret"));
    const send = await senderFor(store);
    await fill(store, send, count);
    const kept = assignmentId(groupId(0));
    await send("PUT", kept, "2022-04-01", assignment());
    let nth = 0;
    const requests: Record<string, () => Promise<void>> = {
      "GET resource group": () => send("GET", groupId(0), "2022-09-01"),
      "PUT resource group": () =>
        send("PUT", `${groupId(0)}-${String(nth % 10)}`, "2022-09-01", { location: "eastus", tags: { nth: String(nth++) } }),
      "GET virtual network": () => send("GET", networkId(0, 0), "2024-05-01"),
      "PUT virtual network": () => send("PUT", networkId(0, 0), "2024-05-01", network(nth++)),
      "GET role assignment": () => send("GET", kept, "2022-04-01"),
      "PUT role assignment": () => send("PUT", assignmentId(groupId(0)), "2022-04-01", assignment()),
    };
    const times = Object.fromEntries(Object.keys(requests).map((name) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, request] of Object.entries(requests)) {
        const before = process.cpuUsage();
        await request();
        const { user, system } = process.cpuUsage(before);
        times[name]?.push(user + system);
      }
    }
    return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const counts = process.argv.slice(2).map(Number);
if (counts.length === 0) counts.push(100, 10_000);
// What the first requests of a process pay for compilation is nobody's.
await measure(100);
const found: Record<string, number>[] = [];
for (const count of counts) found.push(await measure(count));
const row = (cells: readonly string[]): string =>
  cells.map((cell, column) => (column === 0 ? cell.padEnd(22) : cell.padStart(16))).join("");
process.stdout.write(`${row(["processor time in ms", ...counts.map((count) => plural(count, "resource")), "ratio"])}\n`);
for (const name of Object.keys(found[0] ?? {})) {
  const times = found.map((each) => each[name] ?? 0);
  const ratio = (times.at(-1) ?? 0) / (times[0] ?? 1);
  process.stdout.write(`${row([name, ...times.map((time) => (time / 1000).toFixed(2)), ratio.toFixed(2)])}\n`);
}
