/** Maps a request and its error response to an entry of the catalogue: by code, otherwise by status. */
import { catalogue, type CatalogueEntry, type FailureCode } from "./catalogue.js";
import type { AzureDetail } from "./failure.js";

const byAzureCode = new Map<string, FailureCode>(
  Object.entries<CatalogueEntry>(catalogue).flatMap(([code, { azureCodes = [] }]) =>
    azureCodes.map((azureCode) => [azureCode.toLowerCase(), code as FailureCode] as const),
  ),
);

/** Used if the code is unknown or absent (an HTML page of a gateway, a HEAD request). */
const byStatus: ReadonlyMap<number, FailureCode> = new Map([
  [401, "ARO-AUTH-002"],
  [403, "ARO-AUTHZ-001"],
  [404, "ARO-AZURE-005"],
  [408, "ARO-AZURE-002"],
  [412, "ARO-OWN-005"],
  [429, "ARO-AZURE-003"],
]);

export interface FailedRequest {
  readonly method: string;
  readonly url: string;
}

interface Rule {
  readonly found: FailureCode;
  readonly methods: readonly string[];
  /** Innermost type of the resource that the path names. */
  readonly type: string;
  /** Azure's code and part of its message; only for a cause without its own code. */
  readonly vague?: { readonly code: string; readonly message: RegExp };
  readonly actual: FailureCode;
}

/** Codes of Azure whose cause depends on the request. */
const byRequest: readonly Rule[] = [
  {
    found: "ARO-AUTHZ-001",
    methods: ["PUT", "DELETE"],
    type: "Microsoft.Authorization/roleAssignments",
    actual: "ARO-AUTHZ-002",
  },
  ...["publicIPAddresses", "publicIPPrefixes"].map((type): Rule => ({
    found: "ARO-SUB-006",
    methods: ["PUT"],
    type: `Microsoft.Network/${type}`,
    actual: "ARO-SUB-007",
  })),
  {
    // The only rule that depends on a message: for this cause, private DNS has no code but BadRequest, which it also has for every malformed
    // link. Without the message, the advice would be to correct the request. If Azure rewords it, the failure is ARO-AZURE-001 with that text.
    found: "ARO-AZURE-001",
    methods: ["PUT"],
    type: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
    vague: { code: "BadRequest", message: /^A virtual network cannot be linked to multiple zones with overlapping namespaces\b/ },
    actual: "ARO-DNS-003",
  },
];

/** Never throws: an unknown error maps to ARO-AZURE-001. `code` is the innermost code of the response, or Node's code of a failed connection. */
export function failureCodeFor({ status, code, message }: AzureDetail, request?: FailedRequest): FailureCode {
  const found = (code === undefined ? undefined : byAzureCode.get(code.toLowerCase())) ?? fallback(status);
  const type = request && typeIn(request.url);
  const rule = byRequest.find(
    (one) =>
      one.found === found &&
      one.type.toLowerCase() === type &&
      one.methods.some((method) => method === request?.method) &&
      (one.vague === undefined || (one.vague.code === code && one.vague.message.test(message ?? ""))),
  );
  return rule?.actual ?? found;
}

/** ".../providers/Microsoft.Network/privateDnsZones/z/virtualNetworkLinks/l" is of type "microsoft.network/privatednszones/virtualnetworklinks". */
function typeIn(url: string): string | undefined {
  const [path = ""] = url.toLowerCase().split("?");
  const [namespace, ...words] = path.split("/providers/").at(-1)?.split("/") ?? [];
  return namespace === undefined ? undefined : [namespace, ...words.filter((_, index) => index % 2 === 0)].join("/");
}

function fallback(status: number | undefined): FailureCode {
  if (status !== undefined && status >= 500) return "ARO-AZURE-002";
  return (status === undefined ? undefined : byStatus.get(status)) ?? "ARO-AZURE-001";
}
