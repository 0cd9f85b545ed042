/** Egress through a NAT gateway: it is created, kept, verified, repaired and counted, and refused if the subnet has another one. */
import { defaultEgress } from "../../../src/domain/egress.js";
import { describe, expect, test } from "vitest";
import { all } from "../../../src/azure/pages.js";
import { nothingIsLeft } from "./removed-infra.js";
import { doctorState, healthy } from "../../doctor/doctor-state.js";
import { commandsIn, findings, rowOf } from "../../verify/healthy-state.js";
import { infraState, createCommand } from "./infra-state.js";

const flags = "--egress nat-gateway";
const group = "demo-demo-x7k2";
const network = { group: "demo-demo-x7k2-vnet", name: "demo-demo-x7k2" };

describe("--egress nat-gateway", () => {
  test("creates a gateway with its own address on the subnet, beside the load balancer, and every check passes", async () => {
    const state = await infraState(flags);
    await state.follow(createCommand(flags));
    expect(findings(await state.verify())).toEqual([]);
    const { natGateways, subnets, loadBalancers } = await state.azure.network();
    const gateway = await natGateways.get(group, "demo-x7k2-nat");
    expect(gateway).toMatchObject({
      sku: { name: "Standard" },
      idleTimeoutInMinutes: 4,
      publicIpAddresses: [{ id: expect.stringMatching(/\/publicIPAddresses\/demo-x7k2-nat$/) as string }],
      tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" },
    });
    const subnet = await subnets.get(network.group, network.name, "default");
    expect(subnet.natGateway?.id?.toLowerCase()).toBe(gateway.id?.toLowerCase());
    expect(subnet.networkSecurityGroup?.id).toMatch(/\/networkSecurityGroups\/demo-demo-x7k2-nsg$/i);
    expect((await loadBalancers.get(group, "demo-x7k2")).outboundRules).toHaveLength(1);
  });

  test("verifies that the gateway is attached, and the advised command attaches it again", async () => {
    const state = await infraState(flags);
    await state.follow(createCommand(flags));
    const { subnets } = await state.azure.network();
    const { natGateway: _detached, ...rest } = await subnets.get(network.group, network.name, "default");
    await subnets.beginCreateOrUpdateAndWait(network.group, network.name, "default", rest);
    const results = await state.verify();
    expect(findings(results)).toEqual(["resource-as-wanted/virtual network demo-demo-x7k2 failed"]);
    const row = rowOf(results, "resource-as-wanted", "virtual network demo-demo-x7k2");
    expect(row.evidence).toMatch(/^subnets\[default\]\.natGateway: nothing, not /);
    const [command = ""] = commandsIn(row);
    expect(command).toContain(flags);
    await state.follow(command);
    expect(findings(await state.verify())).toEqual([]);
  });

  test("adds the gateway's address again, and keeps an address that others added", async () => {
    const state = await infraState(flags);
    await state.follow(createCommand(flags));
    const { natGateways, publicIPAddresses } = await state.azure.network();
    const sku = { name: "Standard" } as const;
    const body = { location: "eastus", sku, publicIPAllocationMethod: "Static", publicIPAddressVersion: "IPv4" } as const;
    const other = await publicIPAddresses.beginCreateOrUpdateAndWait(group, "other", body);
    const live = await natGateways.get(group, "demo-x7k2-nat");
    await natGateways.beginCreateOrUpdateAndWait(group, "demo-x7k2-nat", { ...live, publicIpAddresses: [{ id: other.id ?? "" }] });
    expect(findings(await state.verify())).toEqual(["resource-as-wanted/NAT gateway demo-x7k2-nat failed"]);
    await state.follow(createCommand(flags));
    expect((await natGateways.get(group, "demo-x7k2-nat")).publicIpAddresses).toHaveLength(2);
    expect(findings(await state.verify())).toEqual([]);
  });

  test("keeps the gateway when the flag is omitted later, because the choice is recorded", async () => {
    const state = await infraState(flags);
    await state.follow(createCommand(flags));
    await state.follow(createCommand());
    const { subnets } = await state.azure.network();
    expect((await subnets.get(network.group, network.name, "default")).natGateway?.id).toMatch(/\/natGateways\/demo-x7k2-nat$/i);
  });

  test("is removed completely, in an order that Azure allows", async () => {
    const state = await infraState(flags);
    await state.follow(createCommand(flags));
    await nothingIsLeft(state.azure);
    const { resourceGroups } = await state.azure.resources();
    expect((await all(resourceGroups.list())).map(({ name }) => name)).toEqual(["dns"]);
  });
});

test("a subnet with another NAT gateway is not changed, and the evidence names that gateway", async () => {
  const state = await infraState(flags);
  await state.follow(createCommand(flags));
  const { natGateways, subnets } = await state.azure.network();
  const other = await natGateways.beginCreateOrUpdateAndWait(group, "other", { location: "eastus", sku: { name: "Standard" } });
  const subnet = await subnets.get(network.group, network.name, "default");
  await subnets.beginCreateOrUpdateAndWait(network.group, network.name, "default", { ...subnet, natGateway: { id: other.id ?? "" } });
  const results = await state.verify();
  expect(rowOf(results, "resource-as-wanted", "virtual network demo-demo-x7k2").evidence).toMatch(
    /^subnet "default" of virtual network "demo-demo-x7k2" has a different NAT gateway: /,
  );
});

describe("the doctor", () => {
  test("counts two public IP addresses and a gateway for --egress nat-gateway", async () => {
    const state = await doctorState();
    await state.seed({ knobs: { publicIpLimit: 1 } });
    const rows = await state.examine({ ...healthy, egress: { ...defaultEgress, type: "nat-gateway" } });
    expect(findings(rows)).toEqual(["quotas/public IP addresses in eastus failed"]);
    expect(rowOf(rows, "quotas", "public IP addresses in eastus").evidence).toBe("PublicIPAddresses 0 of 1 in use, but 2 more needed");
    expect(rowOf(rows, "quotas", "NAT gateways in eastus").evidence).toBe("NatGateways 0 of 100 in use; 1 needed");
    await state.seed({ knobs: { publicIpLimit: 2 } });
    expect(findings(await state.examine({ egress: { ...defaultEgress, type: "nat-gateway" } }))).toEqual([]);
  });
});
