import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import {
  formatResourceId,
  groupIn,
  groupNameOf,
  isWithin,
  parentId,
  parseResourceId,
  resourceGroupId,
  sameId,
} from "../../src/domain/resource-id.js";

const subscription = "11111111-1111-1111-1111-111111111111";
const group = resourceGroupId(subscription, "my-rg");
const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/my-vnet`;
const subnet = `${vnet}/subnets/default`;

describe("parseResourceId", () => {
  test("parses a child resource", () => {
    expect(parseResourceId(subnet)).toEqual({
      subscriptionId: subscription,
      resourceGroup: "my-rg",
      type: "Microsoft.Network/virtualNetworks/subnets",
      names: ["my-vnet", "default"],
      name: "default",
      scope: group,
    });
  });

  test("parses a resource group and a subscription", () => {
    expect(parseResourceId(group)).toMatchObject({
      type: "Microsoft.Resources/resourceGroups",
      name: "my-rg",
      scope: `/subscriptions/${subscription}`,
    });
    expect(parseResourceId(`/subscriptions/${subscription}`)).toMatchObject({
      type: "Microsoft.Resources/subscriptions",
      resourceGroup: undefined,
    });
  });

  test("parses an extension resource by its last providers segment", () => {
    const assignment = `${vnet}/providers/Microsoft.Authorization/roleAssignments/abc`;
    expect(parseResourceId(assignment)).toMatchObject({
      type: "Microsoft.Authorization/roleAssignments",
      name: "abc",
      scope: vnet,
      resourceGroup: "my-rg",
    });
  });

  test("parses a resource whose group has the name providers", () => {
    const odd = resourceGroupId(subscription, "providers");
    expect(parseResourceId(odd)).toMatchObject({ type: "Microsoft.Resources/resourceGroups", name: "providers" });
    expect(parseResourceId(`${odd}/providers/Microsoft.Network/virtualNetworks/v`)).toMatchObject({
      resourceGroup: "providers",
      name: "v",
    });
  });

  test("parses IDs in any casing and keeps their spelling", () => {
    expect(parseResourceId(vnet.toUpperCase())).toMatchObject({ resourceGroup: "MY-RG", name: "MY-VNET" });
    expect(parseResourceId(vnet.replace("resourceGroups", "resourcegroups"))).toMatchObject({ resourceGroup: "my-rg" });
  });

  test.each([
    ["", "/subscriptions/<id>"],
    ["my-vnet", 'does not start with "/"'],
    ["/subscriptions", "/subscriptions/<id>"],
    ["/resourceGroups/x", "/subscriptions/<id>"],
    [`/subscriptions/${subscription}/resourceGroups`, "has no name"],
    [`/subscriptions/${subscription}/resourceGroups//x`, "empty"],
    [`${group}/providers/Microsoft.Network/virtualNetworks`, "does not end with"],
    [`${group}/virtualNetworks/x`, "does not end with"],
    [`${vnet}/subnets`, "does not end with"],
  ])("refuses %j and says why", (text, why) => {
    expect(() => parseResourceId(text)).toThrow(
      expect.objectContaining({ code: "ARO-USAGE-002", message: expect.stringContaining(why) as string }),
    );
  });

  test("throws nothing but a Failure, whatever the text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("/", "subscriptions", "resourceGroups", "providers", "a", "Microsoft.X", " ")), (parts) => {
        try {
          parseResourceId(parts.join("/"));
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});

test("formatting a parsed ID returns the same ID", () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  fc.assert(
    fc.property(word, fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 4 }), (resourceGroup, pairs) => {
      const type = ["Microsoft.X", ...pairs.map(([part]) => part)].join("/");
      fc.pre(!pairs.flat().includes("providers"));
      const id = formatResourceId(resourceGroupId(subscription, resourceGroup), type, ...pairs.map(([, name]) => name));
      const parsed = parseResourceId(id);
      expect(formatResourceId(parsed.scope, parsed.type, ...parsed.names)).toBe(id);
      expect(parsed.resourceGroup).toBe(resourceGroup);
    }),
  );
});

test("a wrong number of names for a type is an error of the caller", () => {
  expect(() => formatResourceId(group, "Microsoft.Network/virtualNetworks/subnets", "only-one")).toThrow(RangeError);
});

test("comparison of IDs ignores casing and a trailing slash", () => {
  expect(sameId(vnet, `${vnet.toUpperCase()}/`)).toBe(true);
  expect(sameId(vnet, `${vnet}x`)).toBe(false);
});

test("the parent of a subnet is its network, and a network has none", () => {
  expect(parentId(subnet)).toBe(vnet);
  expect(parentId(vnet)).toBeUndefined();
});

test("a scope contains an ID by whole segments, not by a common prefix", () => {
  expect(isWithin(subnet, vnet.toLowerCase())).toBe(true);
  expect(isWithin(vnet, vnet)).toBe(true);
  expect(isWithin(`${group}-other`, group)).toBe(false);
});

describe("the resource group of an ID", () => {
  test("is the group in the ID, with the same spelling", () => {
    expect(groupNameOf(subnet)).toBe("my-rg");
    expect(groupNameOf(`/subscriptions/${subscription}`)).toBeUndefined();
    expect(groupNameOf("")).toBeUndefined();
    expect(() => groupNameOf("nonsense")).toThrow(Failure);
  });

  test("is found in text that is not a valid ID", () => {
    const node = `azure://${group.toLowerCase()}/providers/Microsoft.Compute/virtualMachines`;
    expect(groupIn(node)).toEqual({ subscriptionId: subscription, resourceGroup: "my-rg" });
    expect(groupIn("nonsense")).toBeUndefined();
    expect(groupIn(`/subscriptions/${subscription}`)).toBeUndefined();
  });
});
