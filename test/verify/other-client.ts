/** Seeds of a second client of the emulator, and of its roles. */
import { parts, type Part } from "../../src/domain/create-parts.js";
import { requiredActions } from "../../src/domain/required-actions.js";

export const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";

export const client = { clientId: "c11e0000-0000-4000-8000-0000000000aa", clientSecret: "other" } as const;
export const clientPrincipalId = "c11e0000-0000-4000-8000-0000000000ac";

export const roleIds = {
  contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  userAccessAdministrator: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
  custom: "c0570000-0000-4000-8000-000000000001",
} as const;

const actionsOf = (wanted: readonly Part[]) =>
  requiredActions.filter((row) => row.parts.some((part) => wanted.includes(part))).flatMap(({ actions }) => actions);

/** Everything that `create all` needs, and that a create of an AKS cluster needs. */
export const allActions = [...new Set(actionsOf(parts))];
export const aksActions = [...new Set(actionsOf(["aks"]))];

export const application = (graphPermissions: readonly string[] = ["Application.ReadWrite.OwnedBy"]) => ({
  applications: [
    { appId: client.clientId, displayName: "other", servicePrincipalId: clientPrincipalId, secret: client.clientSecret, graphPermissions },
  ],
});

export const given = (role: string) => ({ roleAssignments: [{ scope: subscription, role, principalId: clientPrincipalId, name: role }] });

/** A role with exactly these actions; a second one replaces the first. */
export const customRole = (actions: readonly string[]) => ({
  resources: {
    [`${subscription}/providers/Microsoft.Authorization/roleDefinitions/${roleIds.custom}`]: {
      properties: {
        roleName: "Exactly",
        type: "CustomRole",
        permissions: [{ actions, notActions: [], dataActions: [], notDataActions: [] }],
      },
    },
  },
});
