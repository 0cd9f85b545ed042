/** `--output-kubeconfig`: a private file of one cluster, which replaces no other file. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { load } from "js-yaml";
import { beforeEach, expect, test } from "vitest";
import type { Azure } from "../../src/azure/azure.js";
import { saveKubeconfig } from "../../src/aks/commands/create-cluster.js";
import { clusterKubeconfig, ownKubeconfig } from "../../src/aks/files/cluster-kubeconfig.js";
import { checkOutputs } from "../../src/files/write.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import { azureRest } from "../harness/azure-rest.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { hostile, withExec } from "../harness/hostile-kubeconfigs.js";
import type { Kubeconfig } from "../harness/kubernetes.js";
import { ownSurroundings } from "../harness/surroundings.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId } from "../cli/demo-cluster.js";
import { exits } from "../cli/expectations.js";

const clusterId = `${groupId("mgmt")}/providers/Microsoft.ContainerService/managedClusters/mgmt`;
const otherId = clusterId.replace(/mgmt$/, "other");

let emulator: TestEmulator;
let azure: Azure;
beforeEach(async () => {
  emulator = await testEmulator();
  azure = await connectedAzure(emulator.directory);
});

async function createCluster(id: string): Promise<void> {
  const { arm } = azureRest(azure);
  await arm("PUT", groupId("mgmt"), "2025-04-01", { location: "eastus" });
  const agentPoolProfiles = [{ name: "system", count: 2, mode: "System" }];
  const body = { location: "eastus", identity: { type: "SystemAssigned" }, properties: { dnsPrefix: "demo", agentPoolProfiles } };
  await arm("PUT", id, "2025-07-01", body);
}

const contentOf = async (path: string) => load(await readFile(path, "utf8")) as ReturnType<typeof kubeconfig>;

/** As AKS writes it for a cluster without local accounts. */
const kubeconfig = (
  server: string,
  more: { readonly clusters?: { readonly name: string; readonly cluster: object }[]; readonly extensions?: object[] } = {},
) => ({
  apiVersion: "v1",
  kind: "Config",
  clusters: [
    { name: "mgmt", cluster: { server, "certificate-authority-data": "Y2E=", ...(more.extensions && { extensions: more.extensions }) } },
    ...(more.clusters ?? []),
  ],
  contexts: [{ name: "mgmt", context: { cluster: "mgmt", user: "clusterUser_mgmt_mgmt" } }],
  "current-context": "mgmt",
  users: [
    {
      name: "clusterUser_mgmt_mgmt",
      user: {
        exec: { apiVersion: "client.authentication.k8s.io/v1beta1", command: "kubelogin", args: ["get-token", "--login", "devicecode"] },
      },
    },
  ],
});
const extension = (clusterID: string) => [{ name: "aro-hcp", extension: { clusterID } }];

test("the file is private, has the cluster's ID, and is written again only if its content differs", async () => {
  await createCluster(clusterId);
  const path = emulator.path("kubeconfig");
  const file = clusterKubeconfig(path, clusterId);
  await checkOutputs([file]);
  expect(await saveKubeconfig(azure, file, clusterId)).toContain(`written to ${path}`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await contentOf(path)).clusters[0]?.cluster).toMatchObject({ extensions: extension(clusterId) });
  expect((await readKubeconfig(path, ownSurroundings)).server).toMatch(/^https:/);

  const { mtimeMs, ino } = await stat(path);
  await checkOutputs([clusterKubeconfig(path, clusterId.toUpperCase())]);
  await saveKubeconfig(azure, file, clusterId);
  expect(await stat(path)).toMatchObject({ mtimeMs, ino });

  await writeFile(path, `${await readFile(path, "utf8")}# changed\n`, { mode: 0o644 });
  await saveKubeconfig(azure, file, clusterId);
  expect(await readFile(path, "utf8")).not.toContain("# changed");
});

test.each<[string, string | object, RegExp]>([
  ["text", "important notes", /it is a file that this command did not write/],
  ["another document", { kind: "management-cluster" }, /it is an output file of create management-cluster/],
  ["broken YAML", "a: [", /it is a file that this command did not write/],
  [
    "another cluster of this program",
    kubeconfig("https://a.example.com", { extensions: extension(otherId) }),
    /it is the kubeconfig of .*other$/,
  ],
  [
    "a cluster of another server",
    kubeconfig("https://a.example.com"),
    /it is a kubeconfig of https:\/\/a\.example\.com that another program wrote$/,
  ],
  [
    "several clusters",
    kubeconfig("https://a.example.com", {
      extensions: extension(clusterId),
      clusters: [{ name: "b", cluster: { server: "https://b.example.com" } }],
    }),
    /it is a kubeconfig that also has clusters, users or contexts of others/,
  ],
])("a file with %s is not overwritten", async (_what, content, because) => {
  const path = emulator.path("file");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  await expect(checkOutputs([clusterKubeconfig(path, clusterId)])).rejects.toMatchObject({
    code: "ARO-FILE-004",
    message: expect.stringMatching(because) as string,
  });
});

test("an empty file may be written", async () => {
  const path = emulator.path("file");
  await writeFile(path, "\n");
  await expect(checkOutputs([clusterKubeconfig(path, clusterId)])).resolves.toBeUndefined();
});

test("the sign-in plugin of a cluster without local accounts is kept as AKS wrote it, and no extension of others", () => {
  const given = kubeconfig("https://a.example.com", {
    extensions: [{ name: "other", extension: { note: "dropped" } }, ...extension(otherId)],
  });
  const { text, command } = ownKubeconfig(JSON.stringify(given), clusterId);
  expect(command).toBe("kubelogin");
  expect(load(text)).toEqual(kubeconfig("https://a.example.com", { extensions: extension(clusterId) }));
});

test.each(["", "{}", "a: [", "a: *b", JSON.stringify({ ...kubeconfig("http://a.example.com") })])(
  "an unusable answer of AKS is refused: %s",
  (text) => {
    expect(() => ownKubeconfig(text, clusterId)).toThrow(/the kubeconfig of AKS cluster \S+mgmt is refused/);
  },
);

test.each(["management-cluster", "service-cluster"])("create %s writes no kubeconfig that runs anything but kubelogin", async (kind) => {
  const path = emulator.path("kubeconfig");
  const create = (...faults: readonly unknown[]) =>
    emulator.cli(["create", kind, "--cloud", "local", "--name", "mgmt", "--yes", "--output-kubeconfig", path], {
      env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" },
      faults,
    });
  for (const { member, change } of [...hostile, withExec("/usr/bin/kubelogin")]) {
    const config = kubeconfig("https://a.example.com") as unknown as Kubeconfig;
    change(config, emulator.path("."));
    const kubeconfigs = [{ name: "clusterUser", value: Buffer.from(JSON.stringify(config)).toString("base64") }];
    const { stderr } = exits(await create({ path: "/listClusterUserCredential$", answer: { status: 200, body: { kubeconfigs } } }), 5);
    expect(stderr).toContain("ARO-KUBE-004");
    expect(stderr.replace(/\s+/g, " ")).toContain(member);
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  }
  exits(await create(), 0);
  expect((await readKubeconfig(path, ownSurroundings)).server).toMatch(/^https:/);
});
