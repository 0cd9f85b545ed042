/** Rows of role assignments and their identities. */
import { groupId, groups } from "../../cli/demo-cluster.js";
import { principalIdOf, roleFlags } from "../../identities/cli/identities.js";
import { changeState, deleteResources, removeApplications } from "../../harness/state-changes.js";
import type { TestEmulator } from "../../harness/test-emulator.js";
import { subjects, type Scenario } from "./infra-rows.js";

/** Flags that assign roles. Creates the identities in the directory and writes their files to the folder of the test. */
export const customRoles = async (azure: TestEmulator): Promise<string> =>
  (await roleFlags(azure)).join(" ").replace("--assign-identity-roles", "--assign-custom-hcp-roles");

/** Deletes an application. */
export const withoutApplication = (azure: TestEmulator, name: string): Promise<void> =>
  changeState(azure, (state) => {
    removeApplications(state, ({ displayName }) => displayName === name);
  });

const withoutRoles = (azure: TestEmulator, principalId: string): Promise<void> =>
  changeState(azure, ({ roleAssignments }) => {
    for (const [id, one] of Object.entries(roleAssignments)) if (one.principalId === principalId) delete roleAssignments[id];
  });

/** As of a deployment stack: everyone but its owner may only read. */
export function writeDenial(scope: string): Record<string, object> {
  const everyone = { id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" };
  const permissions = [{ actions: ["*"], notActions: ["*/read"] }];
  const properties = { denyAssignmentName: "stack", permissions, principals: [everyone], excludePrincipals: [] };
  return { [`${scope}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000008`]: { properties } };
}

export const roles: Scenario = {
  title: "roles",
  flags: customRoles,
  rows: [
    {
      check: "role-assigned",
      subject: `role assignment Azure Red Hat OpenShift Disk Storage Operator for disk on resource group ${groups.managed}`,
      fault: "a missing role assignment",
      evidence: /it does not exist/,
      next: /`aro-hcp create infra .* --dns-zone-rg-name dns --managed-identities-file .*cp\.json .* --assign-custom-hcp-roles` creates what is missing/,
      breaks: (state) => withoutRoles(state, principalIdOf("disk")),
      fix: "first",
    },
    {
      check: "principals-exist",
      subject: "11 identities in the directory",
      fault: "a deleted application",
      evidence: /1 of 11 identities not found in the directory: disk/,
      next: /check the client IDs in the identity files.*outdated: rerun `aro-hcp create identities/,
      breaks: (state) => withoutApplication(state, "disk"),
      fix: (state) => roleFlags(state),
    },
    {
      check: "deny-assignments",
      subject: subjects.cluster,
      fault: "a deny assignment on writes for everyone else",
      evidence: /^"stack" on .*demo-demo-x7k2-vnet denies .*nodepool-mgmt.*: Microsoft\.[\w./]+\/(?:write|action|delete), .* and \d+ more$/,
      next: /^ask its owner to exclude the identity's principal/,
      breaks: (state) => state.seed({ resources: writeDenial(groupId(groups.vnet)) }),
      fix: (state) => deleteResources(state, ...Object.keys(writeDenial(groupId(groups.vnet)))),
    },
  ],
};
