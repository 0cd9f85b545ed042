/** What others put into something after a destroy has read it: its deletion fails, and names them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Azure } from "../../src/azure/azure.js";
import { wellKnown } from "../../src/emulator/index.js";
import { signedIn } from "../../src/azure/signed-in.js";
import { cryptoOfficer } from "../../src/domain/roles.js";
import { encryptionKeyRemovals, findEncryptionKey } from "../../src/encryption-key/removal/encryption-key.js";
import { findIdentities } from "../../src/identities/removal/identities.js";
import { identitiesFound } from "../../src/identities/removal/identity-removals.js";
import { itemsOf } from "../../src/removal/vaults.js";
import { findIssuer, issuerFound } from "../../src/issuer/removal/issuer.js";
import type { Removal } from "../../src/engine/step.js";
import { exits } from "../cli/expectations.js";
import { publicFile, testKey } from "../issuer/signing-keys.js";
import { createSet, setFlags } from "../identities/cli/identity-sets.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { demoAccount, demoIssuer } from "../harness/demo-issuer.js";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";

const { subscriptionId } = wellKnown;
const purge = { purge: true };
const unused = () => Promise.resolve(undefined);

async function removes(removals: readonly Removal[], title: string | RegExp): Promise<void> {
  const removal = removals.find((one) => one.title === title || (title instanceof RegExp && title.test(one.title)));
  if (removal === undefined) throw new Error(`none of ${removals.map((one) => one.title).join(", ")}`);
  await removal.remove({ step: removal.id, signal: new AbortController().signal, note: () => undefined });
}

/** The failure of a removal that another client's change stops. */
const got = (where: string, because: string) => ({ code: "ARO-OWN-004", message: `${where} got new contents during the destroy`, because });

async function client({ directory }: TestEmulator): Promise<Azure> {
  return connectedAzure(directory, { ARO_HCP_LOCAL_TIME_SCALE: "1000" });
}

describe("the vault of an identity set", () => {
  const key = { name: "demo", subscriptionId, groupName: "common", vaultName: "demo-kv" };
  const vault = "Key Vault demo-kv";
  let directory: string | undefined;

  beforeAll(async () => {
    const azure = await testEmulator({ atEnd: afterAll });
    exits(await createSet(azure, ["--key-vault-name", "demo-kv"]), 0);
    ({ directory } = azure);
  });

  const prepared = async () => {
    const emulator = await testEmulator({ prepared: directory });
    const azure = await client(emulator);
    return { emulator, azure, read: () => findIdentities(azure, key, purge) };
  };

  test("with a new secret is not deleted", async () => {
    const { azure, read } = await prepared();
    const removals = identitiesFound(azure, await read(), purge, unused).removals;
    const { secrets } = await azure.vaultContent("demo-kv");
    await secrets.setSecret("payroll", "theirs");
    await expect(removes(removals, vault)).rejects.toMatchObject(got('Key Vault "demo-kv"', "secret payroll"));
    expect(await secrets.getSecret("payroll")).toMatchObject({ value: "theirs" });
  });

  test("with a new soft-deleted secret is deleted, but not if it would be purged", async () => {
    const { azure, read } = await prepared();
    const inventory = await read();
    const { secrets } = await azure.vaultContent("demo-kv");
    await secrets.setSecret("payroll", "theirs");
    await (await secrets.beginDeleteSecret("payroll", { intervalInMs: 0 })).pollUntilDone();
    const failure = got('Key Vault "demo-kv"', "deleted secret payroll");
    await expect(removes(identitiesFound(azure, inventory, purge, unused).removals, vault)).rejects.toMatchObject(failure);
    await removes(identitiesFound(azure, inventory, { purge: false }, unused).removals, vault);
  });

  test.each([["secret demo-cpo"], ["certificate demo-cpo-cert"]])(
    "that stays keeps a %s that others have replaced since",
    async (title) => {
      const { emulator, azure, read } = await prepared();
      const { secrets } = await azure.vaultContent("demo-kv");
      await secrets.setSecret("payroll", "theirs");
      const inventory = await read();
      const removals = identitiesFound(azure, inventory, purge, unused).removals;
      await changeState(emulator, ({ vaults = {} }) => {
        const stored = vaults["demo-kv"];
        const versions = [...(stored?.secrets["demo-cpo"]?.versions ?? []), ...(stored?.certificates["demo-cpo-cert"]?.versions ?? [])];
        for (const version of versions) version.tags = { "aro-hcp-identities": "demo", "aro-hcp-identities-group": "other" };
      });
      const failure = { code: "ARO-OWN-001", message: `${title} in Key Vault "demo-kv" has another owner since the plan` };
      await expect(removes(removals, title)).rejects.toMatchObject(failure);
      expect(await secrets.getSecret(title.split(" ")[1] ?? "")).toMatchObject({ properties: { enabled: true } });
    },
  );

  test("that stays loses the contents of the set", async () => {
    const { azure, read } = await prepared();
    const { secrets } = await azure.vaultContent("demo-kv");
    await secrets.setSecret("payroll", "theirs");
    const removals = identitiesFound(azure, await read(), purge, unused).removals;
    await removes(removals, "secret demo-cpo");
    await removes(removals, "certificate demo-cpo-cert");
    const { secrets: left, certificates } = await itemsOf(azure, "demo-kv");
    expect(left.map(({ name }) => name)).not.toContain("demo-cpo");
    expect(certificates.map(({ name }) => name)).not.toContain("demo-cpo-cert");
  });

  test("is deleted and purged if nothing is new", async () => {
    const { emulator, azure, read } = await prepared();
    const removals = identitiesFound(azure, await read(), purge, unused).removals;
    await removes(removals, vault);
    await removes(removals, `${vault}, permanently`);
    expect(Object.keys((await emulator.snapshot()).resources).filter((id) => id.includes("demo-kv"))).toEqual([]);
  });

  test("that others recovered and deleted again is not purged", async () => {
    const { emulator, azure, read } = await prepared();
    await removes(identitiesFound(azure, await read(), purge, unused).removals, vault);
    const inventory = await read();
    expect(inventory.deletedVaults.map(({ name }) => name)).toEqual(["demo-kv"]);
    await changeState(emulator, ({ resources }) => {
      const deleted = Object.values(resources).find(({ id }) => /deletedvaults\/demo-kv$/i.test(id));
      if (deleted !== undefined) deleted.properties["deletionDate"] = new Date(Date.now() + 86_400_000).toISOString();
    });
    const failure = got('deleted Key Vault "demo-kv"', "another client deleted it, and no destroy has read its contents since");
    await expect(removes(identitiesFound(azure, inventory, purge, unused).removals, `${vault}, permanently`)).rejects.toMatchObject(
      failure,
    );
    expect((await read()).deletedVaults).toHaveLength(1);
  });

  test("that others deleted during the destroy is not purged", async () => {
    const { azure, read } = await prepared();
    const removals = identitiesFound(azure, await read(), purge, unused).removals;
    await (await azure.vaults()).vaults.delete("common", "demo-kv");
    await removes(removals, vault);
    const failure = got('deleted Key Vault "demo-kv"', "another client deleted it, and no destroy has read its contents since");
    await expect(removes(removals, `${vault}, permanently`)).rejects.toMatchObject(failure);
  });
});

describe("the key of etcd", () => {
  const vaultId = `/subscriptions/${subscriptionId}/resourceGroups/platform/providers/Microsoft.KeyVault/vaults/kv-platform`;
  const key = { name: "demo", subscriptionId, groupName: "common", vaultName: "kv-platform", givenVaultId: vaultId };
  const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  const principalId = "c1000000-0000-4000-8000-000000000001";
  const got = (because: string) => ({
    code: "ARO-OWN-010",
    message: 'Key Vault key "demo-etcd-encryption" got new users during the destroy',
    because: expect.stringContaining(because) as string,
  });

  test("in a vault of others stays with a new role assignment on it, and goes without", async () => {
    const emulator = await testEmulator();
    await emulator.seed({
      resources: { [vaultId.split("/providers/")[0] ?? ""]: { location: "eastus" }, [vaultId]: { location: "eastus", properties } },
    });
    const given = ["--key-vault-id", vaultId];
    exits(await createSet(emulator, [...given, "--enable-kms"]), 0);
    exits(await emulator.cli(["create", "encryption-key", ...setFlags, ...given]), 0);
    const azure = await client(emulator);
    const caller = await signedIn(azure.connection);
    const found = await findEncryptionKey(azure, key, { caller, keepsRole: true });
    if (found === undefined) throw new Error("no vault");
    const ofKey = encryptionKeyRemovals(azure, found, true, unused);
    const ofSet = identitiesFound(azure, await findIdentities(azure, key, purge), purge, unused).removals;
    // A role that nothing but its scope connects with the key.
    await emulator.seed({ roleAssignments: [{ scope: `${vaultId}/keys/demo-etcd-encryption`, role: cryptoOfficer.id, principalId }] });
    for (const removals of [ofKey, ofSet]) {
      await expect(removes(removals, "Key Vault key demo-etcd-encryption")).rejects.toMatchObject(got(principalId));
      await expect(removes(removals, /^Key Vault key .*, permanently$/)).rejects.toMatchObject(got(principalId));
    }
    await expect(removes(ofKey, /^role assignment/)).rejects.toMatchObject(got(principalId));
    await changeState(emulator, ({ roleAssignments }) => {
      for (const [id, one] of Object.entries(roleAssignments)) if (one.principalId === principalId) delete roleAssignments[id];
    });
    await removes(ofSet, "Key Vault key demo-etcd-encryption");
  });
});

test("the storage account of an issuer with a new container or blob keeps its roles and is not deleted", async () => {
  const emulator = await testEmulator();
  const file = await publicFile(emulator.path("keys"), testKey());
  exits(await emulator.cli(["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--public-key-file", file]), 0);
  const azure = await client(emulator);
  const place = { groupName: "demo-oidc", named: false, accountName: undefined };
  const removals = issuerFound(azure, await findIssuer(azure, { identitySet: "demo" }, place)).removals;
  const account = `/subscriptions/${subscriptionId}/resourceGroups/demo-oidc/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;
  const document = { text: "{}", contentType: "application/json", cacheControl: undefined };
  const blobs = await azure.blobs();
  await blobs.write(`${demoIssuer}/other/keys.json`, document, undefined);
  const failure = (because: string) => got(`storage account "${demoAccount}"`, because);
  const blob = failure(`blob ${demoAccount}/demo/other/keys.json`);
  await expect(removes(removals, /^role assignment/)).rejects.toMatchObject(blob);
  await expect(removes(removals, `storage account ${demoAccount}`)).rejects.toMatchObject(blob);
  expect(Object.values((await emulator.snapshot()).roleAssignments)).toContainEqual(expect.objectContaining({ scope: account }));
  await emulator.seed({ resources: { [`${account}/fileServices/default/shares/theirs`]: { properties: {} } } });
  await expect(removes(removals, `storage account ${demoAccount}`)).rejects.toMatchObject({
    because: expect.stringContaining(`file share ${demoAccount}/theirs`) as string,
  });
});
