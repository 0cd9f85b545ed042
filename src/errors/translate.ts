/** From what Azure said to the failure that explains it: by code, else by status. */
import type { CatalogueEntry } from "./catalogue-entry.js";
import { catalogue, type FailureCode } from "./catalogue.js";
import type { AzureDetail } from "./failure.js";

const byAzureCode = new Map<string, FailureCode>(
  Object.entries<CatalogueEntry>(catalogue).flatMap(([code, { azureCodes = [] }]) =>
    azureCodes.map((azureCode) => [azureCode.toLowerCase(), code as FailureCode] as const),
  ),
);

/** Where the code is unknown or absent (an HTML page from a gateway, a HEAD request). */
const byStatus: ReadonlyMap<number, FailureCode> = new Map([
  [401, "ARO-AUTH-002"],
  [403, "ARO-AUTHZ-001"],
  [404, "ARO-AZURE-005"],
  [408, "ARO-AZURE-002"],
  [412, "ARO-OWN-005"],
  [429, "ARO-AZURE-003"],
]);

/** The right that a 403 is about stands in its message only: "... authorization to perform action 'Microsoft.Authorization/roleAssignments/write' ...". */
const roleAssignmentAction = /'Microsoft\.Authorization\/roleAssignments\/(?:write|delete)'/i;

/** Never fails: what is in no list is ARO-AZURE-001. `detail.code` is the innermost code of the answer, or Node's code of a failed connection. */
export function failureCodeFor({ status, code, message }: AzureDetail): FailureCode {
  const found = (code === undefined ? undefined : byAzureCode.get(code.toLowerCase())) ?? fallback(status);
  return found === "ARO-AUTHZ-001" && roleAssignmentAction.test(message ?? "") ? "ARO-AUTHZ-002" : found;
}

function fallback(status: number | undefined): FailureCode {
  if (status !== undefined && status >= 500) return "ARO-AZURE-002";
  return (status === undefined ? undefined : byStatus.get(status)) ?? "ARO-AZURE-001";
}
