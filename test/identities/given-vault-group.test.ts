/** A vault of `--key-vault-id` in a resource group of a cluster: no destroy deletes it with the group. */
import { expect, test } from "vitest";
import { secretsUser } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import { clusterFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { addSecret, changeState, resource, setProperties } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, groups } from "../cli/demo-cluster.js";
import { create, destroy, exits, refuses } from "../cli/expectations.js";
import { issuer } from "./cli/identity-sets.js";

const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
const vault = `${groupId(groups.managed)}/providers/Microsoft.KeyVault/vaults/kv-platform`;
const reader = "44444444-4444-4444-8444-444444444444";
const given = ["--key-vault-id", vault];

async function prepared(): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed({ resources: { [vault]: { location: "eastus", properties } } });
  return azure;
}

test.each([[[]], [["--delete-foreign"]]])("destroy all %s is refused, and its plan does not say that the vault stays", async (flags) => {
  const azure = await prepared();
  exits(await azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes", ...given]), 0);
  const destroy = ["destroy", "all", ...clusterFlags, ...given, ...flags];
  const refused = [/vault of --key-vault-id is in resource group demo-demo-x7k2/, /destroy infra .*--preserve-resource-group/] as const;
  await refuses(azure, azure.cli([...destroy, "--yes"]), 5, ...refused);
  if (flags.length === 0) return;
  const { stderr } = await azure.cli([...destroy, "--dry-run", "--full-plan"]);
  expect(stderr).toMatch(/kv-platform: deleted with resource group/);
  expect(stderr).not.toContain("so it stays");
});

const third = ["--cloud", "local", "--name", "third", "--resource-group-name", "other"];

test.each([["a caller who can read the vault"], ["a caller who cannot"]])(
  "destroy infra --delete-foreign by %s is refused while a set of another cluster has its credentials there",
  async (caller) => {
    const azure = await prepared();
    const set = ["create", "identities", ...third, "--oidc-issuer-url", issuer, ...given, "--key-vault-reader-object-id", reader];
    exits(await azure.cli(set), 0);
    if (caller.endsWith("not"))
      await setProperties(azure, vault, { publicNetworkAccess: "Disabled", networkAcls: { defaultAction: "Deny" } });
    const next = /destroy identities .*--identities-name third --persistent-resource-group-name other --key-vault-id/;
    await refuses(azure, destroy(azure, ["--delete-foreign"]), 5, "ARO-OWN-006", /kv-platform by identity set third in/, next);
    const all = ["destroy", "all", ...clusterFlags, "--delete-foreign", "--yes"];
    await refuses(azure, azure.cli(all), 5, "ARO-OWN-006", /kv-platform by identity set third in/);
  },
);

test("destroy all --delete-foreign is refused without --key-vault-id too", async () => {
  const azure = await prepared();
  exits(await azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes", ...given]), 0);
  const all = ["destroy", "all", ...clusterFlags, "--delete-foreign", "--yes"];
  await refuses(azure, azure.cli(all), 5, "ARO-OWN-006", /kv-platform by identity set demo in/, /destroy identities .*--key-vault-id/);
});

test("destroy infra --delete-foreign keeps a managed HSM that the vault of an identity set names", async () => {
  const azure = await prepared();
  exits(await azure.cli(["create", "identities", ...third, "--oidc-issuer-url", issuer]), 0);
  const hsm = `${groupId(groups.managed)}/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`;
  await azure.seed({ resources: { [hsm]: { location: "eastus", properties: { tenantId: wellKnown.tenantId } } } });
  exits(await destroy(azure, ["--delete-foreign", "--dry-run"]), 0);
  await changeState(azure, ({ resources }) => {
    const own = Object.values(resources).find(({ type, id }) => /KeyVault\/vaults$/i.test(type) && id.includes("/other/"));
    if (own?.tags) own.tags["aro-hcp-managed-hsm"] = "demo-hsm";
  });
  await refuses(azure, destroy(azure, ["--delete-foreign"]), 5, "ARO-OWN-006", /demo-hsm by identity set "third"/);
});

test("destroy infra --delete-foreign deletes a vault with contents that nothing of aro-hcp has made", async () => {
  const azure = await prepared();
  await addSecret(azure, "kv-platform", "payroll");
  exits(await destroy(azure, ["--delete-foreign"]), 0);
  expect(await resource(azure, vault)).toBeUndefined();
});

test.each([
  ["whose network rules deny access", true, undefined],
  ["whose contents the caller may not read", false, undefined],
  ["whose network rules deny access, with a role for another set", true, "for identity set third in resource group other"],
])(
  "destroy infra --delete-foreign keeps a vault %s while others have roles in it, and names them",
  async (_what, isNetwork, description) => {
    const azure = await prepared();
    await addSecret(azure, "kv-platform", "payroll");
    if (isNetwork) await setProperties(azure, vault, { publicNetworkAccess: "Disabled", networkAcls: { defaultAction: "Deny" } });
    await azure.seed({ roleAssignments: [{ scope: `${vault}/secrets/payroll`, role: secretsUser.id, principalId: reader }] });
    await changeState(azure, ({ roleAssignments }) => {
      for (const one of Object.values(roleAssignments)) if (description && one.principalId === reader) one.description = description;
    });
    const words = ["ARO-OWN-006", `kv-platform by principal ${reader}, with access to it; its contents cannot be read`, "Key Vault Reader"];
    await refuses(azure, destroy(azure, ["--delete-foreign"]), 5, ...words);
    const all = ["destroy", "all", ...clusterFlags, "--delete-foreign", "--yes"];
    await refuses(azure, azure.cli(all), 5, ...words);
    await changeState(azure, ({ roleAssignments }) => {
      for (const [id, { principalId }] of Object.entries(roleAssignments)) if (principalId === reader) delete roleAssignments[id];
    });
    exits(await destroy(azure, ["--delete-foreign"]), 0);
  },
);
