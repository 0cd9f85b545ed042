/** The reads of `destroy all`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { takeAllInventories } from "../../src/all/removal.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator, type Exchange } from "../harness/test-emulator.js";
import { demoAccount } from "../harness/demo-issuer.js";

const { subscriptionId } = wellKnown;
const group = `/subscriptions/${subscriptionId}/resourceGroups/demo-oidc`;
const account = `${group}/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;
const tags = { "aro-hcp-identities": "demo" };

test("destroy all reads nothing twice", async () => {
  const { seed, directory } = await testEmulator();
  await seed({
    resources: {
      [group]: { location: "eastus", tags: { ...tags, "aro-hcp-created-as": "demo-oidc" } },
      [account]: { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {}, tags },
    },
  });
  const record = join(directory, "record.ndjson");
  const azure = await connectedAzure(directory, { ARO_HCP_LOCAL_RECORD: record });
  const place = {
    search: { cluster: { name: "demo", infraId: "demo-x7k2" }, existingGroup: undefined, otherSubscriptions: [] },
    key: { subscriptionId, name: "demo", groupName: "demo-common", vaultName: "kv-demo" },
    issuer: { groupName: "demo-oidc", named: false, accountName: undefined },
  };
  const { issuer } = await takeAllInventories(azure, place, { preserveGroups: false, deleteForeign: false, purge: true });
  expect(issuer.accounts.map(({ id }) => id)).toEqual([account]);
  expect(issuer.groups.map(({ id }) => id)).toEqual([group]);

  const exchanges = readFileSync(record, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Exchange);
  const reads = exchanges.filter(({ method }) => method === "GET").map(({ url }) => url);
  expect(reads.filter((url, at) => reads.indexOf(url) !== at)).toEqual([]);
});
