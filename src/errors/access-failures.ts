/** Catalogue entries for sign-in, permissions, subscription limits, identities and roles. */
import { advise, aroHcp, blank, rerun, shell, withFlag, type Advice, type Blank } from "./advice.js";

/** How a directory administrator allows the application with this client ID to create applications. */
export function grantApplications(clientId: string | Blank): readonly Advice[] {
  return [
    "ask a directory administrator to grant its application the Microsoft Graph permission `Application.ReadWrite.OwnedBy`, with the next two commands",
    shell`az ad app permission add --id ${clientId} --api 00000003-0000-0000-c000-000000000000 --api-permissions 18a4783c-866b-4cc7-a460-3d5e5662c884=Role`,
    advise`${shell`az ad app permission admin-consent --id ${clientId}`}; this permission does not cover applications that another principal created`,
  ];
}

export function registerProvider(namespace: string | Blank): Advice {
  return advise`register it once: ${shell`az provider register --namespace ${namespace}`}; this takes some minutes`;
}

const officers = {
  certificates: "Key Vault Certificates Officer",
  secrets: "Key Vault Secrets Officer",
  keys: "Key Vault Crypto Officer",
} as const;

export type VaultContents = keyof typeof officers;
export const vaultContents = Object.keys(officers) as readonly VaultContents[];

const waitForRole: Advice = advise`a role assigned minutes ago might not be in effect yet; wait, then ${rerun}`;

/** The advice if a vault denies access to these contents. */
export function grantVaultRoles(contents: readonly VaultContents[]): readonly Advice[] {
  return grantOnVault(contents.map((one) => officers[one]));
}

export function grantOnVault(roles: readonly string[]): readonly Advice[] {
  return [waitForRole, `if it persists, ask an owner for ${roles.map((role) => `"${role}"`).join(" and ")} on the vault`];
}

/** The advice on a limit, by Azure's code, where the general one does not fit. */
export const limitAdvice: Readonly<Record<string, readonly Advice[]>> = {
  PublicIPCountLimitReached: [
    advise`delete public IP addresses that are not needed, or request a higher limit${withFlag("--outbound-addresses", "; fewer --outbound-addresses need fewer, and addresses of --public-ip-prefix-id exist already")}${withFlag("--location", "; another --location has its own limits")}`,
  ],
  Directory_QuotaExceeded: [
    "delete applications that are not needed, and purge deleted ones; or ask a directory administrator for a higher quota",
  ],
};

export const accessFailures = {
  // Sign-in and permissions.
  "ARO-AUTH-001": {
    title: "no way to sign in was found",
    exit: 4,
    next: [
      advise`${withFlag("--azure-creds", "pass --azure-creds FILE, ")}sign in with ${shell`az login`}, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET`,
    ],
  },
  "ARO-AUTH-002": {
    title: "the sign-in was rejected",
    exit: 4,
    next: [
      "check the tenant, client ID and secret: the secret may have expired or belong to another application",
      advise`with the Azure CLI, sign in again: ${shell`az login`}`,
    ],
    azureCodes: [
      "InvalidAuthenticationToken",
      "ExpiredAuthenticationToken",
      "AuthenticationFailed",
      "InvalidAuthenticationTokenTenant",
      "AADSTS50034",
      "AADSTS50076",
      "AADSTS70043",
      "AADSTS90002",
      "AADSTS700016",
      "AADSTS700027",
      "AADSTS700082",
      "AADSTS7000215",
      "AADSTS7000222",
      "invalid_client",
      "invalid_grant",
      "unauthorized_client",
    ],
  },
  "ARO-AUTH-003": {
    title: "this machine's clock differs too much from Azure's",
    exit: 4,
    next: [advise`set the clock (${shell`timedatectl status`} shows whether it is synchronized)`],
    azureCodes: ["AADSTS700024"],
  },
  "ARO-AUTH-004": {
    title: "the subscription does not exist or is not visible to the signed-in principal",
    exit: 5,
    next: [
      advise`check the subscription${withFlag("--subscription", " (--subscription, or subscriptionId in the credentials file)")} and the tenant of the sign-in`,
    ],
    azureCodes: ["SubscriptionNotFound", "InvalidSubscriptionId", "DisallowedOperation"],
  },
  "ARO-AUTHZ-001": {
    title: "the signed-in principal lacks a permission",
    exit: 5,
    next: ['ask an owner for "Contributor" on the scope that the reason names; a role assigned minutes ago might not be in effect yet'],
    nextToRead: ['ask an owner for "Reader" on the scope that the reason names; a role assigned minutes ago might not be in effect yet'],
    azureCodes: ["AuthorizationFailed", "LinkedAuthorizationFailed", "Forbidden"],
  },
  "ARO-AUTHZ-002": {
    title: "the signed-in principal has no permission to write role assignments",
    exit: 5,
    next: [
      advise`ask an owner for "Role Based Access Control Administrator" on the scope that the reason names${withFlag("--assign-identity-roles", ", or run without --assign-identity-roles")}`,
    ],
  },
  "ARO-AUTHZ-003": {
    title: "the signed-in principal has no permission to read the directory",
    exit: 5,
    next: [
      "ask a directory administrator for a Microsoft Graph permission: Application.Read.All to look up identities, Application.ReadWrite.OwnedBy for a command that creates, rotates or destroys them",
    ],
    azureCodes: ["Authorization_RequestDenied", "Authorization_IdentityNotFound"],
  },
  "ARO-AUTHZ-004": {
    title: "the signed-in principal has no permission to create applications in the directory",
    exit: 5,
    next: grantApplications(blank("client-id")),
  },
  "ARO-AUTHZ-005": {
    title: "the signed-in principal has no permission to access the contents of the vault",
    exit: 5,
    next: [
      waitForRole,
      `or ask an owner for a role on the vault: ${vaultContents.map((one) => `"${officers[one]}" for ${one}`).join(", ")}`,
    ],
    azureCodes: ["ForbiddenByRbac", "ForbiddenByPolicy"],
  },
  "ARO-AUTHZ-006": {
    title: "the vault's firewall blocks this machine",
    exit: 5,
    next: [advise`run from a network that the firewall allows, or allow this one: ${shell`az keyvault network-rule add`}`],
    azureCodes: ["ForbiddenByFirewall", "ForbiddenByConnection"],
  },
  "ARO-CHECK-001": {
    title: "a prerequisite is not met",
    exit: 5,
    next: [advise`fix what the message names; nothing was changed; ${aroHcp("doctor")} checks every prerequisite`],
  },
  "ARO-SUB-001": {
    title: "the subscription is not registered for a resource provider",
    exit: 5,
    next: [registerProvider(blank("namespace"))],
    azureCodes: ["MissingSubscriptionRegistration", "SubscriptionNotRegistered", "NoRegisteredProviderFound"],
  },
  "ARO-SUB-002": {
    title: "a limit of the subscription or the directory is reached",
    exit: 5,
    next: [
      advise`delete what is not needed, or request a higher limit${withFlag("--location", "; another --location has its own limits")}`,
    ],
    azureCodes: [
      "PublicIPCountLimitReached",
      "QuotaExceeded",
      "ResourceGroupQuotaExceeded",
      "ResourceQuotaExceeded",
      "MaxStorageAccountsCountPerSubscriptionExceeded",
      "Directory_QuotaExceeded",
      "Directory_ResourceSizeExceeded",
    ],
  },
  "ARO-SUB-003": {
    title: "the location is not available",
    exit: 5,
    next: [
      advise`${shell`az account list-locations --query [].name`} lists the locations${withFlag("--location", "; choose another --location")}`,
    ],
    azureCodes: ["LocationNotAvailableForResourceGroup", "LocationNotAvailableForResourceType"],
  },
  "ARO-SUB-004": {
    title: "a management lock blocks the operation",
    exit: 5,
    next: [advise`find the lock with ${shell`az lock list`}, and ask its owner to remove it`],
    azureCodes: ["ScopeLocked"],
  },
  "ARO-SUB-005": {
    title: "an Azure Policy assignment blocks the operation",
    exit: 5,
    next: ["ask the owner of the policy that the reason names for an exemption, or meet its requirement"],
    azureCodes: ["RequestDisallowedByPolicy"],
  },
  "ARO-SUB-006": {
    title: "the subscription is not registered for a feature",
    exit: 5,
    next: [
      advise`register it: ${shell`az feature register --namespace ${blank("namespace")} --name ${blank("feature")}`}; Microsoft may have to approve it`,
    ],
    azureCodes: ["SubscriptionNotRegisteredForFeature", "FeatureNotRegistered"],
  },
  "ARO-SUB-007": {
    title: "the subscription is not enrolled for IP tags",
    exit: 5,
    next: [
      "omit the IP tags: Microsoft enrolls only the subscriptions of its own services for FirstPartyUsage",
      advise`if yours is enrolled, register the feature, then ${rerun}: ${shell`az feature register --namespace Microsoft.Network --name AllowBringYourOwnPublicIpAddress`}`,
    ],
  },
  "ARO-SUB-008": {
    title: "the subscription is disabled",
    exit: 5,
    next: [
      advise`ask the owner of the subscription to enable it again, in Cost Management in the portal${withFlag("--subscription", "; or use another --subscription")}`,
    ],
    azureCodes: ["ReadOnlyDisabledSubscription"],
  },

  // Identities and roles.
  "ARO-ROLE-001": {
    title: "an identity is not in the directory",
    exit: 5,
    next: ["check its client ID in the identity file, and the tenant"],
    azureCodes: ["InvalidPrincipalId"],
  },
  "ARO-ROLE-002": {
    title: "an identity has not replicated to Azure yet",
    exit: 1,
    next: [advise`wait a few minutes, then ${rerun}`],
    azureCodes: ["PrincipalNotFound"],
  },
  "ARO-ROLE-003": {
    title: "a role definition does not exist in this directory",
    exit: 5,
    next: [advise`ask Azure support for the role${withFlag("--assign-custom-hcp-roles", ", or run without --assign-custom-hcp-roles")}`],
    azureCodes: ["RoleDefinitionDoesNotExist", "InvalidRoleDefinitionId"],
  },
  "ARO-ROLE-004": {
    title: "the same role assignment exists under another name",
    exit: 1,
    next: [rerun],
    azureCodes: ["RoleAssignmentExists"],
  },
  "ARO-ROLE-005": {
    title: "a role assignment's name belongs to another principal",
    exit: 1,
    next: [advise`it is left over from an identity that was recreated; ${rerun}`],
    azureCodes: ["RoleAssignmentUpdateNotPermitted"],
  },
  "ARO-ROLE-006": {
    title: "the subscription's limit on role assignments is reached",
    exit: 5,
    next: [
      advise`delete assignments whose principal no longer exists: ${shell`az role assignment list --all`} lists them without a principal name`,
    ],
    azureCodes: ["RoleAssignmentLimitExceeded"],
  },
  "ARO-ROLE-007": {
    title: "the roles of this cluster belong to other identities",
    exit: 5,
    next: [
      advise`pass the name or the files of the identities that have the roles now${withFlag("--change-identities", "; only to move the cluster to the others, pass --change-identities")}`,
    ],
  },
} as const;
