/** The token issuer of an AKS cluster: its documents, and tokens that its key signs. */
import { ContainerServiceClient } from "@azure/arm-containerservice";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { openLocalServer } from "./local-server.js";
import { sdkAccess } from "./sdk-access.js";

async function open() {
  const server = await openLocalServer();
  const { credential, options } = sdkAccess(server);
  await new ResourceManagementClient(credential, wellKnown.subscriptionId, options).resourceGroups.createOrUpdate("mgmt", {
    location: "eastus",
  });
  const aks = new ContainerServiceClient(credential, wellKnown.subscriptionId, options);
  const create = (issuer: boolean) =>
    aks.managedClusters.createOrUpdate("mgmt", "demo", {
      location: "eastus",
      identity: { type: "SystemAssigned" },
      dnsPrefix: "demo",
      oidcIssuerProfile: { enabled: issuer },
      agentPoolProfiles: [{ name: "system", mode: "System", count: 1 }],
    });
  return { server, aks, create };
}

test("anybody reads the issuer of a cluster and its key, which stays the same", async () => {
  const { server, aks, create } = await open();
  const { oidcIssuerProfile } = await create(true);
  const { issuerURL = "" } = oidcIssuerProfile ?? {};
  const { host, pathname } = new URL(issuerURL);
  const read = (path: string) => server.call(host, `${pathname}${path}`);
  expect(await read(".well-known/openid-configuration")).toMatchObject({
    status: 200,
    body: { issuer: issuerURL, jwks_uri: `${issuerURL}openid/v1/jwks`, id_token_signing_alg_values_supported: ["RS256"] },
  });
  const keys = await read("openid/v1/jwks");
  expect(keys.body).toEqual({
    keys: [{ use: "sig", kty: "RSA", alg: "RS256", kid: expect.any(String) as string, n: expect.any(String) as string, e: "AQAB" }],
  });
  expect((await read("openid/v1/jwks")).body).toEqual(keys.body);
  expect((await read("other")).status).toBe(404);
  await aks.managedClusters.delete("mgmt", "demo");
  expect((await read("openid/v1/jwks")).status).toBe(404);
});

test("a cluster without an issuer has none, until it is enabled", async () => {
  const { create } = await open();
  expect((await create(false)).oidcIssuerProfile).toEqual({ enabled: false });
  expect((await create(true)).oidcIssuerProfile?.issuerURL).toMatch(/^https:\/\/eastus\.oic\.prod-aks\.azure\.com\//);
});

test("Azure's own client adds a pool, stops and starts the cluster, reads its upgrades, and deletes it", async () => {
  const { aks, create } = await open();
  await create(true);
  const pool = { mode: "User", count: 1, enableAutoScaling: true, minCount: 1, maxCount: 3 };
  expect(await aks.agentPools.createOrUpdate("mgmt", "demo", "user1", pool)).toMatchObject({ ...pool, provisioningState: "Succeeded" });
  await aks.managedClusters.stop("mgmt", "demo");
  expect(await aks.managedClusters.get("mgmt", "demo")).toMatchObject({ powerState: { code: "Stopped" }, provisioningState: "Succeeded" });
  await aks.managedClusters.start("mgmt", "demo");
  const { controlPlaneProfile } = await aks.managedClusters.getUpgradeProfile("mgmt", "demo");
  expect(controlPlaneProfile.upgrades?.map(({ isPreview }) => isPreview)).toEqual([true]);
  const configuration = {
    maintenanceWindow: { schedule: { weekly: { intervalWeeks: 1, dayOfWeek: "Saturday" } }, durationHours: 10, startTime: "22:00" },
  };
  await aks.maintenanceConfigurations.createOrUpdate("mgmt", "demo", "aksManagedAutoUpgradeSchedule", configuration);
  expect(await aks.maintenanceConfigurations.get("mgmt", "demo", "aksManagedAutoUpgradeSchedule")).toMatchObject(configuration);
  const { kubeconfigs } = await aks.managedClusters.listClusterUserCredentials("mgmt", "demo");
  expect(Buffer.from(kubeconfigs?.[0]?.value ?? "").toString()).toContain("current-context: demo");
  await aks.agentPools.delete("mgmt", "demo", "user1");
  await aks.managedClusters.delete("mgmt", "demo");
  await expect(aks.managedClusters.get("mgmt", "demo")).rejects.toMatchObject({ statusCode: 404 });
});

test("a refusal of AKS, which has no error around it, reaches the client with its code", async () => {
  const { aks, create } = await open();
  await create(true);
  await expect(create(false)).rejects.toMatchObject({ statusCode: 400, code: "OIDCIssuerFeatureCannotBeDisabled" });
  await expect(aks.agentPools.delete("mgmt", "demo", "system")).rejects.toMatchObject({ code: "MustDefineAtLeastOneSystemPool" });
});
