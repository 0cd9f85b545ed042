import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  clusterNameIn,
  infraOutputFile,
  infraOutput,
  infraOutputSchema,
  readInfraOutput,
  type KnownInfra,
} from "../../src/files/infra-output.js";
import { jsonSchemas } from "../../src/cli/json-schemas.js";
import { writeDocument } from "../../src/files/write.js";
import { controlPlane, dataPlane, workload } from "../identities/cli/identities.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const directory = temporaryDirectory(afterAll);
const subscription = "11111111-1111-1111-1111-111111111111";
const group = `/subscriptions/${subscription}/resourceGroups/demo-x7k2`;
const start: KnownInfra = {
  cloud: "AzurePublicCloud",
  subscriptionId: subscription,
  tenantId: "22222222-2222-2222-2222-222222222222",
  clusterName: "demo",
  infraId: "x7k2",
  baseDomain: "hcp.example.com",
  location: "eastus",
};
const vnetId = `${group}-vnet/providers/Microsoft.Network/virtualNetworks/demo-x7k2`;
const done: KnownInfra = {
  ...start,
  resourceGroupName: "demo-x7k2",
  publicZoneId: `/subscriptions/${subscription}/resourceGroups/dns/providers/Microsoft.Network/dnszones/hcp.example.com`,
  privateZoneId: `${group}/providers/Microsoft.Network/privateDnsZones/demo.hcp.example.com`,
  vnetId,
  subnetId: `${vnetId}/subnets/default`,
  securityGroupId: `${group}-nsg/providers/Microsoft.Network/networkSecurityGroups/demo-x7k2-nsg`,
  controlPlane,
  dataPlane,
};

/** The JSON names of hypershift's CreateInfraOutput that are never omitted. */
const hypershiftKeys = [
  "baseDomain",
  "publicZoneID",
  "privateZoneID",
  "region",
  "resourceGroupName",
  "vnetID",
  "subnetID",
  "bootImageID",
  "infraID",
  "securityGroupID",
  "controlPlaneMIs",
  "dataPlaneIdentities",
  "workloadIdentities",
];

describe("the output document", () => {
  test("has hypershift's keys and five additional ones from the first step on", () => {
    for (const known of [start, done]) {
      expect(Object.keys(infraOutput(known)).sort()).toEqual(
        [...hypershiftKeys, "cloud", "clusterName", "schemaVersion", "subscriptionID", "tenantID"].sort(),
      );
    }
  });

  test("matches its schema at every step", () => {
    for (const known of [start, done, { ...start, workload: { ...workload, kmsClientID: dataPlane.diskMSIClientID } }]) {
      expect(() => infraOutputSchema.parse(infraOutput(known))).not.toThrow();
    }
  });

  test("has the identities where hypershift reads them", () => {
    expect(infraOutput(done)).toMatchObject({
      controlPlaneMIs: { controlPlane, dataPlane: { imageRegistryMSIClientID: "", diskMSIClientID: "", fileMSIClientID: "" } },
      dataPlaneIdentities: dataPlane,
      workloadIdentities: null,
    });
    expect(infraOutput({ ...start, workload: { ...workload, kmsClientID: dataPlane.diskMSIClientID } })).toMatchObject({
      controlPlaneMIs: null,
      workloadIdentities: workload,
      kmsClientID: dataPlane.diskMSIClientID,
    });
  });

  test("is read back by destroy, incomplete or complete", async () => {
    const file = path.join(directory.path, "infra.json");
    await writeDocument(infraOutputFile(file, done), infraOutput(done));
    expect(await readInfraOutput(file)).toMatchObject({
      infraID: "x7k2",
      subscriptionID: subscription,
      vnetID: vnetId,
      cloud: "AzurePublicCloud",
    });
    await writeDocument(infraOutputFile(file, start), infraOutput(start));
    const half = await readInfraOutput(file);
    expect(half.vnetID).toBeUndefined();
    expect(half.infraID).toBe("x7k2");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ vnetID: "" });
  });
});

describe("readInfraOutput", () => {
  test("reads the YAML that hypershift itself writes", async () => {
    const yaml = `baseDomain: hcp.example.com
bootImageID: ""
controlPlaneMIs: null
dataPlaneIdentities:
  diskMSIClientID: ""
  fileMSIClientID: ""
  imageRegistryMSIClientID: ""
infraID: x7k2
machineIdentityID: ""
privateZoneID: ${group}/providers/Microsoft.Network/privateDnsZones/demo.hcp.example.com
publicZoneID: /subscriptions/${subscription}/resourceGroups/dns/providers/Microsoft.Network/dnszones/hcp.example.com
region: eastus
resourceGroupName: demo-x7k2
securityGroupID: ${group}/providers/Microsoft.Network/networkSecurityGroups/demo-x7k2-nsg
subnetID: ${vnetId}/subnets/default
vnetID: ${vnetId}
workloadIdentities: null
`;
    const read = await readInfraOutput(directory.write("hypershift.yaml", yaml));
    expect(read).toMatchObject({ infraID: "x7k2", resourceGroupName: "demo-x7k2", vnetID: vnetId });
    expect(read.subscriptionID).toBeUndefined();
  });

  test.each([
    ["no infra ID", {}, /^infraID/],
    ["an invalid infra ID", { infraID: "../x" }, /^infraID: must have 1 to 63/],
    ["an invalid name", { infraID: "x", clusterName: "Demo" }, /^clusterName: must have 1 to 63/],
    ["an empty infra ID", { infraID: "" }, /^infraID/],
    ["an ID of another type", { infraID: "x", vnetID: group }, /^vnetID: expected the ID of a Microsoft.Network\/virtualNetworks/],
    ["a subscription that is not a UUID", { infraID: "x", subscriptionID: "mine" }, /^subscriptionID: expected a UUID/],
  ])("refuses %s", async (_, content, why) => {
    await expect(readInfraOutput(directory.write("bad.json", JSON.stringify(content)))).rejects.toMatchObject({
      code: "ARO-FILE-003",
      problems: [{ message: expect.stringMatching(why) as string }],
    });
  });

  test("rejects a document of a later version", async () => {
    const file = directory.write("later.json", JSON.stringify({ ...infraOutput(done), schemaVersion: 2 }));
    await expect(readInfraOutput(file)).rejects.toMatchObject({
      code: "ARO-FILE-003",
      message: expect.stringContaining("schemaVersion 2") as string,
    });
  });
});

test("the cluster's name comes from the file, whatever the name of an existing group", () => {
  expect(clusterNameIn({ clusterName: "demo", infraID: "x7k2", resourceGroupName: "rg-x7k2" })).toBe("demo");
  expect(infraOutput(start)).toMatchObject({ clusterName: "demo" });
});

test("without a name in the file, it follows from the managed group, or from the network if the group is an existing one", () => {
  expect(clusterNameIn({ infraID: "x7k2", resourceGroupName: "demo-x7k2" })).toBe("demo");
  expect(clusterNameIn({ infraID: "x7k2", resourceGroupName: "brought", vnetID: vnetId })).toBe("demo");
  expect(clusterNameIn({ infraID: "x7k2", resourceGroupName: "brought" })).toBeUndefined();
  expect(clusterNameIn({ infraID: "x7k2", resourceGroupName: "-x7k2" })).toBeUndefined();
});

test("every document has a JSON Schema", async () => {
  const schemas = await jsonSchemas();
  for (const schema of schemas.values())
    expect(schema()).toMatchObject({ $schema: expect.stringContaining("2020-12") as string, type: "object" });
  expect(schemas.get("infra-output")?.()).toMatchObject({
    required: expect.arrayContaining(hypershiftKeys) as string[],
    additionalProperties: false,
  });
});
