/** Rows of role assignments and their identities. */
import { groups } from "../cli/demo-cluster.js";
import { principalIdOf, roleFlags } from "../cli/identities.js";
import { changeState } from "../harness/state-changes.js";
import type { TestEmulator } from "../harness/test-emulator.js";
import type { Scenario } from "./infra-rows.js";

/** Flags that assign roles. Creates the identities in the directory and writes their files to the folder of the test. */
export const customRoles = async (azure: TestEmulator): Promise<string> =>
  (await roleFlags(azure)).join(" ").replace("--assign-identity-roles", "--assign-custom-hcp-roles");

/** Deletes an application. */
export const withoutApplication = (azure: TestEmulator, name: string): Promise<void> =>
  changeState(azure, (state) => {
    state.applications = state.applications.filter(({ displayName }) => displayName !== name);
  });

const withoutRoles = (azure: TestEmulator, principalId: string): Promise<void> =>
  changeState(azure, ({ roleAssignments }) => {
    for (const [id, one] of Object.entries(roleAssignments)) if (one.principalId === principalId) delete roleAssignments[id];
  });

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
      next: /check the client IDs in the identity files/,
      breaks: (state) => withoutApplication(state, "disk"),
      fix: (state) => roleFlags(state),
    },
  ],
};
