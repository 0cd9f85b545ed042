/** No limit of the emulator is lower than Azure's own. */
import { expect, test } from "vitest";
import { readBody, readHead } from "../../src/emulator/core/read-request.js";
import { resetState, seedState, stateSnapshot } from "../../src/emulator/index.js";
import type { StoredResource } from "../../src/emulator/state/state.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { ArmState, subscription } from "./arm/arm-state.js";

const location = "eastus";
const network = "/resourceGroups/demo/providers/Microsoft.Network";

/** Stands for what many requests would create. */
function hold(arm: ArmState, type: string, count: number, propertiesOf: (nth: number) => StoredResource["properties"]): void {
  for (let nth = 0; nth < count; nth++) {
    const id = `${subscription}${network}/${type}/held-${String(nth)}`;
    arm.state.resources[id.toLowerCase()] = {
      id,
      name: `held-${String(nth)}`,
      type: `Microsoft.Network/${type}`,
      location: "westeurope",
      properties: propertiesOf(nth),
    };
  }
}

function putAddress(arm: ArmState, name: string): unknown {
  const id = `${arm.group("demo")}/providers/Microsoft.Network/publicIPAddresses/${name}`;
  arm.put(id, { location, sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } });
  return arm.state.resources[id.toLowerCase()]?.properties["ipAddress"];
}

test("a subscription has more public addresses than the documentation ranges: each another one, and the lowest that is free", () => {
  const arm = new ArmState();
  const inBoth = (nth: number) => `${nth < 254 ? "203.0.113" : "198.51.100"}.${String((nth % 254) + 1)}`;
  hold(arm, "publicIPAddresses", 2 * 254, (nth) => ({ ipAddress: inBoth(nth) }));
  expect([putAddress(arm, "a"), putAddress(arm, "b")]).toEqual(["240.0.0.1", "240.0.0.2"]);
  delete arm.state.resources[`${subscription}${network}/publicIPAddresses/held-300`.toLowerCase()];
  expect([putAddress(arm, "c"), putAddress(arm, "d")]).toEqual([inBoth(300), "240.0.0.3"]);
  hold(arm, "publicIPAddresses", 508, (nth) => ({ ipAddress: nth < 256 ? `240.0.0.${String(nth)}` : `240.0.1.${String(nth - 256)}` }));
  expect(putAddress(arm, "e")).toBe("203.0.113.1");
});

test("an address prefix may have the largest size, and there is room for many", () => {
  const arm = new ArmState();
  const put = (name: string, prefixLength: number): unknown => {
    const id = `${arm.group("demo")}/providers/Microsoft.Network/publicIPPrefixes/${name}`;
    arm.put(id, { location, sku: { name: "Standard" }, properties: { prefixLength } });
    return arm.state.resources[id.toLowerCase()]?.properties["ipPrefix"];
  };
  hold(arm, "publicIPPrefixes", 16, (nth) => ({ ipPrefix: `192.0.2.${String(16 * nth)}/28` }));
  expect([put("a", 28), put("b", 21), put("c", 28), put("d", 21)]).toEqual([
    "248.0.0.0/28",
    "248.0.8.0/21",
    "248.0.0.16/28",
    "248.0.16.0/21",
  ]);
});

test("a page has as many entries as a client asks for, up to a thousand", () => {
  const arm = new ArmState();
  const locks = `${subscription}/providers/Microsoft.Authorization/locks`;
  for (let nth = 0; nth < 1200; nth++) {
    const lock = { id: `${locks}/lock-${String(nth)}`, name: `lock-${String(nth)}`, type: "Microsoft.Authorization/locks", properties: {} };
    arm.state.resources[lock.id.toLowerCase()] = lock;
  }
  const entries = (query: string): number =>
    (arm.get(`${locks}${query}`, { apiVersion: "2020-05-01" }).body as { value: unknown[] }).value.length;
  expect([entries(""), entries("?$top=5"), entries("?$top=700"), entries("?$top=1100")]).toEqual([100, 5, 700, 1000]);
});

test("a request to a storage account may have more than the 256 MiB that the SDKs send at once", async () => {
  const head = readHead({ method: "PUT", url: "/c/b?comp=block&blockid=QQ==", headers: { host: "demo.blob.core.windows.net" } });
  const { body } = await readBody(
    Array.from({ length: 5 }, () => Buffer.alloc(64 * 1024 * 1024)),
    head,
  );
  expect((body as Buffer).length).toBe(320 * 1024 * 1024);
});

test("a seed document has many resources, each of which may need those before it; refused, it adds none of them", async () => {
  const { path: directory } = temporaryDirectory();
  const group = `${subscription}/resourceGroups/demo`;
  const resources: Record<string, unknown> = { [group]: { location } };
  const put = { location, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };
  for (let nth = 0; nth < 150; nth++) {
    const net = `${subscription}${network}/virtualNetworks/net-${String(nth)}`;
    resources[net] = put;
    resources[`${net}/subnets/workers`] = { properties: { addressPrefix: "10.0.1.0/24" } };
  }
  const wrong = { ...resources, [`${subscription}${network}/virtualNetworks/wrong`]: { location, properties: {} } };
  resetState(directory);
  const before = (await stateSnapshot(directory)).resources;
  await expect(seedState(directory, { resources: wrong })).rejects.toThrow(/wrong, which is rejected/);
  expect((await stateSnapshot(directory)).resources).toEqual(before);
  await seedState(directory, { resources });
  expect(Object.keys((await stateSnapshot(directory)).resources)).toHaveLength(Object.keys(before).length + 301);
});
