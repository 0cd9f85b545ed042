/** The output files of management and service clusters: complete at any time, and read strictly. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { aksClusterDocument } from "../../../src/aks/outputs/aks-cluster-document.js";
import type { Step } from "../../../src/engine/step.js";
import { aksClusterFile, aksClusterOutput, managementClusterSchema, readAksCluster } from "../../../src/files/aks-cluster-output.js";
import { checkOutputs } from "../../../src/files/write.js";
import { documents } from "../../../src/aks/steps/documented.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { addOn, createdCluster, newCluster, subscriptionId } from "./aks-clusters.js";

const directory = temporaryDirectory(afterAll);
const file = (name: string) => path.join(directory.path, name);

/** The document knows a step only by its identity. */
const stepOf = <Output>(id: string) => ({ id }) as unknown as Step<Output>;

test("the file is complete after each step, and every key is present from the start", async () => {
  const target = file("steps.json");
  const [group, cluster, other] = [stepOf<{ name: string }>("group"), stepOf<{ id: string }>("cluster"), stepOf<object>("other")];
  const document = aksClusterDocument(
    newCluster,
    [
      documents(group, ({ name }) => ({ resourceGroupName: name })),
      documents(cluster, ({ id }, known) => ({ clusterId: `${known.resourceGroupName ?? ""}/${id}`, keyVaultAddOn: addOn })),
    ],
    aksClusterFile(target, newCluster),
  );
  await document.add(other, {});
  await expect(readFile(target)).rejects.toThrow("ENOENT");
  await document.add(group, { name: "mgmt" });
  const early = JSON.parse(await readFile(target, "utf8")) as object;
  expect(managementClusterSchema.parse(early)).toMatchObject({ resourceGroupName: "mgmt", clusterID: "", keyVaultAddOn: null });
  await document.add(cluster, { id: "aks" });
  expect(JSON.parse(await readFile(target, "utf8"))).toEqual(document.current());
  expect(document.current()).toMatchObject({
    clusterID: "mgmt/aks",
    keyVaultAddOn: { id: addOn.id, clientID: addOn.clientId, objectID: addOn.objectId },
  });
  expect(Object.keys(document.current())).toEqual(Object.keys(early));
});

test("what was written is read again, and later keys are ignored", async () => {
  const output = aksClusterOutput(createdCluster);
  directory.write("later.json", JSON.stringify({ ...output, laterKey: 1 }, undefined, 2));
  const { input, at } = await readAksCluster(file("later.json"), "management-cluster");
  expect(input).toMatchObject(output);
  expect(at(["keyVaultAddOn", "objectID"])).toMatch(/later\.json:\d+$/);
});

test.each([
  ["the other kind", { kind: "service-cluster" }, /later\.json:3 is the output file of a service cluster/],
  ["another document", { kind: undefined, infraID: "x7k2" }, /is no output file of an AKS cluster/],
  ["a later version", { schemaVersion: 2 }, /later\.json:2 has schemaVersion 2; this aro-hcp supports versions up to 1/],
  ["a wrong ID", { keyVaultAddOn: { id: "", clientID: "abc", objectID: addOn.objectId } }, /is not valid as an output file of create/],
])("%s is refused", async (_what, change, message) => {
  directory.write("later.json", JSON.stringify({ ...aksClusterOutput(createdCluster), ...change }, undefined, 2));
  await expect(readAksCluster(file("later.json"), "management-cluster")).rejects.toMatchObject({ code: "ARO-FILE-003" });
  await expect(readAksCluster(file("later.json"), "management-cluster")).rejects.toThrow(message);
});

const cluster = { kind: "management-cluster", name: "mgmt", subscriptionId } as const;

test.each([
  ["of a cluster with another name", { name: "other" }, /it is the file of management cluster other$/],
  ["of the other kind", { kind: "service-cluster" }, /it is the file of service cluster mgmt$/],
  ["of another subscription", { subscriptionID: addOn.objectId }, /it is the file of management cluster mgmt in subscription 4444/],
  ["with another document", { kind: undefined }, /it is a file that this command did not write$/],
])("a create refuses to overwrite a file %s", async (_what, change, message) => {
  const target = file("owner.json");
  directory.write("owner.json", JSON.stringify({ ...aksClusterOutput(createdCluster), ...change }));
  await expect(checkOutputs([aksClusterFile(target, cluster)])).rejects.toMatchObject({ code: "ARO-FILE-004" });
  await expect(checkOutputs([aksClusterFile(target, cluster)])).rejects.toThrow(message);
});

test("its own file, and one that does not exist, may be written", async () => {
  directory.write("own.json", JSON.stringify(aksClusterOutput(newCluster)));
  const own = aksClusterFile(file("own.json"), { ...cluster, subscriptionId: subscriptionId.toUpperCase() });
  await expect(checkOutputs([own])).resolves.toBeUndefined();
  await expect(checkOutputs([aksClusterFile(file("missing.json"), cluster)])).resolves.toBeUndefined();
});
