/** Rows of role assignments and of the identities that hold them. */
import { groups } from "../cli/demo-cluster.js";
import { principalIdOf, roleFlags } from "../cli/identities.js";
import { changeState } from "../harness/state-changes.js";
import type { TestEmulator } from "../harness/test-emulator.js";
import type { Scenario } from "./infra-rows.js";

/** With the identities in the directory, and the files that name them in the folder of the test. */
export const customRoles = async (azure: TestEmulator): Promise<string> =>
  (await roleFlags(azure)).join(" ").replace("--assign-identity-roles", "--assign-custom-hcp-roles");

/** As if somebody had deleted the application. */
export const withoutApplication = (azure: TestEmulator, name: string): Promise<void> =>
  changeState(azure, (state) => {
    state.applications = state.applications.filter(({ displayName }) => displayName !== name);
  });

const withoutRoles = (azure: TestEmulator, principalId: string): Promise<void> =>
  changeState(azure, ({ roleAssignments }) => {
    for (const [id, one] of Object.entries(roleAssignments)) if (one.principalId === principalId) delete roleAssignments[id];
  });

export const roles: Scenario = {
  title: "the roles",
  flags: customRoles,
  rows: [
    {
      check: "role-assigned",
      subject: `role assignment Azure Red Hat OpenShift Disk Storage Operator for disk on resource group ${groups.managed}`,
      evidence: /it does not exist/,
      next: /`aro-hcp create infra .* --dns-zone-rg-name dns --managed-identities-file .*cp\.json .* --assign-custom-hcp-roles` creates it/,
      make: (there) => withoutRoles(there, principalIdOf("disk")),
      mend: "first",
    },
    {
      check: "principals-exist",
      subject: "11 identities in the directory",
      evidence: /1 of 11 identities not found in the directory: disk/,
      next: /check the client IDs in the identity files/,
      make: (there) => withoutApplication(there, "disk"),
      mend: (there) => roleFlags(there),
    },
  ],
};
