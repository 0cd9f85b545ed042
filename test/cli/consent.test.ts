/** What a create needs consent for where nobody can be asked: changes of what exists, but neither creations nor repairs. */
import { expect, test } from "vitest";
import { changeResource, deleteResources, resource, setProperties, setProvisioningState } from "../harness/state-changes.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { ids } from "./demo-cluster.js";
import { exits, refuses, writesSince } from "./expectations.js";

const create = (azure: TestEmulator, flags: readonly string[] = []) => azure.cli(["create", "infra", ...demo, ...demoDomain, ...flags]);

async function withCluster(): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  return azure;
}

const harmless: readonly (readonly [what: string, change: (azure: TestEmulator) => Promise<unknown>])[] = [
  ["creates what is missing", (azure) => deleteResources(azure, ids.link)],
  ["adds a tag of ours", (azure) => changeResource(azure, ids.publicIp, (stored) => Reflect.deleteProperty(stored, "tags"))],
  ["repeats an operation that failed", (azure) => setProvisioningState(azure, ids.publicIp, "Failed")],
];

test.each(harmless)("a create without --yes %s", async (_what, change) => {
  const azure = await withCluster();
  await change(azure);
  await azure.traffic();
  exits(await create(azure), 0);
  expect((await writesSince(azure)).length).toBeGreaterThan(0);
});

test("a create that changes a resource needs --yes, after its plan and before its first write", async () => {
  const azure = await withCluster();
  const detached = { networkSecurityGroup: undefined };
  await setProperties(azure, ids.subnet, detached);
  const plan = / {2}~ update {2}virtual network demo-demo-x7k2: it differs/;
  const words = [
    "ARO-RUN-003",
    "the plan changes 1 existing resource; nothing was changed",
    "virtual network demo-demo-x7k2",
    "pass --yes",
  ];
  await refuses(azure, create(azure), 10, plan, ...words);
  exits(await create(azure, ["--dry-run"]), 0);
  exits(await create(azure, ["--yes"]), 0);
  expect(await resource(azure, ids.subnet)).toMatchObject({ properties: { networkSecurityGroup: { id: ids.nsg } } });
});

test("a change of the egress needs --yes", async () => {
  const azure = await withCluster();
  const change = ["--egress", "nat-gateway"];
  await refuses(azure, create(azure, change), 10, "ARO-RUN-003");
  exits(await create(azure, [...change, "--yes"]), 0);
});
