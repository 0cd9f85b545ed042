/** Checks that the workloads can read the vault of create arc secrets. */
import { all } from "../../azure/pages.js";
import { secretsUser } from "../../domain/roles.js";
import { isWithin } from "../../domain/resource-id.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { arcChecks } from "./checks.js";
import { placeSettings, type ArcSnapshot } from "./snapshot.js";
import { workloadIdentities, type WorkloadVault } from "./workload-vaults.js";

/** None if create arc secrets made no vault. */
export function secretChecks(snapshot: ArcSnapshot): CheckInstance[] {
  return snapshot.vaults.flatMap((vault) => {
    const subject = `Key Vault ${vault.name}`;
    const rbac = checkInstance(arcChecks["arc-vault-rbac"], subject, {}, () =>
      vault.hasRbac
        ? passed("it uses Azure RBAC")
        : failed("it uses access policies, so roles have no effect", aroHcp("create arc secrets", placeSettings(snapshot))),
    );
    return [rbac, checkInstance(arcChecks["arc-vault-role"], subject, { rbac }, () => checkRole(snapshot, vault))];
  });
}

async function checkRole(snapshot: ArcSnapshot, { id }: WorkloadVault): Promise<Finding<undefined>> {
  const { azure, place } = snapshot;
  const identities = await workloadIdentities(azure, place);
  const again = advise`${aroHcp("create arc secrets", placeSettings(snapshot))} with its original options creates it`;
  if (identities.length === 0) return failed("the workloads have no identity", again);
  const { roleAssignments } = await azure.authorization(place.subscriptionId);
  const held = await Promise.all(
    identities.map(async ({ title, principalId }) => {
      const listed = await all(roleAssignments.listForSubscription({ filter: `principalId eq '${principalId}'` }));
      return listed
        .filter(({ roleDefinitionId = "" }) => roleDefinitionId.toLowerCase().endsWith(secretsUser.id))
        .filter(({ scope = "" }) => isWithin(scope, id) || isWithin(id, scope))
        .map(({ scope = "" }) => `${title} on ${scope.split("/").slice(-2).join("/")}`);
    }),
  );
  if (held.flat().length > 0) return passed(held.flat().join(", "));
  return failed(`${identities.map(({ title }) => title).join(" and ")} has no role ${secretsUser.name} on it or on a secret in it`, again);
}
