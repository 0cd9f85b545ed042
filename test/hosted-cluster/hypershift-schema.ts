/** The format that hypershift's `--infra-file` reads, as JSON Schema, from the documentation of the file; and our six additional keys. */
const id = (type: string) => ({ type: "string", pattern: `^/subscriptions/[0-9a-f-]{36}/resourceGroups/[^/]+/providers/${type}$` });
const uuid = { type: "string", pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" };
const none = { const: "" };

function exactly(properties: Record<string, unknown>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: "object", properties, required, additionalProperties: false };
}

const managedIdentity = exactly({
  clientID: uuid,
  credentialsSecretName: { type: "string", pattern: "^[a-zA-Z0-9-]{1,127}$" },
  objectEncoding: { enum: ["utf-8", "hex", "base64"] },
});
const fields = ["controlPlaneOperator", "nodePoolManagement", "cloudProvider", "file", "disk", "ingress", "network", "imageRegistry"];
const each = (schema: unknown) => Object.fromEntries(fields.map((field) => [field, schema]));
const dataPlaneKeys = ["imageRegistryMSIClientID", "diskMSIClientID", "fileMSIClientID"];
const dataPlaneOf = (schema: unknown) => exactly(Object.fromEntries(dataPlaneKeys.map((key) => [key, schema])));

export const hypershiftInfra = exactly(
  {
    baseDomain: { type: "string" },
    publicZoneID: id("Microsoft\\.Network/dns[zZ]ones/[^/]+"),
    privateZoneID: id("Microsoft\\.Network/privateDnsZones/[^/]+"),
    region: { type: "string", pattern: "^[a-z0-9]+$" },
    resourceGroupName: { type: "string", pattern: "^[a-zA-Z0-9_()\\-.]{1,89}[a-zA-Z0-9_()\\-]$" },
    vnetID: id("Microsoft\\.Network/virtualNetworks/[^/]+"),
    subnetID: id("Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+"),
    securityGroupID: id("Microsoft\\.Network/networkSecurityGroups/[^/]+"),
    bootImageID: none,
    infraID: { type: "string", minLength: 1 },
    controlPlaneMIs: {
      anyOf: [
        { type: "null" },
        exactly({
          controlPlane: exactly({
            managedIdentitiesKeyVault: exactly({ name: { type: "string" }, tenantID: uuid }),
            ...each(managedIdentity),
          }),
          // Empty here: hypershift fills in the inner IDs when it creates the cluster.
          dataPlane: dataPlaneOf(none),
        }),
      ],
    },
    dataPlaneIdentities: { anyOf: [dataPlaneOf(uuid), dataPlaneOf(none)] },
    workloadIdentities: { anyOf: [{ type: "null" }, exactly(each(exactly({ clientID: uuid })))] },
    kmsClientID: uuid,
    // Ours: hypershift ignores keys that it does not know.
    options: { type: "object" },
    schemaVersion: { const: 1 },
    clusterName: { type: "string", minLength: 1 },
    subscriptionID: uuid,
    tenantID: uuid,
    cloud: { type: "string" },
  },
  ["kmsClientID"],
);
