/** `show infra`: the state of each resource, as text and as JSON. */
import { expect, test } from "vitest";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "../infra/existing-networks.js";
import { groupId, groups, ids } from "./demo-cluster.js";
import { create, exits, writesSince } from "./expectations.js";
import { updateResource, setProvisioningState, deleteResources } from "../harness/state-changes.js";

interface Row {
  readonly step: string;
  readonly state: string;
  readonly drift: string;
  readonly bringYourOwn: boolean;
  readonly changes: readonly { path: string }[];
  readonly failure?: { code: string };
}

function show(azure: TestEmulator, flags: readonly string[] = []) {
  return azure.cli(["show", "infra", ...demo, ...demoDomain, ...flags]);
}

async function rows(azure: TestEmulator, flags: readonly string[] = []): Promise<Record<string, Row>> {
  const { stdout } = exits(await show(azure, [...flags, "-o", "json"]), 0);
  const { resources } = JSON.parse(stdout) as { resources: Row[] };
  return Object.fromEntries(resources.map((row) => [row.step, row]));
}

test("before create every own resource is absent, and after it everything exists", async () => {
  const azure = await testEmulator();
  const absent = await rows(azure);
  expect(Object.values(absent).map(({ state }) => state)).toEqual(["exists", ...Array<string>(9).fill("absent")]);
  expect(Object.values(absent).filter(({ bringYourOwn }) => bringYourOwn)).toMatchObject([{ step: "public-zone" }]);
  exits(await create(azure), 0);
  await azure.traffic();
  const text = exits(await show(azure), 0).stdout;
  expect(text.split("\n")[0]).toMatch(/^RESOURCE +STATE +DRIFT *$/);
  expect(text).toMatch(/\nvirtual network demo-demo-x7k2 +exists +none *\n/);
  expect(text).not.toMatch(/absent/);
  expect(await writesSince(azure)).toEqual([]);
});

test("drifted, in flight, refused and missing have different states", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await updateResource(azure, ids.loadBalancer, ({ properties }) => ({ properties: { ...properties, outboundRules: [] } }));
  await setProvisioningState(azure, ids.publicIp, "Updating");
  await deleteResources(azure, ids.link);
  const found = await rows(azure, ["--subnet-cidr", "10.0.8.0/24"]);
  expect(found["load-balancer"]).toMatchObject({
    state: "exists",
    drift: "different",
    changes: [{ path: "outboundRules[demo-x7k2]" }],
  });
  expect(found["public-ip"]).toMatchObject({
    state: "in-flight",
    drift: "unknown",
    why: "an operation is in flight: Updating",
  });
  expect(found["vnet"]).toMatchObject({ state: "exists", drift: "refused", failure: { code: "ARO-OWN-002" } });
  expect(found["private-zone-link"]).toMatchObject({ state: "absent" });
  const text = exits(await show(azure, ["--subnet-cidr", "10.0.8.0/24"]), 0).stdout;
  expect(text).toMatch(/load balancer demo-x7k2 +exists +outboundRules\[demo-x7k2\]/);
  expect(text).toMatch(
    /virtual network demo-demo-x7k2 +exists +subnet "default" .* has the address range 10\.0\.0\.0\/24, not 10\.0\.8\.0\/24/,
  );
});

test("an existing resource is shown as bring-your-own, and a missing one as refused", async () => {
  const azure = await testEmulator();
  await seedNetworks(azure);
  const found = await rows(azure, ["--vnet-id", existing.vnet, "--resource-group-name", "nowhere"]);
  expect(found["vnet"]).toMatchObject({ state: "exists", bringYourOwn: true });
  expect(found["nsg"]).toMatchObject({ state: "exists", bringYourOwn: true });
  expect(found["managed-group"]).toMatchObject({ state: "absent", failure: { code: "ARO-OWN-003" } });
});

test("a resource of another cluster is shown as such", async () => {
  const azure = await testEmulator();
  await azure.seed({
    resources: { [groupId(groups.managed)]: { location: "eastus", tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "other" } } },
  });
  const found = await rows(azure);
  expect(found["managed-group"]).toMatchObject({
    state: "exists",
    drift: "refused",
    failure: { code: "ARO-OWN-001", message: 'resource group "demo-demo-x7k2" exists but has a different owner' },
  });
});
