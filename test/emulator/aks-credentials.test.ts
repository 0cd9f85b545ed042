/** A kubeconfig of an emulated AKS cluster leads to the API server that a seed names, as the program's own client reads it. */
import { ContainerServiceClient } from "@azure/arm-containerservice";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../src/emulator/index.js";
import { openKubernetes } from "../../src/kubernetes/api-server.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import { kubernetesServer } from "../harness/kubernetes.js";
import { ownSurroundings } from "../harness/surroundings.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { openLocalServer } from "./local-server.js";
import { sdkAccess } from "./sdk-access.js";

test("the nodes of a cluster are read with its kubeconfig", async () => {
  const api = await kubernetesServer();
  api.put({ apiVersion: "v1", kind: "Node", metadata: { name: "aks-system-0" }, spec: { providerID: "azure:///none" } });
  const server = await openLocalServer();
  const { credential, options } = sdkAccess(server);
  await seedState(server.directory, { knobs: { apiServer: api.apiServer } });
  await new ResourceManagementClient(credential, wellKnown.subscriptionId, options).resourceGroups.createOrUpdate("mgmt", {
    location: "eastus",
  });
  const aks = new ContainerServiceClient(credential, wellKnown.subscriptionId, options);
  await aks.managedClusters.createOrUpdate("mgmt", "demo", {
    location: "eastus",
    identity: { type: "SystemAssigned" },
    dnsPrefix: "demo",
    agentPoolProfiles: [{ name: "system", mode: "System", count: 1 }],
  });
  const { kubeconfigs } = await aks.managedClusters.listClusterUserCredentials("mgmt", "demo");
  const file = temporaryDirectory().write("kubeconfig", Buffer.from(kubeconfigs?.[0]?.value ?? "").toString());
  const kubernetes = openKubernetes(await readKubeconfig(file, ownSurroundings), new AbortController().signal);
  expect(api.requests).toEqual([]);
  await kubernetes.nodes();
  expect(api.requests).not.toEqual([]);
});
