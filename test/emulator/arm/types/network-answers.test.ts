/** What Azure answers to writes of the network: done at once or later, which members are empty, and which refusals have which code. */
import { expect, test } from "vitest";
import { ArmState, subscription, type Reply } from "../arm-state.js";
import {
  internalBalancer,
  loadBalancer,
  network,
  networkInterface,
  publicAddress,
  rule,
  securityGroup,
  subnet,
  under,
  withNetwork,
} from "./network-bodies.js";

const stateOf = ({ body }: Reply): unknown => (body as { properties: { provisioningState: unknown } }).properties.provisioningState;
const operationOf = ({ headers }: Reply): string => headers["Azure-AsyncOperation"] ?? "";

/** Its operation has ended: the next poll says so, and no wait is asked for. */
function expectEnded(arm: ArmState, reply: Reply): void {
  expect(stateOf(reply)).toBe("Succeeded");
  expect(reply.headers).not.toHaveProperty("Retry-After");
  expect(arm.get(operationOf(reply)).body).toEqual({ status: "Succeeded" });
}

/** Writes take 30 seconds if Azure has to do anything. */
function slowly(arm: ArmState): ArmState {
  arm.seconds = Object.fromEntries(
    ["vnet", "subnet", "nsg", "publicIp", "natGateway", "nic", "loadBalancer"].map((kind) => [`${kind}.put`, 30]),
  );
  return arm;
}

test("a public load balancer is ready when its PUT is answered, an internal one of the Standard SKU is not", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const address = under(group, "publicIPAddresses/a");
  arm.put(address, publicAddress());
  slowly(arm);
  const balancer = under(group, "loadBalancers/public");
  expectEnded(arm, arm.put(balancer, loadBalancer(balancer, "i", address)));
  const internal = arm.put(under(group, "loadBalancers/internal"), internalBalancer(subnetId));
  expect(stateOf(internal)).toBe("Updating");
  expect(internal.headers).toMatchObject({ "Retry-After": "3" });
  expectEnded(arm, arm.put(under(group, "loadBalancers/basic"), { ...internalBalancer(subnetId), sku: { name: "Basic" } }));
});

test("an interface is ready when its PUT is answered, for the newest version even without an operation", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  slowly(arm);
  expectEnded(arm, arm.put(under(group, "networkInterfaces/old"), networkInterface(subnetId), { apiVersion: "2024-05-01" }));
  const newest = arm.put(under(group, "networkInterfaces/new"), networkInterface(subnetId));
  expect(stateOf(newest)).toBe("Succeeded");
  expect(newest.headers).toEqual({});
});

test("a short deletion of an interface has ended when it is answered, for the newest version", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const [one, two, three] = ["one", "two", "three"].map((name) => under(group, `networkInterfaces/${name}`));
  for (const nic of [one, two, three]) arm.put(nic ?? "", networkInterface(subnetId));
  const ended = arm.delete(one ?? "");
  expect(ended.status).toBe(200);
  expect(Object.keys(ended.headers)).toEqual(["Azure-AsyncOperation", "Location", "azure-asyncnotification"]);
  expect(arm.get(ended.headers["Azure-AsyncOperation"] ?? "").body).toEqual({ status: "Succeeded" });
  expect(arm.get(one ?? "").status).toBe(404);
  expect(arm.delete(two ?? "", { apiVersion: "2024-05-01" })).toMatchObject({ status: 202, headers: { "Retry-After": "10" } });
  arm.seconds = { "nic.delete": 5 };
  expect(arm.delete(three ?? "")).toMatchObject({ status: 202, headers: { "Retry-After": "10" } });
});

test("a PUT that changes nothing but tags has ended when it is answered", () => {
  const arm = new ArmState();
  const { group, nsg, vnet, subnetId } = withNetwork(arm);
  const nat = under(group, "natGateways/nat");
  const bodies: Record<string, object> = {
    [nsg]: securityGroup(),
    [vnet]: network(subnet("default", "10.0.0.0/24", { networkSecurityGroup: { id: nsg } })),
    [nat]: { location: "eastus", sku: { name: "Standard" } },
  };
  arm.put(nat, bodies[nat]);
  slowly(arm);
  for (const [id, body] of Object.entries(bodies)) expectEnded(arm, arm.put(id, { ...body, tags: { changed: "yes" } }));
  const alone = { properties: { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: nsg } } };
  expectEnded(arm, arm.put(subnetId, alone));
  const changed = arm.put(subnetId, { properties: { addressPrefix: "10.0.0.0/24" } });
  expect([stateOf(changed), changed.headers["Retry-After"]]).toEqual(["Updating", "3"]);
});

test("a public address has none until its creation has ended, and keeps it during an update", () => {
  const arm = slowly(new ArmState());
  const address = under(arm.group("demo"), "publicIPAddresses/a");
  expect(arm.put(address, publicAddress()).body).not.toHaveProperty("properties.ipAddress");
  expect(arm.get(address).body).not.toHaveProperty("properties.ipAddress");
  arm.pass(30);
  expect(arm.get(address).body).toHaveProperty("properties.ipAddress", "203.0.113.1");
  const updated = arm.put(address, publicAddress({ idleTimeoutInMinutes: 7 }));
  expect(updated.body).toMatchObject({ properties: { provisioningState: "Updating", ipAddress: "203.0.113.1" } });
});

test("a dynamic address of the Basic SKU, the default, has none until something uses it", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const address = under(group, "publicIPAddresses/a");
  arm.put(address, { location: "eastus" });
  expect(arm.get(address).body).toMatchObject({ sku: { name: "Basic", tier: "Regional" } });
  expect(arm.get(address).body).not.toHaveProperty("properties.ipAddress");
  const balancer = under(group, "loadBalancers/b");
  arm.put(balancer, { ...loadBalancer(balancer, "i", address, { outboundRules: [] }), sku: { name: "Basic" } });
  expect(arm.get(address).body).toHaveProperty("properties.ipAddress", "203.0.113.1");
  expect(arm.get(balancer).body).not.toHaveProperty("properties.outboundRules");
  const global = arm.put(under(group, "publicIPAddresses/g"), { location: "eastus", sku: { name: "Basic", tier: "Global" } });
  expect(global).toMatchObject({ status: 400, body: { error: { code: "GlobalPublicIPAddressNotSupportedForBasicPublicIpAddress" } } });
});

test("an outdated etag is refused with Azure's details", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  const { etag } = arm.get(vnet).body as { etag: string };
  const refused = arm.put(vnet, network(), { headers: { "if-match": '"invalid"' } });
  const message = `Etag provided in if-match header W/"invalid" does not match etag ${etag} of resource ${vnet} in NRP data store.`;
  expect(refused).toEqual({
    status: 412,
    headers: {},
    body: {
      error: {
        code: "PreconditionFailed",
        message: "Precondition failed.",
        details: [{ code: "PreconditionFailedEtagMismatch", message }],
      },
    },
  });
});

test("a NAT gateway reports a missing address as not found, with its names in upper case", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const missing = under(group, "publicIPAddresses/gone");
  const body = { location: "eastus", sku: { name: "Standard" }, properties: { publicIpAddresses: [{ id: missing }] } };
  expect(arm.put(under(group, "natGateways/nat"), body)).toEqual({
    status: 404,
    headers: {},
    body: {
      error: {
        code: "NotFound",
        message: `Resource ${under(group.replace("demo", "DEMO"), "publicIPAddresses/GONE")} not found.`,
        details: [],
      },
    },
  });
});

test("members that are empty or have a default are answered, by type and version", () => {
  const arm = new ArmState();
  const { group, nsg, vnet } = withNetwork(arm);
  arm.put(`${nsg}/securityRules/web`, rule("web", 100));
  const lists = { sourcePortRanges: [], destinationPortRanges: [], sourceAddressPrefixes: [], destinationAddressPrefixes: [] };
  expect(arm.get(nsg).body).toMatchObject({
    properties: {
      securityRules: [{ properties: lists }],
      defaultSecurityRules: [{ properties: { description: "Allow inbound traffic from all VMs in VNET", ...lists } }, {}, {}, {}, {}, {}],
    },
  });
  const policies = "properties.privateEndpointVNetPolicies";
  expect(arm.get(vnet).body).toHaveProperty(policies, "Disabled");
  expect(arm.get(vnet, { apiVersion: "2023-11-01" }).body).not.toHaveProperty(policies);
  // Old clients send it, and only they get it back.
  const old = { ...network(), properties: { ...network().properties, enableVmProtection: true } };
  expect(arm.put(under(group, "virtualNetworks/old"), old, { unrecorded: true }).status).toBe(201);
  expect(arm.get(under(group, "virtualNetworks/old")).body).not.toHaveProperty("properties.enableVmProtection");
  const first = { apiVersion: "2020-05-01", unrecorded: true };
  expect(arm.get(under(group, "virtualNetworks/old"), first).body).toHaveProperty("properties.enableVmProtection", false);
});

test("a subnet answers what its delegations allow and where its service endpoints are", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm);
  const id = `${vnet}/subnets/delegated`;
  const delegations = [{ name: "sql", properties: { serviceName: "Microsoft.Sql/managedInstances" } }];
  arm.put(id, { properties: { addressPrefix: "10.0.7.0/24", delegations, serviceEndpoints: [{ service: "Microsoft.KeyVault" }] } });
  expect(arm.get(id).body).toMatchObject({
    properties: {
      delegations: [
        {
          id: `${id}/delegations/sql`,
          type: "Microsoft.Network/virtualNetworks/subnets/delegations",
          properties: {
            provisioningState: "Succeeded",
            serviceName: "Microsoft.Sql/managedInstances",
            actions: ["join", "prepareNetworkPolicies", "unprepareNetworkPolicies"].map(
              (verb) => `Microsoft.Network/virtualNetworks/subnets/${verb}/action`,
            ),
          },
        },
      ],
      serviceEndpoints: [{ service: "Microsoft.KeyVault", locations: ["*"], provisioningState: "Succeeded" }],
    },
  });
  // What was read can be written again.
  expectEnded(arm, arm.put(id, arm.get(id).body, { unrecorded: true }));
});

test("the services to which a subnet can be delegated are listed for a subscription and for a group, with what each may do", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const service = { serviceName: "Microsoft.Web/serverFarms", actions: ["Microsoft.Network/virtualNetworks/subnets/action"] };
  for (const scope of [subscription, group]) {
    const { body } = arm.get(`${scope}/providers/Microsoft.Network/locations/eastus/availableDelegations`);
    expect((body as { value: unknown[] }).value).toContainEqual(expect.objectContaining({ name: "Microsoft.Web.serverFarms", ...service }));
  }
});

test("an interface answers the members of the version that reads it, and of the version that made it", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const [old, recent] = ["old", "recent"].map((name) => under(group, `networkInterfaces/${name}`));
  arm.put(old ?? "", networkInterface(subnetId), { apiVersion: "2022-01-01" });
  arm.put(recent ?? "", networkInterface(subnetId), { apiVersion: "2022-11-01" });
  const members = ["enableAcceleratedNetworking", "auxiliaryMode", "auxiliarySku", "disableTcpStateTracking", "kind"];
  const shown = (id: string | undefined, apiVersion: string) => {
    const { properties, ...beside } = arm.get(id ?? "", { apiVersion }).body as { properties: object };
    return members.filter((member) => member in properties || member in beside);
  };
  expect(shown(old, "2021-02-01")).toEqual([]);
  expect(shown(old, "2022-01-01")).toEqual(["kind"]);
  expect(shown(recent, "2022-01-01")).toEqual(["auxiliaryMode", "kind"]);
  expect(shown(recent, "2022-11-01")).toEqual(["auxiliaryMode", "auxiliarySku", "disableTcpStateTracking", "kind"]);
  // What was sent is kept, in every version that has it.
  const body = networkInterface(subnetId);
  arm.put(old ?? "", { ...body, properties: { ...body.properties, enableAcceleratedNetworking: true } }, { apiVersion: "2022-01-01" });
  expect(shown(old, "2022-01-01")).toEqual(["enableAcceleratedNetworking", "kind"]);
});

test("an internal frontend gets an address that no interface has, and keeps it", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  arm.put(under(group, "networkInterfaces/n"), networkInterface(subnetId));
  const balancer = under(group, "loadBalancers/in");
  arm.put(balancer, internalBalancer(subnetId));
  const held = { properties: { privateIPAddress: "10.0.0.5", privateIPAddressVersion: "IPv4" } };
  expect(arm.get(balancer).body).toMatchObject({ properties: { frontendIPConfigurations: [held] } });
  arm.delete(under(group, "networkInterfaces/n"));
  arm.put(balancer, { ...internalBalancer(subnetId), tags: { a: "b" } });
  expect(arm.get(balancer).body).toMatchObject({ properties: { frontendIPConfigurations: [held] } });
});
