/** Trusted access to AKS clusters: which resources of other services act in a cluster, and with which of their roles. */
import { z } from "zod";
import { known } from "../../body-schema.js";
import { inSubscription } from "../../endpoint.js";
import { defineType } from "../../resource-type.js";
import { aksAction, aksPut, aksVersions } from "./provider.js";

const versions = aksVersions.filter((version) => version >= "2023-09-01");

const body = known(
  {
    properties: known(
      {
        sourceResourceId: z.string().startsWith("/subscriptions/"),
        roles: z.array(z.string().regex(/^Microsoft\.\w+\/\w+\/[\w-]+$/, "must be a type and a role of it")).min(1),
      },
      ["provisioningState"],
    ),
  },
  ["id", "name", "type", "systemData"],
);

export const trustedAccessRoleBindings = defineType<z.output<typeof body>>({
  name: "Microsoft.ContainerService/managedClusters/trustedAccessRoleBindings",
  apiVersions: versions,
  verbs: ["read", "write", "delete"],
  kind: "proxy",
  namePattern: /^[A-Za-z0-9-]{1,24}$/,
  nameRule: "It must have 1 to 24 letters, digits or '-'.",
  body,
  latency: { put: "trustedAccess.put", delete: "trustedAccess.put" },
  put: aksPut("PutTrustedAccessRoleBinding"),
  delete: aksAction("DeleteTrustedAccessRoleBinding"),
  busyStates: { creating: "Updating", updating: "Updating" },
  updatedStatus: 201,
  storedProperties: ({ body: { properties } }) => ({ ...properties }),
});

/** Azure has more of them, and what each may do in the cluster. */
const roles = {
  "Microsoft.DataProtection/backupVaults": ["backup-operator"],
  "Microsoft.MachineLearningServices/workspaces": ["inference-v1", "mlworkload"],
} as const;

export const trustedAccessRolesEndpoint = inSubscription({
  path: "Microsoft.ContainerService/locations/{location}/trustedAccessRoles",
  versions,
  body: () => ({
    value: Object.entries(roles).flatMap(([sourceResourceType, names]) => names.map((name) => ({ sourceResourceType, name, rules: [] }))),
  }),
});
