/** Identity files as their writers make them. */
const clientId = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

const fields = [
  "controlPlaneOperator",
  "nodePoolManagement",
  "cloudProvider",
  "file",
  "disk",
  "ingress",
  "network",
  "imageRegistry",
] as const;

export const controlPlane = {
  managedIdentitiesKeyVault: { name: "demo-vault", tenantID: clientId(9) },
  ...fromFields((index) => ({ clientID: clientId(index), credentialsSecretName: `demo-${index}`, objectEncoding: "utf-8" })),
};

export const dataPlane = {
  imageRegistryMSIClientID: clientId(1),
  diskMSIClientID: clientId(2),
  fileMSIClientID: clientId(3),
};

export const combined = { controlPlane, dataPlane };

export const workload = fromFields((index) => ({ clientID: clientId(index) }));

function fromFields<Value>(valueOf: (index: number) => Value): Record<(typeof fields)[number], Value> {
  return Object.fromEntries(fields.map((field, index) => [field, valueOf(index)])) as Record<(typeof fields)[number], Value>;
}
