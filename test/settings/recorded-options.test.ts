/** An option that decides what a cluster is made of is recorded, and is in the command that a verification advises: a new one cannot be forgotten. */
import { expect, test } from "vitest";
import { infraSpec } from "../../src/cli/inputs/infra-spec.js";
import { recordOf } from "../../src/cli/inputs/recorded-options.js";
import { roleTable } from "../../src/domain/role-table.js";
import { recordedKeys } from "../../src/files/recorded-options.js";
import { infrastructure } from "../../src/settings/commands/shared-options.js";
import { options } from "../../src/settings/options.js";
import { createCommand } from "../../src/verify/infra/create-command.js";
import { create, nsgId, subnetId, subscription, vnetId } from "./resolving.js";

const deciding = [...infrastructure, "resourceGroupName", "assignIdentityRoles"] as const;

/** Two clusters, for some options exclude others. */
const clusters = [
  {
    ...{ naming: "hypershift", singleResourceGroup: true, resourceGroupName: "mine", egress: "nat-gateway", assignIdentityRoles: true },
    ...{ resourceGroupTags: ["team=a"], vnetCidr: "10.8.0.0/16", subnetCidr: "10.8.0.0/24", dnsZoneRgName: "dns" },
    ...{ managedIdentitiesFile: "a.json", disableClusterCapabilities: ["ImageRegistry"] },
  },
  { vnetId, subnetId, networkSecurityGroupId: nsgId, assignCustomHcpRoles: true, dnsZoneRgName: "dns", managedIdentitiesFile: "a.json" },
];

test("every option that decides which resources there are is recorded", async () => {
  const keys = new Set<string>(recordedKeys);
  expect(deciding.filter((key) => !keys.has(key))).toEqual([]);
  const records = await Promise.all(clusters.map(async (flags) => Object.keys(recordOf(await create(flags)))));
  expect(deciding.filter((key) => !records.flat().includes(key))).toEqual([]);
});

test("every one of them is in the advised command, but for capabilities, whose identities are left out of it", async () => {
  const commands = await Promise.all(
    clusters.map(async (flags) => {
      const { settings } = await create(flags);
      const spec = infraSpec(settings, subscription, { seen: [] });
      const customHcpRoles = settings.assignCustomHcpRoles;
      const roles = { assignees: roleTable.map((row) => ({ row, clientId: undefined })), customHcpRoles };
      return createCommand({ ...spec, roles }, settings, "dns");
    }),
  );
  const missing = deciding.filter(
    (key) => !commands.some((command) => command.includes(` ${options[key].flag} `) || command.endsWith(options[key].flag)),
  );
  expect(missing).toEqual(["disableClusterCapabilities"]);
});
