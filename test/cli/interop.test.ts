/** The file of `--output-file`: exactly the keys and shapes that hypershift reads, whole at every moment, for its owner alone. */
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { localAzure } from "../harness/local-azure.js";
import { brought, seedLandscape } from "./brought-networks.js";
import { groups, ids } from "./demo-cluster.js";
import { create, exits, titled } from "./expectations.js";
import { hypershiftInfra } from "./hypershift-schema.js";
import { controlPlane, dataPlane, fileOf, workload } from "./identities.js";

const schema = z.fromJSONSchema(hypershiftInfra as Parameters<typeof z.fromJSONSchema>[0]);

const noDataPlane = { imageRegistryMSIClientID: "", diskMSIClientID: "", fileMSIClientID: "" };

describe("the file holds hypershift's keys and nothing else but ours", () => {
  const cases = [
    {
      what: "without identities",
      files: {},
      holds: { controlPlaneMIs: null, dataPlaneIdentities: noDataPlane, workloadIdentities: null, vnetID: ids.vnet, subnetID: ids.subnet },
    },
    {
      what: "with a control plane's and a data plane's identities, as contrib's scripts write them",
      files: {
        "--managed-identities-file": {
          ...Object.fromEntries(
            Object.entries(controlPlane).map(([key, value]) => [
              key,
              "clientID" in (value as object) ? { ...(value as object), certificateName: "c" } : value,
            ]),
          ),
          velero: { clientID: "00000000-0000-4000-8000-000000000fff" },
        },
        "--data-plane-identities-file": dataPlane,
      },
      holds: { controlPlaneMIs: { controlPlane, dataPlane: noDataPlane }, dataPlaneIdentities: dataPlane, workloadIdentities: null },
    },
    {
      what: "with the documented combined file",
      files: { "--managed-identities-file": { controlPlane, dataPlane } },
      holds: { controlPlaneMIs: { controlPlane, dataPlane: noDataPlane }, dataPlaneIdentities: dataPlane },
    },
    {
      what: "with workload identities and KMS",
      files: { "--workload-identities-file": { ...workload, kmsClientID: "00000000-0000-4000-8000-000000000eee" } },
      holds: { controlPlaneMIs: null, workloadIdentities: workload, kmsClientID: "00000000-0000-4000-8000-000000000eee" },
    },
  ];
  test.each(titled(cases))("%s", async (_what, { files, holds }) => {
    const azure = await localAzure();
    const file = azure.path("infra.json");
    const flags = await Promise.all(
      Object.entries(files).map(async ([flag, content], index) => [flag, await fileOf(azure, `${String(index)}.json`, content)]),
    );
    exits(await create(azure, ["--output-file", file, ...flags.flat()]), 0);
    const document: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(schema.safeParse(document).error?.issues).toBeUndefined();
    expect(document).toMatchObject({ infraID: "demo-x7k2", region: "eastus", ...holds });
  });
});

test("with everything brought the file names what was brought", async () => {
  const azure = await localAzure();
  await seedLandscape(azure);
  const file = azure.path("infra.json");
  exits(await create(azure, ["--resource-group-name", "mine", "--subnet-id", brought.subnet, "--output-file", file]), 0);
  const document: unknown = JSON.parse(await readFile(file, "utf8"));
  expect(schema.safeParse(document).success).toBe(true);
  expect(document).toMatchObject({
    resourceGroupName: "mine",
    vnetID: brought.vnet,
    subnetID: brought.subnet,
    securityGroupID: brought.nsg,
  });
});

test("a run that dies has left what it knew, and the next one completes the file; its mode is 0600 whatever it was", async () => {
  const azure = await localAzure();
  const file = azure.path("infra.json");
  await writeFile(file, "an older one");
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
  expect(schema.safeParse(JSON.parse(await readFile(file, "utf8"))).success).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
