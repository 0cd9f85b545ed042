/** The rules of HyperShift's API (hypershift.openshift.io/v1beta1) for the rendered part of a HostedCluster. */
import { plural } from "../../text/plural.js";
import { z } from "zod";
import { isEnabled, newerFields, optionalFields, type NewerField } from "../../domain/components.js";
import { subdomain, subdomainRule } from "../../domain/cluster-label.js";
import { issuerUrlProblem } from "../../domain/issuer-url.js";
import { isWithin, parseResourceId } from "../../domain/resource-id.js";
import { controlPlaneNamespace } from "../../domain/hosted-cluster-key.js";
import { objectEncodings } from "../../domain/credential-secret.js";
import { controlPlaneShape, dataPlaneShape, workloadIdentity } from "../../files/identity-schemas.js";
import { idOf, secretName, uuid, vaultName } from "../../files/fields.js";
import { sameText } from "../../text/same-text.js";

/** A namespace is a DNS label: RFC 1123. */
const longestNamespace = 63;
const kubernetesName = z.string().regex(subdomain, subdomainRule);
const text255 = z.string().min(1, "is empty").max(255, "has more than 255 characters");

const managedIdentity = z.strictObject({
  clientID: uuid.optional(),
  credentialsSecretName: secretName,
  objectEncoding: z.enum(objectEncodings),
});

const managedIdentities = z.strictObject({
  controlPlane: z.strictObject({
    managedIdentitiesKeyVault: z.strictObject({ name: vaultName, tenantID: uuid }),
    ...controlPlaneShape(managedIdentity),
  }),
  dataPlane: z.strictObject(dataPlaneShape(uuid)),
});

/** The API needs the identities of disabled capabilities too. */
const workloadIdentities = z.strictObject(controlPlaneShape<typeof workloadIdentity, NewerField>(workloadIdentity, newerFields));

/** Unlike Azure, the API compares IDs case-sensitively, and matches the parts of this ID without anchors. */
const subnetId = idOf("Microsoft.Network/virtualNetworks/subnets")
  .max(355, "has more than 355 characters")
  .regex(
    /^\/subscriptions\/.*\/resourceGroups\/.*\/providers\/Microsoft.Network\/virtualNetworks\/.*\/subnets\/.*$/,
    "must have the form /subscriptions/.../resourceGroups/.../providers/Microsoft.Network/virtualNetworks/.../subnets/...",
  )
  .refine((id) => partMatches(id, 4, /[a-zA-Z0-9-_().]{1,90}/, ["."]), "has a resource group name that the API rejects")
  .refine((id) => partMatches(id, 8, /[a-zA-Z0-9-_.]{2,64}/, [".", "-"]), "has a virtual network name that the API rejects")
  .refine((id) => partMatches(id, 10, /[a-zA-Z0-9][a-zA-Z0-9-_.]{0,79}/, [".", "-"]), "has a subnet name that the API rejects");

function partMatches(id: string, index: number, pattern: RegExp, notLast: readonly string[]): boolean {
  const part = id.split("/")[index] ?? "";
  return pattern.test(part) && notLast.every((character) => !part.endsWith(character));
}

const azure = z
  .strictObject({
    cloud: z
      .enum(["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud", "AzureGermanCloud", "AzureBleuCloud", "AzureStackCloud"])
      .optional(),
    location: text255,
    resourceGroup: z
      .string()
      .regex(/^[a-zA-Z0-9_()\-.]{1,89}[a-zA-Z0-9_()-]$/, "must be 2 to 90 letters, digits, underscores, parentheses, hyphens and periods"),
    vnetID: idOf("Microsoft.Network/virtualNetworks").max(255, "has more than 255 characters"),
    subnetID: subnetId,
    securityGroupID: idOf("Microsoft.Network/networkSecurityGroups").max(255, "has more than 255 characters"),
    subscriptionID: uuid,
    tenantID: uuid,
    azureAuthenticationConfig: z.discriminatedUnion("azureAuthenticationConfigType", [
      z.strictObject({ azureAuthenticationConfigType: z.literal("ManagedIdentities"), managedIdentities }),
      z.strictObject({
        azureAuthenticationConfigType: z.literal("WorkloadIdentities"),
        workloadIdentities,
      }),
    ]),
  })
  .superRefine(({ vnetID, subnetID, securityGroupID, subscriptionID }, context) => {
    const addIssue = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
    if (!isWithin(subnetID, vnetID)) addIssue("subnetID", "is not a subnet of vnetID");
    for (const [key, id] of Object.entries({ vnetID, securityGroupID })) {
      const found = parseResourceId(id).subscriptionId;
      if (!sameText(found, subscriptionID)) addIssue(key, `is in subscription ${found}, not in ${subscriptionID}`);
    }
  });

const kmsKey = z.strictObject({ keyVaultName: text255, keyName: text255, keyVersion: text255 });

const secretEncryption = z.strictObject({
  type: z.literal("kms"),
  kms: z.strictObject({
    provider: z.literal("Azure"),
    azure: z
      .strictObject({
        activeKey: kmsKey,
        backupKey: kmsKey.optional(),
        keyVaultType: z.enum(["KeyVault", "ManagedHSM"]).optional(),
        kms: managedIdentity.optional(),
        workloadIdentity: workloadIdentity.optional(),
      })
      .refine(({ kms, workloadIdentity: workload }) => (kms ?? workload) !== undefined, { path: ["kms"], message: "is missing" }),
  }),
});

const capabilities = z.strictObject({
  disabled: z
    .array(z.string())
    .min(1)
    .refine(
      (disabled) => !disabled.includes("Ingress") || disabled.includes("Console"),
      "contains Ingress but not Console; the console needs ingress",
    ),
});

const spec = z
  .strictObject({
    infraID: z
      .string()
      .max(253)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "must be lowercase letters, digits and inner hyphens"),
    dns: z.strictObject({
      baseDomain: z
        .string()
        .max(253, "has more than 253 characters")
        .regex(/^(?:(?:[a-zA-Z0-9-]+\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$/, "must be a domain name whose last label has only letters"),
      publicZoneID: idOf("Microsoft.Network/dnsZones").max(258, "has more than 258 characters"),
      privateZoneID: idOf("Microsoft.Network/privateDnsZones").max(265, "has more than 265 characters"),
    }),
    issuerURL: z.string().superRefine((url, context) => {
      const message = issuerUrlProblem(url);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    }),
    serviceAccountSigningKey: z.strictObject({ name: kubernetesName }),
    platform: z.strictObject({ type: z.literal("Azure"), azure }),
    secretEncryption: secretEncryption.optional(),
    capabilities: capabilities.optional(),
  })
  .superRefine(({ platform, capabilities: { disabled = [] } = {} }, context) => {
    const authentication = platform.azure.azureAuthenticationConfig;
    if (authentication.azureAuthenticationConfigType === "WorkloadIdentities") return;
    const { controlPlane } = authentication.managedIdentities;
    for (const { field } of optionalFields.filter(
      (optional) => isEnabled(optional, disabled) && controlPlane[optional.field] === undefined,
    )) {
      const path = ["platform", "azure", "azureAuthenticationConfig", "managedIdentities", "controlPlane", field];
      context.addIssue({ code: "custom", path, message: "is missing" });
    }
  });

export const hostedClusterSchema = z.strictObject({
  apiVersion: z.literal("hypershift.openshift.io/v1beta1"),
  kind: z.literal("HostedCluster"),
  metadata: z
    .strictObject({ name: kubernetesName, namespace: kubernetesName })
    .refine((key) => controlPlaneNamespace(key).length <= longestNamespace, {
      path: ["name"],
      message: `is too long: with the namespace, the control plane namespace has more than ${plural(longestNamespace, "character")}`,
    }),
  spec,
});
