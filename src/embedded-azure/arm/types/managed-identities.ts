/** User-assigned managed identities: read, tagged and deleted here; a seed makes them. */
import { defineType } from "../resource-type.js";

export const userAssignedIdentities = defineType({
  name: "Microsoft.ManagedIdentity/userAssignedIdentities",
  apiVersions: ["2024-11-30", "2023-01-31", "2018-11-30"],
  verbs: ["read", "tags", "delete"],
  kind: "tracked",
  lowerCaseGroup: true,
  namePattern: /^[a-zA-Z0-9][\w-]{2,127}$/,
  nameRule: "It must have 3 to 128 letters, digits, '_' or '-', and begin with a letter or digit.",
  latency: { put: "identity.put", delete: "identity.delete", inGroup: "identity" },
  present: (_world, { properties: { tenantId, principalId, clientId } }) => ({ tenantId, principalId, clientId }),
});
