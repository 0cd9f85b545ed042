/** Recorded error responses of Azure for fault rules: status, headers and body, with placeholders as names. */

export interface FaultAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The error format of Azure Resource Manager. */
function arm(
  status: number,
  code: string,
  message: string,
  more: { details?: unknown[]; headers?: Record<string, string> } = {},
): FaultAnswer {
  const { details, headers } = more;
  return { status, ...(headers && { headers }), body: { error: { code, message, ...(details && { details }) } } };
}

const html = (status: number, title: string): FaultAnswer => ({
  status,
  headers: { "content-type": "text/html", "x-azure-externalerror": "0x80072efe,OriginConnectionAborted" },
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

/** A signature of 3 KB, as in every operation URL. */
export const signature = "Hq7Zx".repeat(600);
const operationUrl = `https://management.azure.com/subscriptions/s/providers/Microsoft.Network/locations/eastus/operations/0f?api-version=2025-05-01&t=639&c=${signature}`;

export const throttled = (retryAfter?: string, text = "Please try again later."): FaultAnswer =>
  arm(429, "SubscriptionRequestsThrottled", `Number of 'writes' requests for subscription 's' actor 'a' exceeded. ${text}`, {
    ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }),
  });

export const recorded = {
  referencedResourceNotProvisioned: arm(429, "RetryableError", "A retryable error occurred.", {
    details: [
      {
        code: "ReferencedResourceNotProvisioned",
        message:
          "Cannot proceed with operation because resource /S/PUBLICIPADDRESSES/P used by resource /s/loadBalancers/l is not in Succeeded state. " +
          "Resource is in Updating state and the last operation that updated/is updating the resource is PutPublicIpAddressOperation.",
      },
    ],
  }),
  dueToAnotherOperation: arm(429, "RetryableError", "A retryable error occurred.", {
    details: [
      {
        code: "RetryableErrorDueToAnotherOperation",
        message: "Operation PutSubnetOperation (0f) is updating resource /s/virtualNetworks/v. The call can be retried in 11 seconds.",
      },
    ],
    headers: { "retry-after": "11" },
  }),
  anotherOperationInProgress: arm(
    409,
    "AnotherOperationInProgress",
    `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: ${operationUrl}.`,
    { details: [] },
  ),
  identityThrottled: arm(
    429,
    "429",
    "Request is temporarily throttled because subscription s has issued too many requests. Retry after 2 seconds.",
    { headers: { "retry-after": "2" } },
  ),
  internalServerError: arm(
    500,
    "InternalServerError",
    "Encountered internal server error. Diagnostic information: timestamp '20261120T000000Z', subscription id 's', tracking id 't'.",
  ),
  serverTimeout: arm(503, "ServerTimeout", "The request timed out. Diagnostic information: timestamp '20261120T000000Z'."),
  badGateway: arm(
    502,
    "BadGatewayConnection",
    "The network connectivity issue encountered for 'Microsoft.Network'; cannot fulfill the request.",
  ),
  gatewayTimeout: arm(
    504,
    "GatewayTimeout",
    "The gateway did not receive a response from 'Microsoft.Network' within the specified time period.",
  ),
  requestTimeout: { status: 408 } satisfies FaultAnswer,
  html500: html(500, "500 Internal Server Error"),
  html503: html(503, "Our services aren't available right now"),
  expiredToken: arm(
    401,
    "ExpiredAuthenticationToken",
    "The access token expiry UTC time '11/20/2026 5:09:07 AM' is earlier than current UTC time '11/20/2026 5:10:07 AM'.",
    { headers: { "www-authenticate": 'Bearer authorization_uri="https://login.microsoftonline.com/t", error="invalid_token"' } },
  ),
  invalidToken: arm(401, "InvalidAuthenticationToken", "The access token is invalid."),
  canceled: {
    status: 200,
    body: {
      status: "Canceled",
      error: {
        code: "Canceled",
        message: "Operation was canceled.",
        details: [
          {
            code: "CanceledAndSupersededDueToAnotherOperation",
            message: "Operation PutSecurityRuleOperation (a) was canceled and superseded by operation PutSecurityRuleOperation (b).",
          },
        ],
      },
    },
  } satisfies FaultAnswer,
  failedEtag: {
    status: 200,
    body: { status: "Failed", error: { code: "PreconditionFailed", message: "The etag does not match." } },
  } satisfies FaultAnswer,
  failedOperation: {
    status: 200,
    body: {
      status: "Failed",
      error: {
        code: "NetworkingInternalOperationError",
        message: "An error occurred.",
        details: [{ code: "SubnetIsFull", message: "Subnet default with address prefix 10.0.0.0/24 does not have enough capacity." }],
      },
    },
  } satisfies FaultAnswer,
  operationGone: arm(404, "NotFound", "The operation 0f was not found."),
  preconditionFailed: arm(412, "PreconditionFailed", "Precondition failed.", {
    details: [
      {
        code: "PreconditionFailedEtagMismatch",
        message: 'Etag provided in if-match header W/"0f" does not match etag W/"1a" of resource demo-x7k2 in NRP data store.',
      },
    ],
  }),
  groupNotFound: arm(404, "ResourceGroupNotFound", "Resource group 'demo-demo-x7k2' could not be found."),
  resourceNotFound: arm(404, "ResourceNotFound", "The Resource 'Microsoft.Network/loadBalancers/demo-x7k2' was not found."),
  parentNotFound: arm(
    404,
    "ParentResourceNotFound",
    "Failed to perform 'write' on resource(s), because the parent resource could not be found.",
  ),
  groupBeingDeleted: arm(
    409,
    "ResourceGroupBeingDeleted",
    "The resource group 'demo-demo-x7k2' is in deprovisioning state and cannot perform this operation.",
  ),
  deletionBlocked: {
    status: 409,
    body: {
      Error: {
        Code: "ResourceGroupDeletionBlocked",
        Target: null,
        Message:
          "Deletion of resource group 'demo-demo-x7k2' failed as resources with identifiers 'a,b' could not be deleted. " +
          "The provisioning state of the resource group will be rolled back. The tracking Id is 't'. Please check audit logs for more details.",
        Details: [
          {
            Code: null,
            Target: "/s/virtualNetworks/v",
            Message: JSON.stringify({
              error: {
                code: "InUseSubnetCannotBeDeleted",
                message: "Subnet default is in use by /s/networkInterfaces/n and cannot be deleted.",
              },
            }),
          },
        ],
      },
    },
  } satisfies FaultAnswer,
  deletionTimeout: {
    status: 409,
    body: {
      Error: {
        Code: "ResourceGroupDeletionTimeout",
        Message: "Deletion of resource group 'demo-demo-x7k2' did not finish within the allowed time.",
      },
    },
  } satisfies FaultAnswer,
  linkedAuthorizationFailed: arm(
    403,
    "LinkedAuthorizationFailed",
    "The client 'c' has permission to perform action 'write' on scope 's'; however, it does not have permission to perform action(s) 'join' on the linked scope(s).",
  ),
  authorizationFailed: arm(
    403,
    "AuthorizationFailed",
    "The client 'c' with object id 'o' does not have authorization to perform action 'Microsoft.Network/register/action' over scope 's'.",
  ),
  subscriptionNotFound: arm(404, "SubscriptionNotFound", "The subscription 's' could not be found."),
  proxyPage: html(404, "Not Found"),
  disabledSubscription: arm(
    409,
    "ReadOnlyDisabledSubscription",
    "The subscription 's' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.",
  ),
  disallowedByPolicy: arm(403, "RequestDisallowedByPolicy", "Resource 'demo-x7k2' was disallowed by policy."),
  locationNotAvailable: arm(
    400,
    "LocationNotAvailableForResourceGroup",
    "The provided location 'eastus' is not available for resource group. List of available regions is 'westus'.",
  ),
  missingRegistration: arm(
    409,
    "MissingSubscriptionRegistration",
    "The subscription registration is in 'Unregistered' state. The subscription must be registered to use namespace 'Microsoft.Network'.",
  ),
  invalidReference: arm(
    400,
    "InvalidResourceReference",
    "Resource /S/NETWORKSECURITYGROUPS/N referenced by resource /s/virtualNetworks/v was not found. Please make sure that the referenced resource exists.",
  ),
  inUseSubnet: arm(400, "InUseSubnetCannotBeDeleted", "Subnet default is in use by /s/n and cannot be deleted."),
  inUseNsg: arm(400, "InUseNetworkSecurityGroupCannotBeDeleted", "Network security group n cannot be deleted because it is in use."),
  inUseAddress: arm(
    400,
    "PublicIPAddressCannotBeDeleted",
    "Public IP address p can not be deleted since it is still allocated to resource l.",
  ),
  nestedResources: arm(409, "CannotDeleteResource", "Cannot delete resource while nested resources exist."),
  principalNotFound: arm(
    400,
    "PrincipalNotFound",
    "Principal 0f does not exist in the directory t. Check that you have the correct principal ID.",
  ),
  assignmentExists: arm(409, "RoleAssignmentExists", "The role assignment already exists."),
  assignmentUpdate: arm(
    400,
    "RoleAssignmentUpdateNotPermitted",
    "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
  ),
  nicInUse: arm(400, "NicInUse", "Network Interface /s/n is used by existing resource /s/vm."),
  graphDenied: {
    status: 403,
    body: graph("Authorization_RequestDenied", "Insufficient privileges to complete the operation."),
  } satisfies FaultAnswer,
  graphNotFound: {
    status: 404,
    body: graph(
      "Request_ResourceNotFound",
      "Resource 'p' does not exist or one of its queried reference-property objects are not present.",
    ),
  } satisfies FaultAnswer,
  graphThrottled: { status: 429, headers: { "retry-after": "7" }, body: graph("UnknownError", "") } satisfies FaultAnswer,
  graphUnavailable: { status: 503, body: graph("serviceNotAvailable", "The service is temporarily unavailable.") } satisfies FaultAnswer,
} as const;

function graph(code: string, message: string) {
  return { error: { code, message, innerError: { date: "2026-11-20T00:00:00", "request-id": "r", "client-request-id": "c" } } };
}
