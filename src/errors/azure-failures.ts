/** Catalogue entries for Azure and the connection to it. */
import { advise, rerun, shell, withFlag } from "./advice.js";

export const ifItPersists = "if it persists, see https://status.azure.com, then open a support request with the request ID below";

export const azureFailures = {
  // Azure itself.
  "ARO-AZURE-001": { title: "Azure rejected the request for a reason not in this list", exit: 1, next: [rerun] },
  "ARO-AZURE-002": {
    title: "Azure failed",
    exit: 1,
    next: [rerun, ifItPersists],
    azureCodes: [
      "InternalServerError",
      "ServerTimeout",
      "ServiceUnavailable",
      "BadGatewayConnection",
      "GatewayTimeout",
      "OperationTimedOut",
      "UnknownError",
    ],
  },
  "ARO-AZURE-003": {
    title: "Azure throttled requests",
    exit: 1,
    next: [
      advise`wait a few minutes, then ${rerun}`,
      advise`other clients share the subscription's limits${withFlag("--concurrency", "; a lower --concurrency sends fewer requests")}`,
    ],
    azureCodes: ["429", "TooManyRequests", "SubscriptionRequestsThrottled", "ResourceRequestsThrottled"],
  },
  "ARO-AZURE-004": {
    title: "another operation on the same resource did not finish in time",
    exit: 1,
    next: [advise`wait until the other operation finishes, then ${rerun}`],
    azureCodes: [
      "RetryableError",
      "RetryableErrorDueToAnotherOperation",
      "ReferencedResourceNotProvisioned",
      "AnotherOperationInProgress",
      "StorageAccountOperationInProgress",
      "StorageAccountIsNotProvisioned",
      "Canceled",
      "CanceledAndSupersededDueToAnotherOperation",
      "Conflict",
      "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity",
    ],
  },
  "ARO-AZURE-005": {
    title: "a resource disappeared during the run",
    exit: 1,
    next: [rerun],
    azureCodes: [
      "ResourceGroupNotFound",
      "ResourceNotFound",
      "NotFound",
      "ParentResourceNotFound",
      "InvalidResourceReference",
      "RoleAssignmentNotFound",
      "DeletedVaultNotFound",
      "ContainerNotFound",
      "Request_ResourceNotFound",
    ],
  },
  "ARO-AZURE-006": {
    title: "a resource group is still being deleted",
    exit: 1,
    next: [advise`wait until it is gone, then ${rerun}`],
    azureCodes: ["ResourceGroupBeingDeleted"],
  },
  "ARO-AZURE-007": {
    title: "Azure rejected a name or value as invalid",
    exit: 5,
    next: ["correct the setting that the name or value comes from"],
    azureCodes: [
      "InvalidResourceName",
      "InvalidResourceGroup",
      "InvalidParameter",
      "InvalidRequestContent",
      "InvalidRequestFormat",
      "InvalidTagNameCharacters",
      "NetcfgInvalidSubnet",
      "NetcfgSubnetRangesOverlap",
      "InvalidCIDRNotation",
    ],
  },
  "ARO-DELETE-001": {
    title: "a resource cannot be deleted because it is still in use",
    exit: 1,
    next: [advise`delete or detach the resource above, then ${rerun}`],
    azureCodes: [
      "InUseSubnetCannotBeDeleted",
      "InUseNetworkSecurityGroupCannotBeDeleted",
      "InUseNatGatewayCannotBeDeleted",
      "InUseRouteTableCannotBeDeleted",
      "PublicIPAddressCannotBeDeleted",
      "NicInUse",
      "CannotDeleteResource",
      "OperationPreventedByNestedResources",
    ],
  },
  "ARO-DELETE-002": {
    title: "a resource group could not be deleted",
    exit: 1,
    next: [advise`delete the resource above that blocks it, then ${rerun}`],
    azureCodes: ["ResourceGroupDeletionBlocked", "ResourceGroupDeletionTimeout"],
  },
  // The connection to Azure.
  "ARO-NET-001": {
    title: "Azure cannot be reached",
    exit: 1,
    next: [advise`check the network, DNS and proxy settings (HTTPS_PROXY, NO_PROXY), then ${rerun}`],
    azureCodes: [
      "ENOTFOUND",
      "EAI_AGAIN",
      "ECONNREFUSED",
      "ECONNRESET",
      "ETIMEDOUT",
      "EPIPE",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "REQUEST_SEND_ERROR",
      "EPROTO",
      "PROXY_REFUSED",
      "PROXY_SIGN_IN",
    ],
  },
  "ARO-NET-002": {
    title: "the TLS certificate of the connection to Azure is not trusted",
    exit: 1,
    next: ["if a proxy inspects TLS, pass its CA to Node.js: NODE_EXTRA_CA_CERTS=/path/to/ca.pem"],
    azureCodes: [
      "SELF_SIGNED_CERT_IN_CHAIN",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ],
  },
  "ARO-NET-003": {
    title: "a proxy or gateway answered instead of Azure",
    exit: 1,
    next: [
      advise`open a page in a browser on this network, which may require a sign-in; check the proxy settings (HTTPS_PROXY), then ${rerun}`,
    ],
  },
  "ARO-NET-004": {
    title: "a response is larger than any of Azure's",
    exit: 1,
    next: [advise`check the proxy settings (HTTPS_PROXY), then ${rerun}`],
  },
  "ARO-NET-005": {
    title: "a response refers to an address outside Azure, so a token could be stolen",
    exit: 1,
    next: [
      advise`a proxy or gateway may have changed the response: use a network that you trust and check the proxy settings (HTTPS_PROXY), then ${rerun}`,
    ],
  },
  "ARO-NET-006": {
    title: "a list has no end",
    exit: 1,
    next: [advise`a proxy or gateway may have changed the response: check the proxy settings (HTTPS_PROXY), then ${rerun}`],
  },
  "ARO-NET-007": {
    title: "the TLS certificate of the connection to Azure is not valid at the time of this machine's clock",
    exit: 1,
    next: [
      advise`set the clock (${shell`timedatectl status`} shows whether it is synchronized); if it is right, the certificate of a proxy has expired`,
    ],
    azureCodes: ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"],
  },
} as const;
