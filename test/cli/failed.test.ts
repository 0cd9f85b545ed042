/** A rerun rewrites resources that a failed Azure operation left as Failed, except existing resources of the user. */
import { expect, test } from "vitest";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "../infra/existing-networks.js";
import { ids } from "./demo-cluster.js";
import { create, exits, refuses, writesSince } from "./expectations.js";
import { resource, setProvisioningState, addTags, type SnapshotResource } from "../harness/state-changes.js";

const made = ["nsg", "vnet", "privateZone", "link", "publicIp", "loadBalancer"] as const;

test("each failed type is rewritten with its content and the additions of others, and then succeeds", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed({
    resources: {
      [`${ids.nsg}/securityRules/theirs`]: {
        properties: {
          ...{ protocol: "Tcp", access: "Allow", direction: "Inbound", priority: 300 },
          ...{ sourceAddressPrefix: "*", sourcePortRange: "*", destinationAddressPrefix: "*", destinationPortRange: "443" },
        },
      },
      [`${ids.vnet}/subnets/apps`]: { properties: { addressPrefix: "10.0.1.0/24" } },
    },
  });
  for (const kind of made) await addTags(azure, ids[kind], { added: "by others" });
  const healthy = await azure.snapshot();
  for (const kind of made) await setProvisioningState(azure, ids[kind], kind === "link" ? "Canceled" : "Failed");

  const planned = exits(await create(azure, ["--dry-run"]), 0).stderr;
  expect(planned.match(/ update .*: its last operation failed, so it is updated again$/gm), planned).toHaveLength(6);
  expect(planned).toMatch(/update +virtual network link demo-demo-x7k2[^\n]*\n +provisioningState: "Canceled" .* "Succeeded"/);
  await azure.traffic();
  exits(await create(azure), 0);
  expect((await writesSince(azure)).sort()).toEqual(made.map((kind) => `PUT ${ids[kind]}`).sort());
  // A resource that is written as a part of another one has the state of that one.
  for (const part of [`${ids.vnet}/subnets/apps`, `${ids.nsg}/securityRules/theirs`]) {
    delete (healthy.resources[part.toLowerCase()] as SnapshotResource).properties["provisioningState"];
  }
  expect(await azure.snapshot()).toMatchObject(healthy);
  exits(await azure.cli(["verify", "infra", ...demo, ...demoDomain]), 0);
});

test("an existing network or network security group in a failed state is refused with the command for its owner, and not written", async () => {
  const azure = await testEmulator();
  await seedNetworks(azure);
  for (const [id, words] of [
    [existing.vnet, "az network vnet update --ids"],
    [existing.nsg, "az network nsg update --ids"],
  ] as const) {
    await setProvisioningState(azure, id, "Failed");
    await refuses(azure, create(azure, ["--vnet-id", existing.vnet]), 5, "ARO-OWN-003", "its last operation is Failed", `${words} ${id}`);
    expect((await resource(azure, id))?.properties["provisioningState"]).toBe("Failed");
    await setProvisioningState(azure, id, "Succeeded");
  }
});
