/** The role assignments inside a managed HSM, changed as an administrator of the HSM changes them. */
import type { LocalAssignment } from "../../src/emulator/state/managed-hsm.js";
import { changeState } from "../harness/state-changes.js";
import type { TestEmulator } from "../harness/test-emulator.js";

const roles = {
  cryptoOfficer: "515eb02d-2335-4d2d-92f2-b1cbdf9c3778",
  cryptoUser: "21dbd100-6940-42c2-9190-5d6cb909625b",
  serviceEncryptionUser: "33413926-3206-4cdd-b39a-83574fe37a17",
} as const;
type LocalRole = keyof typeof roles;

export type LocalAssignments = readonly LocalAssignment[];

/** `scope` is "/", "/keys" or "/keys/NAME". */
export function localAssignment(principalId: string, role: LocalRole, scope: string): LocalAssignment {
  const name = `00000000-0000-4000-8000-00000000000${String(Object.keys(roles).indexOf(role))}`;
  return {
    name,
    scope,
    roleDefinitionId: `Microsoft.KeyVault/providers/Microsoft.Authorization/roleDefinitions/${roles[role]}`,
    principalId,
  };
}

/** The HSM is a resource that the test has seeded. */
export function assignLocally(azure: TestEmulator, hsm: string, change: (before: LocalAssignments) => LocalAssignment[]): Promise<void> {
  return changeState(azure, (state) => {
    state.managedHsms ??= {};
    const held = (state.managedHsms[hsm] ??= { content: { secrets: {}, certificates: {} }, roleAssignments: [] });
    held.roleAssignments = change(held.roleAssignments);
  });
}
