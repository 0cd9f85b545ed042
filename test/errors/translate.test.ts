import { describe, expect, test } from "vitest";
import { catalogue, type CatalogueEntry, type FailureCode } from "../../src/errors/catalogue.js";
import { exitCodeFor, exitCodes } from "../../src/errors/exit-codes.js";
import { failureCodeFor } from "../../src/errors/translate.js";

const entries = Object.entries<CatalogueEntry>(catalogue);

/** The known error codes of Azure Resource Manager, its resource providers and Microsoft Graph for these commands. */
const known: readonly (readonly [number, string, FailureCode])[] = [
  [404, "ResourceGroupNotFound", "ARO-AZURE-005"],
  [404, "ResourceNotFound", "ARO-AZURE-005"],
  [404, "NotFound", "ARO-AZURE-005"],
  [404, "ParentResourceNotFound", "ARO-AZURE-005"],
  [409, "ResourceGroupBeingDeleted", "ARO-AZURE-006"],
  [400, "LocationNotAvailableForResourceGroup", "ARO-SUB-003"],
  [409, "InvalidResourceLocation", "ARO-OWN-002"],
  [403, "AuthorizationFailed", "ARO-AUTHZ-001"],
  [403, "LinkedAuthorizationFailed", "ARO-AUTHZ-001"],
  [401, "InvalidAuthenticationToken", "ARO-AUTH-002"],
  [401, "ExpiredAuthenticationToken", "ARO-AUTH-002"],
  [409, "MissingSubscriptionRegistration", "ARO-SUB-001"],
  [409, "ScopeLocked", "ARO-SUB-004"],
  [429, "SubscriptionRequestsThrottled", "ARO-AZURE-003"],
  [429, "ResourceRequestsThrottled", "ARO-AZURE-003"],
  [429, "429", "ARO-AZURE-003"],
  [500, "InternalServerError", "ARO-AZURE-002"],
  [503, "ServerTimeout", "ARO-AZURE-002"],
  [502, "BadGatewayConnection", "ARO-AZURE-002"],
  [504, "GatewayTimeout", "ARO-AZURE-002"],
  [429, "ReferencedResourceNotProvisioned", "ARO-AZURE-004"],
  [429, "RetryableErrorDueToAnotherOperation", "ARO-AZURE-004"],
  [409, "AnotherOperationInProgress", "ARO-AZURE-004"],
  [409, "StorageAccountIsNotProvisioned", "ARO-AZURE-004"],
  [200, "CanceledAndSupersededDueToAnotherOperation", "ARO-AZURE-004"],
  [400, "InvalidResourceReference", "ARO-AZURE-005"],
  [400, "InUseSubnetCannotBeDeleted", "ARO-DELETE-001"],
  [400, "InUseNetworkSecurityGroupCannotBeDeleted", "ARO-DELETE-001"],
  [400, "InUseNatGatewayCannotBeDeleted", "ARO-DELETE-001"],
  [400, "PublicIPAddressCannotBeDeleted", "ARO-DELETE-001"],
  [400, "NicInUse", "ARO-DELETE-001"],
  [409, "CannotDeleteResource", "ARO-DELETE-001"],
  [412, "PreconditionFailed", "ARO-OWN-005"],
  [412, "PreconditionFailedEtagMismatch", "ARO-OWN-005"],
  [400, "PublicIPCountLimitReached", "ARO-SUB-002"],
  [409, "ResourceGroupDeletionBlocked", "ARO-DELETE-002"],
  [409, "ResourceGroupDeletionTimeout", "ARO-DELETE-002"],
  [400, "PrincipalNotFound", "ARO-ROLE-002"],
  [400, "InvalidPrincipalId", "ARO-ROLE-001"],
  [409, "RoleAssignmentExists", "ARO-ROLE-004"],
  [400, "RoleAssignmentUpdateNotPermitted", "ARO-ROLE-005"],
  [404, "RoleAssignmentNotFound", "ARO-AZURE-005"],
  [404, "DeletedVaultNotFound", "ARO-AZURE-005"],
  [404, "ContainerNotFound", "ARO-AZURE-005"],
  [404, "RoleDefinitionDoesNotExist", "ARO-ROLE-003"],
  [400, "RoleAssignmentLimitExceeded", "ARO-ROLE-006"],
  [404, "Request_ResourceNotFound", "ARO-AZURE-005"],
  [403, "Authorization_RequestDenied", "ARO-AUTHZ-003"],
  [403, "Directory_QuotaExceeded", "ARO-SUB-002"],
  [400, "SubscriptionNotRegisteredForFeature", "ARO-SUB-006"],
];

describe("failureCodeFor", () => {
  test.each(known)("%i %s is %s", (status, code, ours) => {
    expect(failureCodeFor({ status, code })).toBe(ours);
  });

  test("each Azure code belongs to one entry only", () => {
    const claimed = entries.flatMap(([, { azureCodes = [] }]) => azureCodes.map((code) => code.toLowerCase()));
    expect(claimed.filter((code, index) => claimed.indexOf(code) !== index)).toEqual([]);
  });

  test("codes are compared case-insensitively", () => {
    expect(failureCodeFor({ status: 409, code: "scopelocked" })).toBe("ARO-SUB-004");
  });

  test("a missing permission to write role assignments is recognized by the request, whatever the message says", () => {
    const home = "https://management.azure.com/subscriptions/s/resourceGroups/g/providers";
    const assignment = `${home}/Microsoft.Authorization/roleAssignments/a?api-version=2022-04-01`;
    const onVault = `${home}/Microsoft.KeyVault/vaults/v/providers/Microsoft.Authorization/roleAssignments/a`;
    const denied = { status: 403, code: "AuthorizationFailed", message: "perform action 'Microsoft.Authorization/roleAssignments/write'" };
    expect(failureCodeFor({ ...denied, message: "no" }, { method: "PUT", url: assignment })).toBe("ARO-AUTHZ-002");
    expect(failureCodeFor(denied, { method: "DELETE", url: onVault })).toBe("ARO-AUTHZ-002");
    expect(failureCodeFor(denied, { method: "GET", url: assignment })).toBe("ARO-AUTHZ-001");
    expect(failureCodeFor(denied, { method: "PUT", url: `${home}/Microsoft.Network/virtualNetworks/v` })).toBe("ARO-AUTHZ-001");
    expect(failureCodeFor(denied)).toBe("ARO-AUTHZ-001");
    expect(failureCodeFor({ ...denied, code: "ScopeLocked" }, { method: "PUT", url: assignment })).toBe("ARO-SUB-004");
  });

  test("the feature of IP tags is recognized by the request", () => {
    const home = "https://management.azure.com/subscriptions/s/resourceGroups/g/providers";
    const refused = { status: 400, code: "SubscriptionNotRegisteredForFeature" };
    expect(failureCodeFor(refused, { method: "PUT", url: `${home}/Microsoft.Network/publicIPAddresses/a?api-version=1` })).toBe(
      "ARO-SUB-007",
    );
    expect(failureCodeFor(refused, { method: "PUT", url: `${home}/Microsoft.Compute/virtualMachines/v` })).toBe("ARO-SUB-006");
  });

  test("overlapping links are recognized by code, request and message together, and by nothing less", () => {
    const url =
      "https://management.azure.com/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/z/virtualNetworkLinks/l";
    const message = "A virtual network cannot be linked to multiple zones with overlapping namespaces. You tried to link it with 'z'.";
    const refused = { status: 400, code: "BadRequest", message };
    expect(failureCodeFor(refused, { method: "PUT", url })).toBe("ARO-DNS-003");
    const other = failureCodeFor({ status: 400, code: "BadRequest", message: "the location must be global" }, { method: "PUT", url });
    expect(other).not.toBe("ARO-DNS-003");
    expect(failureCodeFor({ ...refused, code: "NeverHeardOf" }, { method: "PUT", url })).not.toBe("ARO-DNS-003");
    expect(failureCodeFor({ ...refused, message: `Why: ${message}` }, { method: "PUT", url })).toBe(other);
    expect(failureCodeFor(refused, { method: "DELETE", url })).toBe(other);
    expect(failureCodeFor(refused, { method: "PUT", url: url.replace("/virtualNetworkLinks/l", "") })).toBe(other);
    expect(failureCodeFor(refused)).toBe(other);
  });

  test.each([
    [401, "ARO-AUTH-002"],
    [403, "ARO-AUTHZ-001"],
    [404, "ARO-AZURE-005"],
    [412, "ARO-OWN-005"],
    [429, "ARO-AZURE-003"],
    [503, "ARO-AZURE-002"],
    [418, "ARO-AZURE-001"],
    [undefined, "ARO-AZURE-001"],
  ] as const)("status %s without a known code is %s", (status, ours) => {
    expect(failureCodeFor({ ...(status !== undefined && { status }), code: "NeverHeardOf" })).toBe(ours);
    expect(failureCodeFor({ ...(status !== undefined && { status }) })).toBe(ours);
  });
});

describe("the catalogue", () => {
  test("every entry has advice and a documented exit code other than 0", () => {
    for (const [code, { title, next, exit }] of entries) {
      expect(code).toMatch(/^ARO-[A-Z]+-\d{3}$/);
      expect(title).toMatch(/^[A-Za-z].*[^.]$/);
      expect(next.length, code).toBeGreaterThan(0);
      expect(Object.values(exitCodes).filter((value) => value !== 0)).toContain(exit);
    }
  });
});

describe("exitCodeFor", () => {
  test("a run without failures exits with 0", () => {
    expect(exitCodeFor([])).toBe(0);
  });

  test("failures with one exit code keep it; failures with different exit codes exit with 1", () => {
    expect(exitCodeFor([5, 5])).toBe(5);
    expect(exitCodeFor([2, 5, 2])).toBe(5);
    expect(exitCodeFor([5, 1])).toBe(1);
  });
});
