/** Failures of signing in, of rights, of what a subscription allows, and of identities and their roles. Part of the catalogue. */
import { runAgain, type CatalogueEntry } from "./catalogue-entry.js";

export const accessFailures = {
  // Who we are and what we may do.
  "ARO-AUTH-001": {
    title: "no way to sign in was found",
    exit: 4,
    next: ["give --azure-creds FILE, or sign in with `az login`, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET"],
  },
  "ARO-AUTH-002": {
    title: "the sign-in was rejected",
    exit: 4,
    next: [
      "check tenant, client id and secret: the secret may have expired or belong to another application",
      "with the az CLI: `az login` again",
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
    title: "the clock of this machine differs too much from Azure's",
    exit: 4,
    next: ["set the clock (`timedatectl status` shows whether it is synchronised)"],
    azureCodes: ["AADSTS700024"],
  },
  "ARO-AUTH-004": {
    title: "the subscription does not exist or is not visible to the signed-in principal",
    exit: 5,
    next: ["check --subscription or subscriptionId in the credentials file, and the tenant that was signed in to"],
    azureCodes: ["SubscriptionNotFound", "InvalidSubscriptionId", "DisallowedOperation", "ReadOnlyDisabledSubscription"],
  },
  "ARO-AUTHZ-001": {
    title: "the signed-in principal lacks a right",
    exit: 5,
    next: ['ask an owner for "Contributor" on the scope named above; a right given minutes ago may still be spreading'],
    azureCodes: ["AuthorizationFailed", "LinkedAuthorizationFailed", "Forbidden"],
  },
  "ARO-AUTHZ-002": {
    title: "the signed-in principal may not write role assignments",
    exit: 5,
    next: ['ask an owner for "Role Based Access Control Administrator" on the scope named above, or run without --assign-identity-roles'],
  },
  "ARO-AUTHZ-003": {
    title: "the signed-in principal may not read the directory",
    exit: 5,
    next: ["ask a directory administrator for Microsoft Graph `Application.Read.All`; identities are looked up there by client id"],
    azureCodes: ["Authorization_RequestDenied", "Authorization_IdentityNotFound"],
  },
  "ARO-AUTHZ-004": {
    title: "the signed-in principal may not make applications in the directory",
    exit: 5,
    next: [
      "a directory administrator grants its application the Microsoft Graph permission `Application.ReadWrite.OwnedBy`:",
      "`az ad app permission add --id <client id> --api 00000003-0000-0000-c000-000000000000 --api-permissions 18a4783c-866b-4cc7-a460-3d5e5662c884=Role`",
      "`az ad app permission admin-consent --id <client id>`; with OwnedBy alone, applications that another principal made stay closed to it",
    ],
  },
  "ARO-AUTHZ-005": {
    title: "the signed-in principal may not use what is in the vault",
    exit: 5,
    next: [
      "a role given minutes ago may still be spreading: " + runAgain,
      'else ask an owner for "Key Vault Certificates Officer" and "Key Vault Secrets Officer" on the vault',
    ],
    azureCodes: ["ForbiddenByRbac", "ForbiddenByPolicy"],
  },
  "ARO-AUTHZ-006": {
    title: "the vault does not let this machine in",
    exit: 5,
    next: ["run from a network that its firewall admits, or admit this one: `az keyvault network-rule add`"],
    azureCodes: ["ForbiddenByFirewall", "ForbiddenByConnection"],
  },
  "ARO-CHECK-001": {
    title: "something that every create needs does not hold",
    exit: 5,
    next: ["mend what is named above: nothing was written; `aro-hcp doctor` looks at all that a create needs"],
  },
  "ARO-SUB-001": {
    title: "the subscription is not registered for a resource provider",
    exit: 5,
    next: ["register it once: `az provider register --namespace <namespace>`; it takes minutes"],
    azureCodes: ["MissingSubscriptionRegistration", "SubscriptionNotRegistered", "NoRegisteredProviderFound"],
  },
  "ARO-SUB-002": {
    title: "a limit of the subscription or of the directory is reached",
    exit: 5,
    next: ["delete what is not needed, or ask for a higher limit; another --location has limits of its own"],
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
    next: ["choose another --location: `az account list-locations --query [].name`"],
    azureCodes: ["LocationNotAvailableForResourceGroup", "LocationNotAvailableForResourceType"],
  },
  "ARO-SUB-004": {
    title: "a management lock forbids it",
    exit: 5,
    next: ["ask who set the lock; `az lock list` names it"],
    azureCodes: ["ScopeLocked"],
  },
  "ARO-SUB-005": {
    title: "a policy of the subscription forbids it",
    exit: 5,
    next: ["ask who owns the policy named above for an exemption, or give what it demands"],
    azureCodes: ["RequestDisallowedByPolicy"],
  },

  // Identities and roles.
  "ARO-ROLE-001": {
    title: "an identity is not in the directory",
    exit: 5,
    next: ["check its client id in the identity file, and that the tenant is the right one"],
    azureCodes: ["InvalidPrincipalId"],
  },
  "ARO-ROLE-002": {
    title: "Azure does not know an identity yet",
    exit: 1,
    next: ["an identity made minutes ago may still be spreading: " + runAgain],
    azureCodes: ["PrincipalNotFound"],
  },
  "ARO-ROLE-003": {
    title: "a role definition does not exist in this directory",
    exit: 5,
    next: ["run without --assign-custom-hcp-roles, or ask for the role to be made available"],
    azureCodes: ["RoleDefinitionDoesNotExist", "InvalidRoleDefinitionId"],
  },
  "ARO-ROLE-004": {
    title: "the same role assignment exists under another name",
    exit: 1,
    next: [runAgain],
    azureCodes: ["RoleAssignmentExists"],
  },
  "ARO-ROLE-005": {
    title: "a role assignment's name is held by another principal",
    exit: 1,
    next: ["it is left over from an identity that was made anew: " + runAgain],
    azureCodes: ["RoleAssignmentUpdateNotPermitted"],
  },
  "ARO-ROLE-006": {
    title: "the subscription has no room for another role assignment",
    exit: 5,
    next: ["remove assignments whose principal is gone: `az role assignment list --all` shows them without a name"],
    azureCodes: ["RoleAssignmentLimitExceeded"],
  },
} as const satisfies Record<string, CatalogueEntry>;
