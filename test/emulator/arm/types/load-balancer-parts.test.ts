/** The parts of a load balancer by their own path, as `az network lb address-pool` uses it. */
import { expect, test } from "vitest";
import { ArmState } from "../arm-state.js";
import { internalBalancer, loadBalancer, publicAddress, under, withNetwork } from "./network-bodies.js";

function withBalancer(arm: ArmState) {
  const { group, subnetId } = withNetwork(arm);
  const address = under(group, "publicIPAddresses/i");
  const balancer = under(group, "loadBalancers/i");
  arm.put(address, publicAddress());
  arm.put(balancer, loadBalancer(balancer, "i", address));
  return { group, subnetId, balancer };
}

const namesIn = ({ body }: { readonly body: unknown }): string[] => (body as { value: { name: string }[] }).value.map(({ name }) => name);

test("every part is read by its own path as within its load balancer, and listed", () => {
  const arm = new ArmState();
  const { balancer } = withBalancer(arm);
  const { properties } = arm.get(balancer).body as { properties: Record<string, unknown[]> };
  for (const collection of ["frontendIPConfigurations", "backendAddressPools", "probes", "outboundRules"]) {
    expect(arm.get(`${balancer}/${collection}/i`).body).toEqual(properties[collection]?.[0]);
    expect(arm.get(`${balancer}/${collection}`).body).toEqual({ value: properties[collection] });
  }
  expect(arm.get(`${balancer}/loadBalancingRules`).body).toEqual({ value: [] });
  expect(arm.get(`${balancer}/probes/other`)).toMatchObject({ status: 404, body: { error: { code: "NotFound" } } });
});

test("an address pool is created, changed and deleted by its own path; everything else stays", () => {
  const arm = new ArmState();
  const { balancer } = withBalancer(arm);
  const before = arm.get(balancer).body;
  const pool = `${balancer}/backendAddressPools/more`;
  const made = arm.put(pool, { properties: { drainPeriodInSeconds: 30 } });
  expect(made).toMatchObject({ status: 201, body: { id: pool, properties: { provisioningState: "Succeeded", drainPeriodInSeconds: 30 } } });
  expect(made.headers).toHaveProperty("Azure-AsyncOperation");
  expect(arm.put(pool, { properties: { drainPeriodInSeconds: 60 } })).toMatchObject({
    status: 200,
    body: { properties: { drainPeriodInSeconds: 60 } },
  });
  expect(namesIn(arm.get(`${balancer}/backendAddressPools`))).toEqual(["i", "more"]);
  const deleted = arm.delete(pool);
  expect(deleted).toMatchObject({ status: 202, headers: { "Retry-After": "10" } });
  expect(Object.keys(deleted.headers)).toEqual(expect.arrayContaining(["Azure-AsyncOperation", "Location"]));
  expect(arm.get(deleted.headers["Azure-AsyncOperation"] ?? "").body).toEqual({ status: "Succeeded" });
  expect(arm.get(pool).status).toBe(404);
  expect(arm.delete(pool).status).toBe(204);
  const withoutEtags = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === "etag" ? undefined : value)));
  expect(withoutEtags(arm.get(balancer).body)).toEqual(withoutEtags(before));
});

test("a part that another part uses is not deleted", () => {
  const arm = new ArmState();
  const { balancer } = withBalancer(arm);
  const refused = arm.delete(`${balancer}/backendAddressPools/i`);
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "InvalidResourceReference" } } });
  expect(arm.get(`${balancer}/backendAddressPools/i`).status).toBe(200);
});

test("an inbound NAT rule leads from a frontend, which then names it", () => {
  const arm = new ArmState();
  const { balancer } = withBalancer(arm);
  const frontend = { id: `${balancer}/frontendIPConfigurations/i` };
  const rule = `${balancer}/inboundNatRules/ssh`;
  const body = { properties: { frontendIPConfiguration: frontend, frontendPort: 28, backendPort: 22 } };
  expect(arm.put(rule, body).body).toMatchObject({
    type: "Microsoft.Network/loadBalancers/inboundNatRules",
    properties: {
      protocol: "Tcp",
      idleTimeoutInMinutes: 4,
      enableFloatingIP: false,
      enableTcpReset: false,
      allowBackendPortConflict: false,
    },
  });
  expect(arm.get(frontend.id).body).toMatchObject({ properties: { inboundNatRules: [{ id: rule }] } });
  const other = { properties: { ...body.properties, frontendIPConfiguration: { id: `${frontend.id}x` } } };
  expect(arm.put(rule, other)).toMatchObject({ status: 400, body: { error: { code: "InvalidResourceReference" } } });
});

test("Azure chooses the port of a tunnel by its end", () => {
  const arm = new ArmState();
  const { group, subnetId } = withBalancer(arm);
  const gateway = under(group, "loadBalancers/gateway");
  arm.put(gateway, { ...internalBalancer(subnetId), sku: { name: "Gateway" } });
  const pool = `${gateway}/backendAddressPools/p`;
  const tunnel = (port: number) => [{ port, identifier: 900, protocol: "VXLAN", type: "Internal" }];
  const [{ port: _port, ...sent } = { port: 0 }] = tunnel(0);
  arm.seconds = { "loadBalancer.put": 5 };
  const made = arm.put(pool, { properties: { tunnelInterfaces: [sent] } });
  expect(made.body).toMatchObject({ properties: { provisioningState: "Updating", tunnelInterfaces: tunnel(0) } });
  arm.pass(5);
  expect(arm.get(pool).body).toMatchObject({ properties: { provisioningState: "Succeeded", tunnelInterfaces: tunnel(10800) } });
});
