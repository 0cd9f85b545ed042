import { expect, test } from "vitest";
import { ArmState } from "../arm-state.js";
import { internalBalancer, loadBalancer, networkInterface, publicAddress, under, withNetwork } from "./network-bodies.js";

const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });

const withoutEtags = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === "etag" ? undefined : value)));

function withBalancer(arm: ArmState) {
  const made = withNetwork(arm);
  const address = under(made.group, "publicIPAddresses/i");
  const balancer = under(made.group, "loadBalancers/i");
  arm.put(address, publicAddress());
  const put = arm.put(balancer, loadBalancer(balancer, "i", address));
  return { ...made, address, balancer, put };
}

test("a load balancer answers its parts with IDs, and with the parts that refer to them", () => {
  const arm = new ArmState();
  const { address, balancer, put } = withBalancer(arm);
  expect(put).toMatchObject({ status: 201, body: { properties: { provisioningState: "Succeeded" } } });
  const outbound = [{ id: `${balancer}/outboundRules/i` }];
  expect(arm.get(balancer).body).toMatchObject({
    properties: {
      frontendIPConfigurations: [
        { id: `${balancer}/frontendIPConfigurations/i`, properties: { publicIPAddress: { id: address }, outboundRules: outbound } },
      ],
      backendAddressPools: [{ id: `${balancer}/backendAddressPools/i`, properties: { outboundRules: outbound } }],
      probes: [{ id: `${balancer}/probes/i`, properties: { probeThreshold: 2 } }],
      outboundRules: [{ id: `${balancer}/outboundRules/i`, properties: { provisioningState: "Succeeded" } }],
      loadBalancingRules: [],
    },
  });
  expect(arm.get(address).body).toMatchObject({
    properties: { ipAddress: "203.0.113.1", ipConfiguration: { id: `${balancer}/frontendIPConfigurations/i` } },
  });
});

test("a PUT without rules deletes the rules of a load balancer; a PUT of what was read keeps them", () => {
  const arm = new ArmState();
  const { address, balancer } = withBalancer(arm);
  const read = arm.get(balancer).body as { properties: Record<string, unknown> };
  expect(arm.put(balancer, read, { unrecorded: true }).status).toBe(200);
  expect(withoutEtags(arm.get(balancer).body)).toEqual(withoutEtags(read));
  arm.put(balancer, loadBalancer(balancer, "i", address, { outboundRules: [] }));
  expect(arm.get(balancer).body).toMatchObject({ properties: { outboundRules: [] } });
});

test("a client may send the whole public address instead of its ID", () => {
  const arm = new ArmState();
  const { address, balancer } = withBalancer(arm);
  const body = loadBalancer(balancer, "i", address, {
    frontendIPConfigurations: [{ name: "i", properties: { publicIPAddress: arm.get(address).body } }],
  });
  expect(arm.put(balancer, body, { unrecorded: true }).status).toBe(200);
});

test("two rules lead to the same port of a pool only with a floating IP", () => {
  const arm = new ArmState();
  const { address, balancer } = withBalancer(arm);
  const rule = (name: string, frontendPort: number, more: object = {}) => ({
    name,
    properties: {
      frontendIPConfiguration: { id: `${balancer}/frontendIPConfigurations/i` },
      backendAddressPool: { id: `${balancer}/backendAddressPools/i` },
      ...{ protocol: "Tcp", frontendPort, backendPort: 80, disableOutboundSnat: true, ...more },
    },
  });
  const put = (...loadBalancingRules: object[]) => arm.put(balancer, loadBalancer(balancer, "i", address, { loadBalancingRules }));
  expect(put(rule("a", 80), rule("b", 81))).toMatchObject(refusal("RulesUseSameBackendPortProtocolAndPool"));
  expect(put(rule("a", 80), rule("b", 81, { enableFloatingIP: true })).status).toBe(200);
  expect(put(rule("a", 80), rule("b", 81, { protocol: "Udp" })).status).toBe(200);
  expect(put(rule("a", 80), rule("b", 81, { backendPort: 81 })).status).toBe(200);
});

test("a rule that names a frontend outside the body is refused", () => {
  const arm = new ArmState();
  const { address, balancer } = withBalancer(arm);
  const refused = arm.put(balancer, loadBalancer(balancer, "i", address, { backendAddressPools: [] }));
  expect(refused).toMatchObject(refusal("InvalidResourceReference"));
  expect(JSON.stringify(refused.body)).toContain(`${balancer}/backendAddressPools/i`.toUpperCase());
});

test("a frontend uses either a public address or a subnet", () => {
  const arm = new ArmState();
  const { address, balancer, subnetId } = withBalancer(arm);
  const put = (properties: object) =>
    arm.put(balancer, loadBalancer(balancer, "i", address, { frontendIPConfigurations: [{ name: "i", properties }] }));
  expect(put({})).toMatchObject(refusal("InvalidRequestContent"));
  expect(put({ publicIPAddress: { id: address }, subnet: { id: subnetId } })).toMatchObject(refusal("InvalidRequestContent"));
  expect(put({ subnet: { id: subnetId } }).status).toBe(200);
  expect(arm.delete(subnetId)).toMatchObject(refusal("InUseSubnetCannotBeDeleted"));
});

test("a load balancer created before its address is ready is 429 without Retry-After", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const address = under(group, "publicIPAddresses/i");
  const balancer = under(group, "loadBalancers/i");
  arm.seconds = { "publicIp.put": 3 };
  arm.put(address, publicAddress());
  const early = arm.put(balancer, loadBalancer(balancer, "i", address));
  expect(early).toMatchObject({ status: 429, body: { error: { details: [{ code: "ReferencedResourceNotProvisioned" }] } } });
  expect(JSON.stringify(early.body)).toContain("PutPublicIpAddressOperation");
  arm.pass(3);
  expect(arm.put(balancer, loadBalancer(balancer, "i", address)).status).toBe(201);
});

test("a public address serves one user, which prevents its deletion", () => {
  const arm = new ArmState();
  const { group, address, balancer } = withBalancer(arm);
  const other = under(group, "loadBalancers/other");
  expect(arm.put(other, loadBalancer(other, "o", address))).toMatchObject(refusal("PublicIPAddressInUse"));
  expect(arm.delete(address)).toMatchObject(refusal("PublicIPAddressCannotBeDeleted"));
  arm.delete(balancer);
  expect(arm.get(balancer).status).toBe(404);
  expect(arm.delete(address).status).toBe(202);
});

test("a Basic address does not fit a Standard load balancer, and a Standard address must be Static", () => {
  const arm = new ArmState();
  const { group } = withBalancer(arm);
  const basic = under(group, "publicIPAddresses/basic");
  const other = under(group, "loadBalancers/other");
  arm.put(basic, { ...publicAddress(), sku: { name: "Basic" } });
  expect(arm.put(other, loadBalancer(other, "o", basic))).toMatchObject(refusal("PublicIPAndLBSkuDoNotMatch"));
  const dynamic = publicAddress({ publicIPAllocationMethod: "Dynamic" });
  expect(arm.put(under(group, "publicIPAddresses/d"), dynamic)).toMatchObject(refusal("StandardSkuPublicIPAddressesMustBeStatic"));
});

test("public addresses count towards the limit of the region, and freed addresses are reused", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  arm.state.knobs = { publicIpLimit: 2 };
  const ids = ["a", "b", "c"].map((name) => under(group, `publicIPAddresses/${name}`));
  const answers = ids.map((id) => arm.put(id, publicAddress()));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 400]);
  expect(arm.get(ids[1] ?? "").body).toMatchObject({ properties: { ipAddress: "203.0.113.2" } });
  expect(answers[2]).toMatchObject(refusal("PublicIPCountLimitReached"));
  expect(arm.put(under(group, "publicIPAddresses/w"), { ...publicAddress(), location: "westus" }).status).toBe(201);
  arm.delete(ids[0] ?? "");
  arm.get(group);
  expect(arm.put(ids[2] ?? "", { ...publicAddress(), zones: ["1", "2"] }).body).toMatchObject({ zones: ["1", "2"] });
  expect(arm.get(ids[2] ?? "").body).toMatchObject({ properties: { ipAddress: "203.0.113.1" } });
});

test("a second write on a load balancer supersedes the first", () => {
  const arm = new ArmState();
  const { group, subnetId } = withBalancer(arm);
  const internal = under(group, "loadBalancers/internal");
  arm.seconds = { "loadBalancer.put": 5 };
  const first = arm.put(internal, internalBalancer(subnetId));
  expect(first).toMatchObject({ status: 201, headers: { "Retry-After": "3" } });
  expect(arm.put(internal, { ...internalBalancer(subnetId), tags: { a: "b" } }).status).toBe(200);
  expect(arm.get(first.headers["Azure-AsyncOperation"] ?? "").body).toMatchObject({ status: "Canceled" });
});

test("an interface gets the first address that Azure does not reserve, and joins a pool that lists it", () => {
  const arm = new ArmState();
  const { group, subnetId, balancer } = withBalancer(arm);
  const pool = `${balancer}/backendAddressPools/i`;
  const nics = ["a", "b"].map((name) => under(group, `networkInterfaces/${name}`));
  for (const nic of nics) arm.put(nic, networkInterface(subnetId, { loadBalancerBackendAddressPools: [{ id: pool }] }));
  const addresses = nics.map(
    (nic) => (arm.get(nic).body as { properties: { ipConfigurations: unknown[] } }).properties.ipConfigurations[0],
  );
  expect(addresses).toMatchObject([{ properties: { privateIPAddress: "10.0.0.4" } }, { properties: { privateIPAddress: "10.0.0.5" } }]);
  expect(arm.get(balancer).body).toMatchObject({
    properties: {
      backendAddressPools: [{ properties: { backendIPConfigurations: nics.map((nic) => ({ id: `${nic}/ipConfigurations/one` })) } }],
    },
  });
});

test("a NAT gateway uses its address, its subnets use it, and used resources cannot be deleted", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const address = under(group, "publicIPAddresses/nat");
  const nat = under(group, "natGateways/nat");
  arm.put(address, publicAddress());
  arm.put(nat, { location: "eastus", sku: { name: "Standard" }, properties: { publicIpAddresses: [{ id: address }] } });
  arm.put(`${vnet}/subnets/out`, { properties: { addressPrefix: "10.0.9.0/24", natGateway: { id: nat } } });
  expect(arm.get(nat).body).toMatchObject({ properties: { subnets: [{ id: `${vnet}/subnets/out` }] } });
  expect(arm.get(address).body).toMatchObject({ properties: { natGateway: { id: nat } } });
  expect(arm.delete(nat)).toMatchObject(refusal("InUseNatGatewayCannotBeDeleted"));
  expect(arm.delete(address)).toMatchObject(refusal("PublicIPAddressCannotBeDeleted"));
  arm.delete(`${vnet}/subnets/out`);
  arm.get(vnet);
  expect(arm.delete(nat).status).toBe(202);
});
