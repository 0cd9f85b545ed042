/** What a destroy reads while another run deletes it. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Application } from "../../src/azure/applications.js";
import type { Azure } from "../../src/azure/azure.js";
import { signedIn } from "../../src/azure/signed-in.js";
import { applicationUniqueName } from "../../src/domain/identity-names.js";
import { wellKnown } from "../../src/emulator/index.js";
import { accountContents } from "../../src/issuer/removal/account-contents.js";
import { namedApplications } from "../../src/removal/set-applications.js";
import { readContents, setVault } from "../../src/removal/vaults.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator } from "../harness/test-emulator.js";

const groupName = "demo-common";
const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${groupName}`;
const vault = { id: `${group}/providers/Microsoft.KeyVault/vaults/kv-demo`, name: "kv-demo", location: "eastus" };
const account = { id: `${group}/providers/Microsoft.Storage/storageAccounts/demo`, name: "demo" };

async function azureWith(id: string, resource: object): Promise<Azure> {
  const { seed, directory } = await testEmulator();
  await seed({ resources: { [group]: { location: "eastus" }, [id]: { location: "eastus", ...resource } } });
  // Requests to a hostname that does not resolve are retried for minutes.
  return connectedAzure(directory, { ARO_HCP_LOCAL_TIME_SCALE: "500" });
}

test("a vault that is deleted before its contents are read does not exist", async () => {
  const azure = await azureWith(vault.id, {
    properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
  });
  const { vaults } = await azure.vaults();
  const deletedSoon: Azure = {
    ...azure,
    async vaultContent(name) {
      await vaults.delete(groupName, name);
      return azure.vaultContent(name);
    },
  };
  expect(await readContents(azure, vault, setVault({ name: "demo", groupName: "common" }))).toMatchObject({ name: "kv-demo", foreign: [] });
  expect(await readContents(deletedSoon, vault, setVault({ name: "demo", groupName: "common" }))).toBeUndefined();
});

test("an account that is deleted before its contents are read contains nothing of others", async () => {
  const azure = await azureWith(account.id, { kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} });
  const { storageAccounts, blobContainers } = await azure.storage();
  await blobContainers.create(groupName, account.name, "data", {});
  expect(await accountContents(azure, { identitySet: "demo" }, account.id)).toEqual({ foreign: ["container demo/data"], kids: [] });
  await blobContainers.delete(groupName, account.name, "data");
  await blobContainers.create(groupName, account.name, "demo", { metadata: { aro_hcp_identities: "demo" } });
  const deletedSoon: Azure = {
    ...azure,
    async blobs() {
      await storageAccounts.delete(groupName, account.name);
      return azure.blobs();
    },
  };
  expect(await accountContents(deletedSoon, { identitySet: "demo" }, account.id)).toEqual({ foreign: [], kids: [] });
  await storageAccounts.beginCreateAndWait(groupName, account.name, {
    location: "eastus",
    kind: "StorageV2",
    sku: { name: "Standard_LRS" },
  });
  await storageAccounts.delete(groupName, account.name);
  expect(await accountContents(azure, { identitySet: "demo" }, account.id)).toEqual({ foreign: [], kids: [] });
});

test("an application that is deleted before its owners are read is gone, and a 404 of its owners alone proves nothing", async () => {
  const { seed, directory } = await testEmulator();
  const key = { name: "demo", subscriptionId: wellKnown.subscriptionId, groupName, vaultName: "kv-demo" };
  const colleague = randomUUID();
  const uniqueName = applicationUniqueName(key, { key: "cpo" });
  const planted = {
    appId: "a0000000-0000-4000-8000-000000000001",
    displayName: "demo-cpo",
    uniqueName,
    owners: [wellKnown.clientPrincipalId, colleague],
  };
  await seed({ applications: [planted] });
  const azure = await connectedAzure(directory);
  const caller = await signedIn(azure.connection);
  /** `asked`: the object ID whose owners are read. */
  const read = async (asked: (id: string) => Promise<string>) => {
    const entra = await azure.directory();
    const directory = { ...entra, controlOf: async (live: Application) => entra.controlOf({ ...live, id: await asked(live.id) }) };
    const [named] = await namedApplications({ ...azure, directory: () => Promise.resolve(directory) }, key);
    return named?.prove({ caller, files: undefined, vaults: [] });
  };
  const unproven = { unproven: { why: expect.stringContaining(colleague) as string } };
  expect(await read((id) => Promise.resolve(id))).toMatchObject(unproven);
  const replicas = [randomUUID()];
  expect(await read((id) => Promise.resolve(replicas.pop() ?? id))).toMatchObject(unproven);
  const deleteFirst = async (id: string) => {
    await (await azure.directory()).deleteApplication(id);
    return id;
  };
  expect(await read(deleteFirst)).toBeUndefined();
});
