/** The properties that Graph answers even if nobody has set them. */

const info = { logoUrl: null, marketingUrl: null, privacyStatementUrl: null, supportUrl: null, termsOfServiceUrl: null };
const verifiedPublisher = { displayName: null, verifiedPublisherId: null, addedDateTime: null };

/** Since April 2024, an application is for its own tenant unless its creator says otherwise; before, it was for all accounts. */
const signInAudience = "AzureADMyOrg";

export const unsetOfApplication = {
  applicationTemplateId: null,
  disabledByMicrosoftStatus: null,
  description: null,
  groupMembershipClaims: null,
  identifierUris: [],
  isDeviceOnlyAuthSupported: null,
  isFallbackPublicClient: null,
  notes: null,
  publisherDomain: null,
  serviceManagementReference: null,
  signInAudience,
  tokenEncryptionKeyId: null,
  samlMetadataUrl: null,
  defaultRedirectUri: null,
  certification: null,
  optionalClaims: null,
  servicePrincipalLockConfiguration: null,
  requestSignatureVerification: null,
  addIns: [],
  api: {
    acceptMappedClaims: null,
    knownClientApplications: [],
    requestedAccessTokenVersion: null,
    oauth2PermissionScopes: [],
    preAuthorizedApplications: [],
  },
  appRoles: [],
  info,
  parentalControlSettings: { countriesBlockedForMinors: [], legalAgeGroupRule: "Allow" },
  publicClient: { redirectUris: [] },
  requiredResourceAccess: [],
  verifiedPublisher,
  web: {
    homePageUrl: null,
    logoutUrl: null,
    redirectUris: [],
    implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: false },
    redirectUriSettings: [],
  },
  spa: { redirectUris: [] },
};

/** Personal accounts need tokens of version 2. */
export const apiForPersonalAccounts = { ...unsetOfApplication.api, requestedAccessTokenVersion: 2 };

export const unsetOfPrincipal = {
  deletedDateTime: null,
  appDescription: null,
  applicationTemplateId: null,
  appRoleAssignmentRequired: false,
  description: null,
  disabledByMicrosoftStatus: null,
  homepage: null,
  loginUrl: null,
  logoutUrl: null,
  notes: null,
  notificationEmailAddresses: [],
  preferredSingleSignOnMode: null,
  preferredTokenSigningKeyThumbprint: null,
  replyUrls: [],
  /** Null for the principal of a managed identity. */
  signInAudience: null,
  tokenEncryptionKeyId: null,
  samlSingleSignOnSettings: null,
  addIns: [],
  appRoles: [],
  info,
  keyCredentials: [],
  oauth2PermissionScopes: [],
  passwordCredentials: [],
  resourceSpecificApplicationPermissions: [],
  verifiedPublisher,
};
