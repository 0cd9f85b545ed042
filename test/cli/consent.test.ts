/** What a create needs consent for where nobody can be asked: to change a standing cluster, but not to create, complete and repair. */
import { expect, test } from "vitest";
import { deleteResources, setProperties } from "../harness/state-changes.js";
import { testEmulator } from "../harness/test-emulator.js";
import { ids } from "./demo-cluster.js";
import { create, exits, refuses, writesSince } from "./expectations.js";

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
