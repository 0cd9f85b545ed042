import { expect, test } from "vitest";
import { ArmState, subscription } from "../arm-state.js";
import { networkInterface, under, withNetwork } from "./network-bodies.js";

const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });

/** Adds a resource to the state that no PUT of the emulator creates. */
function seed(arm: ArmState, id: string, type: string, properties: Record<string, unknown> = {}): string {
  arm.state.resources[id.toLowerCase()] = { id, name: id.slice(id.lastIndexOf("/") + 1), type, location: "eastus", properties };
  return id;
}

test("a machine uses its interface and its disk: neither can be deleted before it", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const nic = under(group, "networkInterfaces/nic");
  arm.put(nic, networkInterface(subnetId));
  const compute = `${group}/providers/Microsoft.Compute`;
  const disk = seed(arm, `${compute}/disks/os`, "Microsoft.Compute/disks");
  const machine = seed(arm, `${compute}/virtualMachines/node`, "Microsoft.Compute/virtualMachines", {
    networkProfile: { networkInterfaces: [{ id: nic }] },
    storageProfile: { osDisk: { name: "os", managedDisk: { id: disk } } },
  });
  expect(arm.delete(nic)).toMatchObject(refusal("NicInUse"));
  expect(arm.delete(disk, { apiVersion: "2024-03-02" })).toMatchObject(refusal("OperationNotAllowed", 409));
  expect(arm.get(nic).body).toMatchObject({ properties: { virtualMachine: { id: machine } } });
  expect(arm.delete(machine).status).toBe(202);
  expect(arm.get(machine).status).toBe(404);
  // The newest version may answer 200, because a short deletion has ended.
  expect(arm.delete(nic, { apiVersion: "2024-05-01" }).status).toBe(202);
  expect(arm.delete(disk, { apiVersion: "2024-03-02" }).status).toBe(200);
});

test("a resource seeded as Azure answers it, with the IDs of its parts, uses what its parts use", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const set = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/workers`;
  seed(arm, set, "Microsoft.Compute/virtualMachineScaleSets", {
    ipConfigurations: [{ id: `${set}/ipConfigurations/one`, name: "one", properties: { subnet: { id: subnetId } } }],
  });
  const refused = arm.delete(subnetId);
  expect(refused).toMatchObject(refusal("InUseSubnetCannotBeDeleted"));
  expect(JSON.stringify(refused.body)).toContain(`${set}/ipConfigurations/one`);
});

test("a group with machines and accounts is deleted with all of them, in whatever order they use each other", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const nic = under(group, "networkInterfaces/nic");
  arm.put(nic, networkInterface(subnetId));
  seed(arm, `${group}/providers/Microsoft.Compute/virtualMachines/node`, "Microsoft.Compute/virtualMachines", {
    networkProfile: { networkInterfaces: [{ id: nic }] },
  });
  seed(arm, `${group}/providers/Microsoft.Storage/storageAccounts/account`, "Microsoft.Storage/storageAccounts");
  arm.get(arm.delete(group).headers["Location"] ?? "");
  expect(Object.keys(arm.state.resources).filter((id) => id.startsWith(group.toLowerCase()))).toEqual([]);
});

test("a seeded identity is read with its lower-case group segment, listed, and deleted; its assignments stay as orphans", () => {
  const arm = new ArmState();
  arm.group("demo");
  const id = seed(
    arm,
    `${subscription}/resourceGroups/demo/providers/Microsoft.ManagedIdentity/userAssignedIdentities/disk`,
    "Microsoft.ManagedIdentity/userAssignedIdentities",
    {
      tenantId: arm.state.tenantId,
      principalId: "00000000-0000-4000-8000-00000000000a",
      clientId: "00000000-0000-4000-8000-00000000000b",
    },
  );
  expect(arm.get(id).body).toMatchObject({
    id: id.replace("resourceGroups", "resourcegroups"),
    properties: { principalId: "00000000-0000-4000-8000-00000000000a" },
  });
  const list = `${subscription}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  expect(arm.get(list).body).toMatchObject({ value: [{ name: "disk" }] });
  const before = Object.keys(arm.state.roleAssignments).length;
  expect(arm.delete(id).status).toBe(200);
  expect(Object.keys(arm.state.roleAssignments)).toHaveLength(before);
  expect(arm.delete(id).status).toBe(204);
});

test("a machine cannot be created here: the refusal says that it is not emulated", () => {
  const arm = new ArmState();
  const id = `${arm.group("demo")}/providers/Microsoft.Compute/virtualMachines/node`;
  expect(arm.put(id, { location: "eastus" }).status).toBe(501);
  expect(arm.get(id, { apiVersion: "2001-01-01" })).toMatchObject(refusal("NoRegisteredProviderFound"));
});
