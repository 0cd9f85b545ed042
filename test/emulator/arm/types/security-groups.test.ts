import { expect, test } from "vitest";
import { ArmState } from "../arm-state.js";
import { rule, securityGroup, under, withNetwork } from "./network-bodies.js";

const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });

test("a group answers Azure's six default rules, its own, and the subnets that use it", () => {
  const arm = new ArmState();
  const { nsg, subnetId } = withNetwork(arm);
  arm.put(`${nsg}/securityRules/https`, { properties: rule("https", 500).properties });
  const { properties } = arm.get(nsg).body as { properties: Record<string, { name: string }[]> };
  expect(properties["defaultSecurityRules"]).toHaveLength(6);
  expect(properties["securityRules"]).toMatchObject([{ id: `${nsg}/securityRules/https`, properties: { priority: 500 } }]);
  expect(properties["subnets"]).toEqual([{ id: subnetId }]);
});

test("a PUT of a group without rules deletes its rules", () => {
  const arm = new ArmState();
  const { nsg } = withNetwork(arm);
  arm.put(nsg, securityGroup(rule("https", 500)));
  expect(arm.get(`${nsg}/securityRules/https`).status).toBe(200);
  expect(arm.put(nsg, { location: "eastus" }).status).toBe(200);
  expect(arm.get(`${nsg}/securityRules/https`)).toMatchObject(refusal("NotFound", 404));
});

test("two rules of one direction may not share a priority; of two directions they may", () => {
  const arm = new ArmState();
  const { nsg } = withNetwork(arm);
  arm.put(nsg, securityGroup(rule("a", 500)));
  const clash = arm.put(`${nsg}/securityRules/b`, { properties: rule("b", 500).properties });
  expect(clash).toMatchObject(refusal("SecurityRuleConflict"));
  const outbound = { properties: rule("b", 500, { direction: "Outbound" }).properties };
  expect(arm.put(`${nsg}/securityRules/b`, outbound).status).toBe(201);
  expect(arm.put(`${nsg}/securityRules/a`, { properties: rule("a", 500).properties }).status).toBe(200);
});

test.each([
  ["a priority below 100", { priority: 99 }, "SecurityRuleInvalidPriority"],
  ["a priority above 4096", { priority: 4097 }, "SecurityRuleInvalidPriority"],
  ["no source", { sourceAddressPrefix: undefined }, "SecurityRuleInvalidParameter"],
  ["no destination ports", { destinationPortRange: undefined }, "SecurityRuleInvalidParameter"],
  ["a service tag that Azure does not have", { sourceAddressPrefix: "AzureResourceManger" }, "SecurityRuleInvalidAddressPrefix"],
  ["a range that begins inside", { sourceAddressPrefix: "20.20.20.20/16" }, "SecurityRuleInvalidAddressPrefix"],
  ["a hostname", { destinationAddressPrefix: "rp.example.com" }, "SecurityRuleInvalidAddressPrefix"],
  ["an octet too few", { destinationAddressPrefixes: ["10.0.0.1", "10.0.1"] }, "SecurityRuleInvalidAddressPrefix"],
])("a rule with %s is refused", (_, more, code) => {
  const arm = new ArmState();
  const { nsg } = withNetwork(arm);
  expect(arm.put(nsg, securityGroup(rule("a", 500, more)))).toMatchObject(refusal(code));
});

test("a rule names addresses by service tags, in any case and for a region, by ranges and by addresses", () => {
  const arm = new ArmState();
  const { nsg } = withNetwork(arm);
  const named = [
    "AzureResourceManager",
    "GenevaActions",
    "corpnetsaw",
    "Storage.EastUS",
    "10.0.0.0/8",
    "203.0.113.7",
    "2001:db8::/64",
    "*",
  ];
  const rules = named.map((sourceAddressPrefix, index) => rule(`r${String(index)}`, 500 + index, { sourceAddressPrefix }));
  expect(arm.put(nsg, securityGroup(...rules)).status).toBe(200);
});

test("a second write on a group supersedes the first, whose operation ends Canceled", () => {
  const arm = new ArmState();
  const { nsg } = withNetwork(arm);
  arm.seconds = { "nsg.put": 5 };
  const put = (name: string, priority: number) => arm.put(`${nsg}/securityRules/${name}`, { properties: rule(name, priority).properties });
  const first = put("a", 500);
  const second = put("b", 501);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(arm.get(first.headers["Azure-AsyncOperation"] ?? "").body).toMatchObject({
    status: "Canceled",
    error: { code: "Canceled", details: [{ code: "CanceledAndSupersededDueToAnotherOperation" }] },
  });
  arm.pass(5);
  expect(arm.get(second.headers["Azure-AsyncOperation"] ?? "").body).toMatchObject({ status: "Succeeded" });
});

test("a group in use by a subnet cannot be deleted; one that nobody uses can", () => {
  const arm = new ArmState();
  const { group, nsg, subnetId } = withNetwork(arm);
  const refused = arm.delete(nsg);
  expect(refused).toMatchObject(refusal("InUseNetworkSecurityGroupCannotBeDeleted"));
  expect(JSON.stringify(refused.body)).toContain(subnetId);
  const free = under(group, "networkSecurityGroups/free");
  arm.put(free, securityGroup());
  const gone = arm.delete(free);
  expect(gone.status).toBe(202);
  expect(Object.keys(gone.headers)).toEqual(expect.arrayContaining(["Azure-AsyncOperation", "Location", "Retry-After"]));
  expect(arm.get(free)).toMatchObject(refusal("ResourceNotFound", 404));
  expect(arm.delete(free).status).toBe(204);
});
