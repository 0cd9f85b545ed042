/** From what Azure said to the failure that explains it: by code, else by status. */
import { catalogue, type CatalogueEntry, type FailureCode } from "./catalogue.js";
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

/** What Azure tells apart by its message only. */
const byMessage: readonly { readonly found: FailureCode; readonly words: RegExp; readonly meant: FailureCode }[] = [
  // "... authorization to perform action 'Microsoft.Authorization/roleAssignments/write' ..."
  { found: "ARO-AUTHZ-001", words: /'Microsoft\.Authorization\/roleAssignments\/(?:write|delete)'/i, meant: "ARO-AUTHZ-002" },
  // BadRequest: "A virtual network cannot be linked to multiple zones with overlapping namespaces. ..."
  { found: "ARO-AZURE-001", words: /linked to multiple zones with overlapping namespaces/i, meant: "ARO-DNS-003" },
];

/** Never fails: what is in no list is ARO-AZURE-001. `detail.code` is the innermost code of the answer, or Node's code of a failed connection. */
export function failureCodeFor({ status, code, message }: AzureDetail): FailureCode {
  const found = (code === undefined ? undefined : byAzureCode.get(code.toLowerCase())) ?? fallback(status);
  return byMessage.find((rule) => rule.found === found && rule.words.test(message ?? ""))?.meant ?? found;
}

function fallback(status: number | undefined): FailureCode {
  if (status !== undefined && status >= 500) return "ARO-AZURE-002";
  return (status === undefined ? undefined : byStatus.get(status)) ?? "ARO-AZURE-001";
}
