import fc from "fast-check";
import { expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

interface Page {
  readonly value: { id: string; name: string; type: string }[];
  readonly nextLink?: string;
}

function all(arm: ArmState, target: string): { names: string[]; pages: number } {
  const names: string[] = [];
  let pages = 0;
  for (let next: string | undefined = target; next !== undefined; pages += 1) {
    const page = arm.get(next).body as Page;
    names.push(...page.value.map(({ name }) => name));
    next = page.nextLink;
  }
  return { names, pages };
}

test("pages of any size together contain every group once", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 5 }), (groups, pageSize) => {
      const arm = new ArmState();
      arm.state.knobs = { pageSize };
      const made = Array.from({ length: groups }, (_, index) => `group-${String(index)}`);
      made.forEach((name) => arm.group(name));
      const { names, pages } = all(arm, `${subscription}/resourcegroups`);
      expect(names.sort()).toEqual(["dns", ...made].sort());
      expect(pages).toBe(Math.ceil((groups + 1) / pageSize));
    }),
    { numRuns: 20 },
  );
});

test("groups are found by tag: the name in any case, the value exactly", () => {
  const arm = new ArmState();
  arm.group("a", { Cluster: "x" });
  arm.group("b", { cluster: "X" });
  arm.group("c", { other: "x" });
  const found = (filter: string): string[] => all(arm, `${subscription}/resourceGroups?$filter=${encodeURIComponent(filter)}`).names;
  expect(found("tagName eq 'cluster' and tagValue eq 'x'")).toEqual(["a"]);
  expect(found("tagName eq 'cluster'")).toEqual(["a", "b"]);
  expect(arm.get(`${subscription}/resourceGroups?$filter=name eq 'a'`)).toMatchObject({ status: 400 });
});

test("the lists of resources contain tracked resources without properties, with times on request", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  arm.put(`${group}/providers/Microsoft.Network/virtualNetworks/net`, {
    location: "eastus",
    tags: { a: "1" },
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "s", properties: { addressPrefix: "10.0.0.0/24" } }],
    },
  });
  const listed = arm.get(`${group}/resources?$expand=provisioningState,createdTime`).body as Page;
  expect(listed.value).toEqual([
    {
      id: `${group}/providers/Microsoft.Network/virtualNetworks/net`,
      name: "net",
      type: "Microsoft.Network/virtualNetworks",
      location: "eastus",
      tags: { a: "1" },
      createdTime: "2026-01-01T00:00:00.000Z",
      provisioningState: "Succeeded",
    },
  ]);
  expect(all(arm, `${subscription}/resources?$filter=resourceType eq 'Microsoft.Network/dnszones'`).names).toEqual(["hcp.example.com"]);
  expect(all(arm, `${subscription}/resources?$filter=tagName eq 'a' and tagValue eq '1'`).names).toEqual(["net"]);
});

test("a resource seeded with an undeclared type is listed, read and deleted", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const id = `${group}/providers/Microsoft.Network/azureFirewalls/odd`;
  arm.state.resources[id.toLowerCase()] = {
    id,
    name: "odd",
    type: "Microsoft.Network/azureFirewalls",
    location: "eastus",
    properties: {},
  };
  expect(all(arm, `${group}/resources`).names).toEqual(["odd"]);
  expect(arm.send("HEAD", id).status).toBe(204);
  expect(arm.get(id)).toMatchObject({ status: 200, body: { name: "odd" } });
  expect(arm.delete(id).status).toBe(200);
  expect(arm.send("HEAD", id, undefined).status).toBe(501);
});

test("a list that is filtered by a tag's value has no tags, and one that is filtered by a name has no further page", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const nsg = `${group}/providers/Microsoft.Network/networkSecurityGroups/nsg`;
  arm.put(nsg, { location: "eastus", tags: { a: "1" }, properties: {} });
  const listed = (filter: string) => arm.get(`${subscription}/resources?$filter=${filter}`).body as { value: object[]; nextLink?: string };
  expect(listed("tagName eq 'a' and tagValue eq '1'")).toEqual({
    value: [{ id: nsg, name: "nsg", type: expect.any(String), location: "eastus" }],
  });
  expect(listed("tagName eq 'a'").value).toMatchObject([{ tags: { a: "1" } }]);
  expect(listed("resourceGroup eq 'demo' and name eq 'none'")).toEqual({ value: [] });
});

test("lists of any type have empty tags where a type answers them, and no tier of a network's SKU", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const home = `${group}/providers/Microsoft`;
  arm.put(`${home}.Network/publicIPAddresses/a`, {
    location: "eastus",
    sku: { name: "Standard", tier: "Regional" },
    properties: { publicIPAllocationMethod: "Static" },
  });
  arm.put(`${home}.ManagedIdentity/userAssignedIdentities/own`, { location: "eastus" });
  const [address, identity] = (arm.get(`${group}/resources`, { apiVersion: "2022-09-01" }).body as Page).value;
  expect(address).toMatchObject({ name: "a", sku: { name: "Standard" } });
  expect(address).not.toHaveProperty("sku.tier");
  expect(address).not.toHaveProperty("tags");
  expect(identity).toMatchObject({ name: "own", tags: {} });
});
