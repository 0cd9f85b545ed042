import { expect, test } from "vitest";
import { ArmState } from "../arm-state.js";
import { network, networkInterface, securityGroup, subnet, under, withNetwork } from "./network-bodies.js";

const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });

test("a network is made in the background: 201 Updating, an operation to poll, then Succeeded with its subnets", () => {
  const arm = new ArmState();
  const vnet = under(arm.group("demo"), "virtualNetworks/net");
  arm.seconds = { "vnet.put": 5 };
  const made = arm.put(vnet, network(subnet("default", "10.0.0.0/24")));
  expect(made).toMatchObject({ status: 201, headers: { "Retry-After": "3" }, body: { properties: { provisioningState: "Updating" } } });
  expect(made.headers["Location"]).toBeUndefined();
  const operation = made.headers["Azure-AsyncOperation"] ?? "";
  const waits = [1, 2, 3, 4].map(() => arm.get(operation)).map(({ headers, body }) => [headers["Retry-After"], body]);
  expect(waits).toEqual(["10", "20", "20", "40"].map((seconds) => [seconds, { status: "InProgress" }]));
  arm.pass(5);
  expect(arm.get(operation)).toMatchObject({ status: 200, body: { status: "Succeeded" } });
  expect(arm.get(vnet).body).toMatchObject({
    properties: {
      provisioningState: "Succeeded",
      subnets: [{ id: `${vnet}/subnets/default`, properties: { addressPrefix: "10.0.0.0/24", provisioningState: "Succeeded" } }],
    },
  });
});

test("a network written whole without a subnet loses it", () => {
  const arm = new ArmState();
  const { vnet, subnetId } = withNetwork(arm);
  arm.put(`${vnet}/subnets/more`, { properties: { addressPrefix: "10.0.1.0/24" } });
  expect(arm.put(vnet, network(subnet("more", "10.0.1.0/24"))).status).toBe(200);
  expect(arm.get(subnetId)).toMatchObject(refusal("NotFound", 404));
  expect(arm.get(`${vnet}/subnets/more`).status).toBe(200);
});

test("a subnet written alone joins its network, whose etag moves on", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  const before = arm.get(vnet).body as { etag: string };
  expect(arm.put(`${vnet}/subnets/more`, { properties: { addressPrefix: "10.0.1.0/24" } }).status).toBe(201);
  const after = arm.get(vnet).body as { etag: string; properties: { subnets: { name: string }[] } };
  expect(after.properties.subnets.map(({ name }) => name)).toEqual(["default", "more"]);
  expect(after.etag).not.toBe(before.etag);
  expect(arm.get(`${vnet}/subnets`).body).toMatchObject({ value: [{ name: "default" }, { name: "more" }] });
});

test.each([
  ["outside the network", subnet("s", "192.168.0.0/24"), "NetcfgSubnetRangeOutsideVnet"],
  ["wider than the network", subnet("s", "10.0.0.0/8"), "NetcfgSubnetRangeOutsideVnet"],
  ["over another subnet", subnet("s", "10.0.0.128/25"), "NetcfgSubnetRangesOverlap"],
  ["too small for Azure's own addresses", subnet("s", "10.0.1.0/30"), "NetcfgInvalidSubnet"],
  ["no CIDR", subnet("s", "10.0.1.0"), "InvalidAddressPrefixFormat"],
  ["with host bits", subnet("s", "10.0.1.1/24"), "InvalidCIDRNotation"],
])("a subnet %s is refused, in the network's body and alone", (_, wrong, code) => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  expect(arm.put(vnet, network(subnet("default", "10.0.0.0/24"), wrong))).toMatchObject(refusal(code));
  expect(arm.put(`${vnet}/subnets/s`, { properties: wrong.properties })).toMatchObject(refusal(code));
});

test("a subnet in use keeps its range, and neither it nor its network can go", () => {
  const arm = new ArmState();
  const { group, vnet, subnetId } = withNetwork(arm);
  const nic = under(group, "networkInterfaces/nic");
  arm.put(nic, networkInterface(subnetId));
  const inUse = {
    status: 400,
    body: {
      error: {
        code: "InUseSubnetCannotBeDeleted",
        message: `Subnet default is in use by ${nic}/ipConfigurations/one and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
      },
    },
  };
  expect(arm.delete(subnetId)).toEqual({ ...inUse, headers: {} });
  expect(arm.delete(vnet)).toMatchObject(inUse);
  expect(arm.put(vnet, network())).toMatchObject(inUse);
  expect(arm.put(vnet, network(subnet("default", "10.0.5.0/24")))).toMatchObject(refusal("InUsePrefixCannotBeDeleted"));
  const stored = `${under(group.replace("demo", "DEMO"), "networkInterfaces/NIC")}/ipConfigurations/ONE`;
  expect(arm.get(subnetId).body).toMatchObject({ properties: { ipConfigurations: [{ id: stored }] } });
  arm.delete(nic);
  expect(arm.delete(vnet).status).toBe(202);
  expect(arm.get(vnet).status).toBe(404);
});

test("a second write on a network, even on a subnet, is 429 with Retry-After while one runs", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  arm.seconds = { "subnet.put": 5 };
  expect(arm.put(`${vnet}/subnets/a`, { properties: { addressPrefix: "10.0.1.0/24" } }).status).toBe(201);
  const second = arm.put(`${vnet}/subnets/b`, { properties: { addressPrefix: "10.0.2.0/24" } });
  expect(second).toMatchObject({
    status: 429,
    body: { error: { code: "RetryableError", details: [{ code: "RetryableErrorDueToAnotherOperation" }] } },
  });
  expect(Number(second.headers["Retry-After"])).toBeGreaterThanOrEqual(10);
  expect(arm.put(vnet, network()).status).toBe(429);
  arm.pass(5);
  expect(arm.put(`${vnet}/subnets/b`, { properties: { addressPrefix: "10.0.2.0/24" } }).status).toBe(201);
});

test("a reference to a missing resource is refused with its ID in upper case, and one in another region is refused too", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const nsg = under(group, "networkSecurityGroups/n");
  const body = network(subnet("default", "10.0.0.0/24", { networkSecurityGroup: { id: nsg } }));
  const refused = arm.put(under(group, "virtualNetworks/net"), body);
  expect(refused).toMatchObject(refusal("InvalidResourceReference"));
  expect((refused.body as { error: { message: string } }).error.message).toContain(nsg.toUpperCase());
  arm.put(nsg, { ...securityGroup(), location: "westeurope" });
  expect(arm.put(under(group, "virtualNetworks/net"), body)).toMatchObject(refusal("InvalidResourceReference"));
});

test("a reference to a resource that is still Updating is 429 without Retry-After", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const nsg = under(group, "networkSecurityGroups/n");
  arm.seconds = { "nsg.put": 5 };
  arm.put(nsg, securityGroup());
  const body = network(subnet("default", "10.0.0.0/24", { networkSecurityGroup: { id: nsg } }));
  const early = arm.put(under(group, "virtualNetworks/net"), body);
  expect(early).toMatchObject({ status: 429, headers: {}, body: { error: { details: [{ code: "ReferencedResourceNotProvisioned" }] } } });
  expect(early.headers["Retry-After"]).toBeUndefined();
  arm.pass(5);
  expect(arm.put(under(group, "virtualNetworks/net"), body).status).toBe(201);
});

test("a write with the etag that was read succeeds once; the second finds the network modified", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  const { etag } = arm.get(vnet).body as { etag: string };
  const body = network(subnet("default", "10.0.0.0/24"));
  expect(arm.put(vnet, body, { headers: { "If-Match": etag } }).status).toBe(200);
  expect(arm.put(vnet, body, { headers: { "If-Match": etag } })).toMatchObject(refusal("PreconditionFailed", 412));
});

test("two subnets of one name are refused", () => {
  const arm = new ArmState();
  const vnet = under(arm.group("demo"), "virtualNetworks/net");
  const twice = arm.put(vnet, network(subnet("a", "10.0.0.0/24"), subnet("A", "10.0.1.0/24")));
  expect(twice).toMatchObject({ status: 400, body: { error: { details: [{ code: "DuplicateResourceName" }] } } });
});

test("the operation of a subnet is in the region of its network", () => {
  const arm = new ArmState();
  const vnet = under(arm.group("demo"), "virtualNetworks/net");
  arm.put(vnet, { ...network(), location: "West Europe" });
  const put = arm.put(`${vnet}/subnets/a`, { properties: { addressPrefix: "10.0.1.0/24" } });
  expect(put.headers["Azure-AsyncOperation"]).toContain("/providers/Microsoft.Network/locations/westeurope/operations/");
});

test("a member that Azure does not have is refused by name, a read-only one is accepted", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  const read = arm.get(vnet).body as { properties: Record<string, unknown> };
  expect(arm.put(vnet, read, { unrecorded: true }).status).toBe(200);
  const unknown = arm.put(vnet, { ...read, properties: { ...read.properties, shade: "blue" } }, { unrecorded: true });
  expect(unknown).toMatchObject(refusal("InvalidRequestContent"));
  expect(JSON.stringify(unknown.body)).toContain("Could not find member 'shade'");
});

test("names outside Azure's alphabet and lengths are refused", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  for (const name of ["a", "x".repeat(65), "-a", "a-", "a b"]) {
    expect(arm.put(under(group, `virtualNetworks/${encodeURIComponent(name)}`), network()), name).toMatchObject(
      refusal("InvalidResourceName"),
    );
  }
  expect(arm.put(under(group, `virtualNetworks/${"x".repeat(64)}`), network()).status).toBe(201);
});

test("a caller without the right to join a security group of another group may not attach it", () => {
  const arm = new ArmState();
  const { nsg } = withNetwork(arm);
  const own = arm.group("own");
  const networkContributor = "4d97b98b-1d4f-4787-a291-c67834d212e7";
  const caller = arm.caller("narrow", [{ role: networkContributor, scope: own }]);
  const body = network(subnet("default", "10.0.0.0/24", { networkSecurityGroup: { id: nsg } }));
  const refused = arm.put(under(own, "virtualNetworks/net"), body, { caller });
  expect(refused).toMatchObject(refusal("LinkedAuthorizationFailed", 403));
  expect(JSON.stringify(refused.body)).toContain("Microsoft.Network/networkSecurityGroups/join/action");
  expect(arm.put(under(own, "virtualNetworks/net"), network(), { caller }).status).toBe(201);
});

test("a group whose subnet is used from another group blocks its deletion and rolls back", () => {
  const arm = new ArmState();
  const { group, vnet, subnetId } = withNetwork(arm);
  const other = arm.group("other");
  const nic = under(other, "networkInterfaces/nic");
  arm.put(nic, networkInterface(subnetId));
  const location = arm.delete(group).headers["Location"] ?? "";
  const end = arm.get(location);
  expect(end.status).toBe(409);
  const { Error: error } = end.body as { Error: { Code: string; Details: { Target: string; Message: string }[] } };
  expect(error.Code).toBe("ResourceGroupDeletionBlocked");
  const held = error.Details.find(({ Target }) => Target === vnet);
  expect(JSON.parse(held?.Message ?? "{}")).toMatchObject({ error: { code: "InUseSubnetCannotBeDeleted" } });
  expect(arm.get(group).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
  arm.delete(nic);
  arm.get(arm.delete(group).headers["Location"] ?? "");
  expect(arm.get(group).status).toBe(404);
});
