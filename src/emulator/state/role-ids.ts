/** The GUIDs of the general roles, which every state assigns. */
export const roleIds = {
  owner: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
  contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  userAccessAdministrator: "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
} as const;
