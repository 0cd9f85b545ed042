/** Policies that would refuse what a create writes: found before its first write, and named with the resource and the flag that meets them. */
import { expect, test } from "vitest";
import { cryptoUser, networkContributor, secretsOfficer } from "../../src/domain/roles.js";
import { resource } from "../harness/state-changes.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { subscription } from "../cli/demo-cluster.js";
import { exits, refuses } from "../cli/expectations.js";
import { createSet, vaultId } from "../identities/cli/identity-sets.js";

const vault = ["--key-vault-name", "kv-of-demo"];
const assignment = (name: string) =>
  `the policy assignment ${subscription}/providers/Microsoft.Authorization/policyAssignments/${name} of the definition`;
const aks = (...flags: readonly string[]) => ["create", "management-cluster", "--cloud", "local", "--name", "mgmt", ...flags];

test("a vault without purge protection is refused with the policy and the flag, and the flag meets it", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { vaultPolicy: "deny" } });
  const words = ["an Azure policy does not allow Key Vault kv-of-demo without --purge-protection", assignment("deny-unprotected-vaults")];
  await refuses(azure, createSet(azure, vault), 5, "ARO-SUB-005", ...words, "rerun the command with --purge-protection");
  const { stderr } = exits(await createSet(azure, [...vault, "--dry-run"]), 0);
  for (const word of words) expect(stderr).toContain(word);
  exits(await createSet(azure, [...vault, "--enable-kms"]), 0);
  expect((await resource(azure, vaultId("kv-of-demo")))?.properties).toMatchObject({ enablePurgeProtection: true });
  exits(await createSet(azure, vault), 0);
});

test("the vault of an AKS cluster's etcd key meets the policy by default", async () => {
  const azure = await testEmulator();
  await azure.seed({ features: { "Microsoft.Compute/EncryptionAtHost": "Registered" }, knobs: { vaultPolicy: "deny" } });
  const production = aks("--preset", "production");
  await refuses(azure, azure.cli([...production, "--no-purge-protection"]), 5, /Key Vault ah-mgmt-\w+ without --purge-protection/);
  exits(await azure.cli(production, { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } }), 0);
});

test("roles that may not be assigned are refused together, also on a resource that is created later", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { deniedRoles: [secretsOfficer.id, cryptoUser.id] } });
  const words = [/does not allow assignments of Key Vault Secrets Officer; nothing was changed/, assignment("deny-roles")];
  await refuses(azure, createSet(azure, vault), 5, "ARO-SUB-005", ...words);
  await azure.seed({ knobs: { deniedRoles: [networkContributor.id] } });
  await refuses(azure, azure.cli(aks()), 5, "ARO-SUB-005", "assignments of Network Contributor");
});

test("an exemption, and a role that is assigned already, are no obstacle", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, vault), 0);
  await azure.seed({ knobs: { deniedRoles: [secretsOfficer.id], vaultPolicy: "deny" } });
  exits(await createSet(azure, vault), 0);
  const policyAssignmentId = `${subscription}/providers/Microsoft.Authorization/policyAssignments/deny-unprotected-vaults`;
  await azure.seed({
    knobs: { vaultPolicy: "deny", deniedRoles: [] },
    resources: {
      [`${subscription}/resourceGroups/other`]: { location: "eastus" },
      [`${subscription}/resourceGroups/other/providers/Microsoft.Authorization/policyExemptions/vaults`]: {
        properties: { policyAssignmentId, exemptionCategory: "Waiver" },
      },
    },
  });
  const other = ["--resource-group-name", "other", "--key-vault-name", "kv-of-other"];
  exits(await createSet(azure, other), 0);
});

test("what the check does not see, Azure refuses with the policy", async () => {
  const azure = await testEmulator();
  await azure.seed({ providers: { "Microsoft.PolicyInsights": "NotRegistered" }, knobs: { vaultPolicy: "deny" } });
  const { stderr } = exits(await createSet(azure, vault), 5);
  expect(stderr).toContain("ARO-SUB-005");
  expect(stderr).toContain("deny-unprotected-vaults");
});

test("a create that creates none of these asks for no policies", async () => {
  const azure = await testEmulator();
  await azure.traffic();
  exits(await azure.cli(["create", "infra", ...demo, ...demoDomain]), 0);
  expect((await azure.traffic()).filter(({ url }) => url.includes("checkPolicyRestrictions"))).toEqual([]);
});
