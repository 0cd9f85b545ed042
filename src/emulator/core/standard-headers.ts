/** The headers of every answer of a host, as recorded from Azure with invented machine names. */
import type { ApiRequest } from "./service.js";

type Headers = Readonly<Record<string, string>>;

/** `now` in epoch milliseconds. */
export function standardHeaders(request: ApiRequest, requestId: string, now: number): Record<string, string> {
  const clientRequestId = request.headers["x-ms-client-request-id"];
  return {
    ...(clientRequestId !== undefined && { "x-ms-client-request-id": clientRequestId }),
    "x-ms-request-id": requestId,
    ...ofHost(request, requestId, now),
  };
}

const security = { "strict-transport-security": "max-age=31536000; includeSubDomains", "x-content-type-options": "nosniff" };
const uncached = { "cache-control": "no-cache", pragma: "no-cache", expires: "-1", ...security };

function ofHost({ host, headers }: ApiRequest, requestId: string, now: number): Headers {
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
  if (host === "management.azure.com") {
    return {
      ...uncached,
      "x-ms-correlation-request-id": headers["x-ms-correlation-request-id"] ?? requestId,
      "x-ms-routing-request-id": `EASTUS2:${time.replace(/[-:]/g, "")}:${requestId}`,
      "x-cache": "CONFIG_NOCACHE",
      "x-msedge-ref": `Ref A: ${requestId.replaceAll("-", "").toUpperCase()} Ref B: BN1AA2051012023 Ref C: ${time}`,
    };
  }
  if (host === "graph.microsoft.com") {
    return {
      "cache-control": "no-cache",
      "strict-transport-security": "max-age=31536000",
      "request-id": requestId,
      "client-request-id": headers["client-request-id"] ?? requestId,
      "x-ms-ags-diagnostic":
        '{"ServerInfo":{"DataCenter":"East US 2","Slice":"E","Ring":"5","ScaleUnit":"000","RoleInstance":"BN1PEPF00000001"}}',
      "odata-version": "4.0",
    };
  }
  if (host === "login.microsoftonline.com") {
    return {
      "cache-control": "no-store, no-cache",
      pragma: "no-cache",
      expires: "-1",
      ...security,
      "x-ms-ests-server": "2.1.22000.1 - EUS ProdSlices",
      "x-ms-srs": "1.P",
      "x-xss-protection": "0",
      p3p: 'CP="DSP CUR OTPi IND OTRi ONL FIN"',
    };
  }
  if (host.endsWith(".vault.azure.net")) {
    return {
      ...uncached,
      "x-ms-keyvault-region": "eastus",
      "x-ms-keyvault-service-version": "1.9.2500.1",
      "x-ms-keyvault-network-info": "conn_type=Ipv4;addr=203.0.113.10;act_addr_fam=InterNetwork;",
    };
  }
  // A blob's answer has the cache control that the blob was given, or none.
  return {};
}

/** Names that are not title case, word by word. */
const spellings: Readonly<Record<string, string>> = {
  etag: "ETag",
  "azure-asyncoperation": "Azure-AsyncOperation",
  "azure-asyncnotification": "Azure-AsyncNotification",
  "www-authenticate": "WWW-Authenticate",
  "content-md5": "Content-MD5",
  "odata-version": "OData-Version",
  "x-msedge-ref": "X-MSEdge-Ref",
  "x-xss-protection": "X-XSS-Protection",
  p3p: "P3P",
  "request-id": "request-id",
  "client-request-id": "client-request-id",
  "retry-after-ms": "retry-after-ms",
};

/** A lower-case header name as Azure spells it: `Content-Type`, but `x-ms-request-id`. */
export function azureSpelling(name: string): string {
  if (name.startsWith("x-ms-")) return name;
  return spellings[name] ?? name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
