/** What a create needs consent for where nobody can be asked: to change a standing cluster, but not to create, complete and repair. */
import { expect, test } from "vitest";
import { aksClusterIds } from "../harness/aks-cluster.js";
import { deleteResources, setProperties, setProvisioningState } from "../harness/state-changes.js";
import { testEmulator } from "../harness/test-emulator.js";
import { ids } from "../cli/demo-cluster.js";
import { create, exits, refuses, writesSince } from "../cli/expectations.js";

test("a create without --yes creates what is missing, and corrects what differs", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await deleteResources(azure, ids.link);
  await setProperties(azure, ids.subnet, { networkSecurityGroup: undefined });
  await azure.traffic();
  exits(await create(azure), 0);
  expect((await writesSince(azure)).length).toBeGreaterThan(1);
});

test("a create that changes the egress needs --yes, after its plan and before its first write", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const change = ["--egress", "nat-gateway", "--change-egress"];
  await refuses(
    azure,
    create(azure, change),
    10,
    "ARO-RUN-003",
    /--change-egress requires confirmation.*nothing was changed/,
    "pass --yes",
  );
  exits(await create(azure, [...change, "--dry-run"]), 0);
  exits(await create(azure, [...change, "--yes"]), 0);
  // It changes nothing more.
  exits(await create(azure, change), 0);
});

test("a create that changes a standing AKS cluster needs --yes; one that adds a pool or repairs does not", async () => {
  const azure = await testEmulator();
  const { cluster } = aksClusterIds();
  const createCluster = (...flags: readonly string[]) =>
    azure.cli(["create", "management-cluster", "--cloud", "local", "--name", "mgmt", ...flags], {
      env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" },
    });
  const user = ["--user-pool", "min=1,max=3"];
  exits(await createCluster(...user, "--kubernetes-version", "1.34"), 0);
  const changes = [
    ["--tier", "Premium"],
    ["--user-pool", "min=1,max=9"],
    ["--system-pool", "min=2,max=9"],
    ["--kubernetes-version", "1.35"],
  ];
  for (const change of changes) {
    const what = change[0] === "--user-pool" ? "agent pool user" : "AKS cluster mgmt";
    const message = new RegExp(`a change of ${what}.* requires confirmation.*nothing was changed`);
    await refuses(azure, createCluster(...change), 10, "ARO-RUN-003", message, "pass --yes");
    exits(await createCluster(...change, "--dry-run"), 0);
  }
  await setProvisioningState(azure, cluster, "Failed");
  exits(await createCluster(...user, "--user-pool", "name=big", "--system-pool", "name=more"), 0);
  exits(await createCluster(...changes.flat(), "--yes"), 0);
  // It changes nothing more.
  exits(await createCluster(...changes.flat()), 0);
});
