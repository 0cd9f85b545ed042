/** The names of the nodes' network security groups: two clusters in one existing group, and clusters that an earlier version created. */
import { expect, test } from "vitest";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup, keyOf } from "../cli/demo-cluster.js";
import { exits, writesSince } from "../cli/expectations.js";

const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };

const run = (azure: TestEmulator, verb: string, name: string, ...flags: readonly string[]) =>
  azure.cli([verb, "management-cluster", "--cloud", "local", "--name", name, ...flags], faster);

/** Its name in earlier versions. */
const former = "mgmt-cluster-node-nsg";

/** Gives the security group of the cluster "blue" the name that an earlier version gave it. */
function rename(azure: TestEmulator): Promise<void> {
  return changeState(azure, ({ resources }) => {
    for (const [key, stored] of Object.entries(resources)) {
      const text = JSON.stringify(stored);
      if (!text.includes("blue-node-nsg") && !key.includes("blue-node-nsg")) continue;
      delete resources[key];
      resources[key.replace("blue-node-nsg", former)] = JSON.parse(text.replaceAll("blue-node-nsg", former)) as typeof stored;
    }
  });
}

async function securityGroups(azure: TestEmulator): Promise<string[]> {
  const { resources } = await azure.snapshot();
  return Object.keys(resources).filter((key) => /\/networksecuritygroups\/[^/]+$/.test(key));
}

test("two clusters in one existing group are created and verified, and neither's destroy touches the other", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("shared")]: { location: "eastus" } } });
  const before = await azure.snapshot();
  const create = (name: string) => run(azure, "create", name, "--resource-group-name", "shared", "--preset", "dev", "--yes");
  const destroy = (name: string) => run(azure, "destroy", name, "--yes", "--purge");
  exits(await create("blue"), 0);
  const onlyBlue = await azure.snapshot();
  exits(await create("green"), 0);
  for (const name of ["blue", "green"]) exits(await run(azure, "verify", name), 0);
  exits(await destroy("green"), 0);
  expect(await azure.snapshot()).toEqual(onlyBlue);
  exits(await create("green"), 0);
  exits(await destroy("blue"), 0);
  exits(await run(azure, "verify", "green"), 0);
  exits(await destroy("green"), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a cluster keeps a security group with the name of an earlier version, beside a second cluster", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("shared")]: { location: "eastus" } } });
  const before = await azure.snapshot();
  const existing = ["--resource-group-name", "shared", "--preset", "dev", "--yes"];
  exits(await run(azure, "create", "blue", ...existing), 0);
  await rename(azure);
  await azure.traffic();
  exits(await run(azure, "create", "blue", "--resource-group-name", "shared", "--yes"), 0);
  exits(await run(azure, "verify", "blue"), 0);
  expect(exits(await run(azure, "show", "blue"), 0).stdout).toContain(former);
  expect(await writesSince(azure)).toEqual([]);
  const onlyBlue = await azure.snapshot();

  exits(await run(azure, "create", "green", ...existing), 0);
  const [old, own] = [former, "green-node-nsg"].map((name) => keyOf(inGroup("shared", `networkSecurityGroups/${name}`)));
  expect(await securityGroups(azure)).toEqual(expect.arrayContaining([old, own]));
  const { stderr } = exits(await run(azure, "destroy", "green", "--yes", "--purge"), 0);
  expect(stderr).not.toContain(former);
  expect(await azure.snapshot()).toEqual(onlyBlue);
  exits(await run(azure, "destroy", "blue", "--yes", "--purge"), 0);
  expect(await azure.snapshot()).toEqual(before);
});
