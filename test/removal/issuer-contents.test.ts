/** What a destroy does about blobs and signing keys in the issuer's own container, which are deleted with its storage account. */
import { expect, test } from "vitest";
import type { AzureState } from "../../src/emulator/state/state.js";
import type { StoredBlob } from "../../src/emulator/state/blob-content.js";
import { exits, refuses } from "../cli/expectations.js";
import { publicFile, testKey } from "../cli/signing-keys.js";
import { changeResource, changeState, resource, setProperties } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const account = `${subscription}/resourceGroups/demo-oidc/providers/Microsoft.Storage/storageAccounts/demo`;
const container = `${account}/blobServices/default/containers/demo`;
const named = ["--cloud", "local", "--name", "demo"] as const;

const create = async (azure: TestEmulator, key = testKey()) =>
  azure.cli(["create", "oidc-issuer", ...named, "--public-key-file", await publicFile(azure.path("keys"), key)]);
const destroy = (azure: TestEmulator, flags: readonly string[] = []) => azure.cli(["destroy", "oidc-issuer", ...named, "--yes", ...flags]);
const destroyAll = (azure: TestEmulator, flags: readonly string[]) =>
  azure.cli(["destroy", "all", ...named, "--infra-id", "demo-x7k2", "--yes", ...flags]);

/** Others upload blobs to the issuer's container. */
const upload = (azure: TestEmulator, ...names: readonly string[]) =>
  changeResource(azure, container, (stored) => {
    const blob: StoredBlob = { content: "", etag: '"0x1"', lastModifiedAt: "Mon, 05 Jan 2026 00:00:00 GMT" };
    stored.properties = {
      ...stored.properties,
      blobs: { ...(stored.properties["blobs"] as object), ...Object.fromEntries(names.map((name) => [name, blob])) },
    };
  });

/** An earlier destroy has deleted the caller's role on the account. */
const withoutRole = ({ roleAssignments }: AzureState) => {
  for (const id of Object.keys(roleAssignments)) if (id.startsWith(account.toLowerCase())) delete roleAssignments[id];
};

const theirRole = { role: "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1", principalId: "00000000-0000-4000-8000-00000000aaa1" };

async function created(): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  return azure;
}

test("a blob of others blocks the destroy, and --delete-foreign deletes it", async () => {
  const azure = await created();
  await upload(azure, "payroll/backup.tar", "openid/v1/other");
  await refuses(azure, destroy(azure), 5, "ARO-OWN-004", "blob demo/demo/openid/v1/other, blob demo/demo/payroll/backup.tar");
  await refuses(azure, destroyAll(azure, []), 5, "ARO-OWN-004", "--delete-foreign");
  const { stderr } = exits(await destroyAll(azure, ["--delete-foreign"]), 0);
  expect(stderr).toMatch(
    /remove +blob demo\/demo\/openid\/v1\/other, blob demo\/demo\/payroll\/backup.tar: deleted with .*not created by aro-hcp/,
  );
  expect(await resource(azure, account)).toBeUndefined();
});

test("a blob on a later page is found, and of many the first are named", async () => {
  const azure = await created();
  const before = Array.from({ length: 30 }, (_, index) => `openid/v1/${String(index).padStart(2, "0")}`);
  await changeState(azure, (state) => (state.knobs = { ...state.knobs, pageSize: 1 }));
  await upload(azure, "zzz");
  await refuses(azure, destroy(azure), 5, "ARO-OWN-004", "blob demo/demo/zzz");
  await upload(azure, ...before);
  await refuses(
    azure,
    destroy(azure),
    5,
    "blob demo/demo/openid/v1/00",
    "blob demo/demo/openid/v1/19, further blobs in container demo/demo",
  );
});

test("without permission to list them, an account is deleted if nobody else has a role on it", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  await changeState(azure, withoutRole);
  await azure.seed({ roleAssignments: [{ scope: container, ...theirRole }] });
  await refuses(azure, destroy(azure), 5, "ARO-OWN-004", "blobs that you are not allowed to list, in container demo/demo");
  await changeState(azure, withoutRole);
  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("an account that accepts its keys is listed with one", async () => {
  const azure = await created();
  await changeState(azure, withoutRole);
  await setProperties(azure, account, { allowSharedKeyAccess: true });
  await upload(azure, "theirs");
  // The request for the keys is a POST, so it counts as a write.
  expect(exits(await destroy(azure), 5).stderr).toMatch(/ARO-OWN-004[^]*blob demo\/demo\/theirs/);
  expect(await resource(azure, account)).toBeDefined();
});

test.each([
  ["an HTML page", { status: 200, body: "<html></html>" }],
  ["nothing", { status: 200, body: "" }],
])("%s instead of the list is no empty list", async (_what, answer) => {
  const azure = await created();
  const faults = [{ method: "GET", path: "^/demo$", times: 99, answer }];
  const { stderr } = exits(await azure.cli(["destroy", "oidc-issuer", ...named, "--yes"], { faults }), 1);
  expect(stderr).toContain("ARO-NET-003");
  expect(await resource(azure, account)).toBeDefined();
});

test("the plan names every signing key before the confirmation", async () => {
  const azure = await testEmulator();
  const [one, two] = [testKey(), testKey()];
  exits(await create(azure, one), 0);
  expect(exits(await destroy(azure, ["--dry-run"]), 0).stderr).toMatch(new RegExp(`remove +signing key ${one.kid}: deleted with`));
  exits(await create(azure, two), 0);
  const { stderr } = exits(await destroyAll(azure, ["--dry-run"]), 0);
  expect(stderr.replace(/\s+/g, " ")).toContain(`remove signing keys ${one.kid}, ${two.kid}: deleted with`);
});
