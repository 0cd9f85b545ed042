/** The file of `--output-file`: exactly the keys and formats that hypershift reads, complete at every moment, readable by its owner only. */
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "../infra/existing-networks.js";
import { groups, ids, subscription } from "./demo-cluster.js";
import { create, exits, titled } from "./expectations.js";
import { hypershiftInfra } from "../hosted-cluster/hypershift-schema.js";
import { applications, clientIdOf, controlPlane, dataPlane, fileOf, workload } from "../identities/cli/identities.js";
import { assignments, separate, wantedAssignments } from "../infra/role-names.js";

const schema = z.fromJSONSchema(hypershiftInfra as Parameters<typeof z.fromJSONSchema>[0]);

const noDataPlane = { imageRegistryMSIClientID: "", diskMSIClientID: "", fileMSIClientID: "" };

const dataPlaneComponents = ["ciroWI", "azure-diskWI", "azure-fileWI"];

/** As contrib's scripts write them: additional keys, and client IDs without quotes. */
const contribControlPlane = {
  ...Object.fromEntries(
    Object.entries(controlPlane).map(([key, value]) => [
      key,
      "clientID" in (value as object) ? { ...(value as object), certificateName: "c" } : value,
    ]),
  ),
  velero: { clientID: "00000000-0000-4000-8000-000000000fff" },
};
const contribDataPlane = `{\n${Object.entries(dataPlane)
  .map(([key, id]) => `  "${key}": ${String(id)}`)
  .join(",\n")}\n}\n`;

// The flag for role assignment has three names. Each one is used once.
describe("every format of identity file is recognized, gets its roles, and is written with hypershift's keys", () => {
  const cases = [
    {
      what: "the inner object of the control plane",
      flag: "--assign-identity-roles",
      files: { "--managed-identities-file": controlPlane },
      kind: "control-plane",
      wanted: wantedAssignments({ groups: separate, without: dataPlaneComponents }),
      document: {
        controlPlaneMIs: { controlPlane, dataPlane: noDataPlane },
        dataPlaneIdentities: noDataPlane,
        ...{ cloud: "AzurePublicCloud", subscriptionID: subscription.split("/")[2], tenantID: "7e7a0000-0000-4000-8000-000000000001" },
      },
    },
    {
      what: "a control plane's and a data plane's identities, as contrib's scripts write them",
      flag: "--assign-service-principal-roles",
      files: { "--managed-identities-file": contribControlPlane, "--data-plane-identities-file": contribDataPlane },
      kind: "data-plane",
      wanted: wantedAssignments({ groups: separate }),
      document: { controlPlaneMIs: { controlPlane, dataPlane: noDataPlane }, dataPlaneIdentities: dataPlane, workloadIdentities: null },
    },
    {
      what: "the documented combined file for both planes",
      flag: "--auto-assign-roles",
      files: { "--managed-identities-file": { controlPlane, dataPlane } },
      kind: "combined",
      wanted: wantedAssignments({ groups: separate }),
      document: { controlPlaneMIs: { controlPlane, dataPlane: noDataPlane }, dataPlaneIdentities: dataPlane },
    },
    {
      what: "workload identities of a self-managed control plane, and KMS",
      flag: "--assign-identity-roles",
      files: { "--workload-identities-file": { ...workload, kmsClientID: clientIdOf("disk") } },
      kind: "workload",
      wanted: wantedAssignments({ groups: separate, without: dataPlaneComponents }),
      document: { controlPlaneMIs: null, workloadIdentities: workload, kmsClientID: clientIdOf("disk") },
    },
  ];
  test.each(titled(cases))("%s", async (_what, { flag, files, kind, wanted, document: expected }) => {
    const azure = await testEmulator();
    await azure.seed({ applications });
    const file = azure.path("infra.json");
    const given = await Promise.all(
      Object.entries(files).map(async ([name, content], index) => [name, await fileOf(azure, `${String(index)}.json`, content)]),
    );
    const { stderr } = exits(await create(azure, ["--output-file", file, ...given.flat(), flag, "--dns-zone-rg-name", "dns"]), 0);
    expect(stderr).toContain(kind);
    expect(await assignments(azure)).toEqual(wanted);
    const document: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(schema.safeParse(document).error?.issues).toBeUndefined();
    expect(document).toMatchObject({ infraID: "demo-x7k2", region: "eastus", ...expected });
  });
});

test("without identities, and with existing resources only, the file lists the existing resources", async () => {
  const azure = await testEmulator();
  await seedNetworks(azure);
  const file = azure.path("infra.json");
  exits(await create(azure, ["--resource-group-name", "mine", "--subnet-id", existing.subnet, "--output-file", file]), 0);
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  expect(schema.safeParse(document).success).toBe(true);
  expect(document).toMatchObject({
    resourceGroupName: "mine",
    vnetID: existing.vnet,
    subnetID: existing.subnet,
    securityGroupID: existing.nsg,
    ...{ controlPlaneMIs: null, dataPlaneIdentities: noDataPlane, workloadIdentities: null },
  });
});

test("an interrupted run leaves its known values, and the next run completes the file; its mode becomes 0600", async () => {
  const azure = await testEmulator();
  const file = azure.path("infra.json");
  const own = { schemaVersion: 1, clusterName: "demo", infraID: "demo-x7k2", subscriptionID: subscription.split("/")[2] };
  await writeFile(file, JSON.stringify(own));
  await chmod(file, 0o644);
  const died = await create(azure, ["--output-file", file], {
    faults: [{ method: "PUT", path: "/virtualNetworks/[^/]+$", delay: 1, kill: true }],
  });
  expect(died.code).toBe("SIGKILL");
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    resourceGroupName: groups.managed,
    publicZoneID: ids.publicZone,
    securityGroupID: ids.nsg,
  });
  exits(await create(azure, ["--output-file", file]), 0);
  const whole: unknown = JSON.parse(await readFile(file, "utf8"));
  expect(schema.safeParse(whole).success).toBe(true);
  expect(whole).toMatchObject({ vnetID: ids.vnet, subnetID: ids.subnet });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
