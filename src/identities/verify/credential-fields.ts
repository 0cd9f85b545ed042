/** Reads the fields of a credential's JSON as HyperShift's loader (Azure/msi-dataplane) does, and checks them. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { CloudProfile } from "../../azure/cloud.js";
import { parseJsonObject } from "../../text/json.js";
import { plural } from "../../text/plural.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import type { SetAdvice } from "./advice.js";
import type { ControlPlaneEntry } from "./chain.js";
import { bytesInBase64 } from "./credential-content.js";
import { sameText } from "../../text/same-text.js";

/** The fields, unparsed; `clientSecret` contains a private key. */
export interface CredentialFields {
  readonly endpoint: string;
  readonly clientId: string;
  readonly tenantId: string;
  readonly clientSecret: string;
  readonly notBefore: string;
  /** The loader does not read the following fields. */
  readonly notAfter: string | undefined;
  readonly renewAfter: string | undefined;
  readonly cannotRenewAfter: string | undefined;
}

export type SecretObject = Readonly<Record<string, unknown>>;

/** The CSI driver decodes the value, and the pod reads JSON. Never quotes the value. */
export function decoded(
  value: string,
  { encoding, secretName }: Pick<ControlPlaneEntry, "encoding" | "secretName">,
  advice: Pick<SetAdvice, "rewriteSecret">,
): Finding<SecretObject> {
  const object = parseJsonObject(textIn(value, encoding) ?? "");
  if (object !== undefined) return passed(`a JSON object with ${plural(Object.keys(object).length, "field")}, in ${encoding}`, object);
  const fits = (["utf-8", "base64", "hex"] as const).find((other) => parseJsonObject(textIn(value, other) ?? ""));
  if (fits !== undefined) {
    return failed(
      `the value is JSON in ${fits}, but objectEncoding in the file is ${encoding}`,
      advise`set objectEncoding to "${fits}" in the file; ${shell`hypershift create cluster azure`} always uses utf-8`,
    );
  }
  const what = /-----BEGIN /.test(value) ? "PEM" : value.trim() === "" ? "empty" : "not a JSON object";
  return failed(`the value is ${what} (${plural(value.length, "character")})`, advice.rewriteSecret(secretName));
}

/** Decodes as the CSI driver does; undefined if the driver would reject the value. */
function textIn(value: string, encoding: ControlPlaneEntry["encoding"]): string | undefined {
  if (encoding === "utf-8") return value;
  return (encoding === "hex" ? bytesInHex(value) : bytesInBase64(value))?.toString("utf8");
}

/** Decodes as Go's encoding/hex does. */
function bytesInHex(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, "hex") : undefined;
}

const required = ["authentication_endpoint", "client_id", "tenant_id", "client_secret", "not_before"] as const;

/** Go's decoder ignores case, but requires the underscores. */
export function fieldsIn(value: SecretObject, next: Advice): Finding<CredentialFields> {
  const text = (name: string): string | undefined => {
    const found = Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof found === "string" && found !== "" ? found : undefined;
  };
  const missing = required.filter((name) => text(name) === undefined);
  if (missing.length > 0) {
    const camel = Object.keys(value).filter((key) => missing.some((name) => name.replaceAll("_", "") === key.toLowerCase()));
    return failed(
      `missing or empty: ${missing.join(", ")}${camel.length > 0 ? `; pods do not read names in camel case: ${camel.join(", ")}` : ""}`,
      next,
    );
  }
  const [endpoint = "", clientId = "", tenantId = "", clientSecret = "", notBefore = ""] = required.map(text);
  return passed("all five are present", {
    endpoint,
    clientId,
    tenantId,
    clientSecret,
    notBefore,
    notAfter: text("not_after"),
    renewAfter: text("renew_after"),
    cannotRenewAfter: text("cannot_renew_after"),
  });
}

export function checkIdentity(
  { clientId, tenantId }: Pick<CredentialFields, "clientId" | "tenantId">,
  expected: Pick<CredentialFields, "clientId" | "tenantId">,
  next: Advice,
): Finding<unknown> {
  const differing = [
    ...(sameText(clientId, expected.clientId) ? [] : [`client_id is ${clientId}, but ${expected.clientId} in the file`]),
    ...(sameText(tenantId, expected.tenantId) ? [] : [`tenant_id is ${tenantId}, but ${expected.tenantId} in the file`]),
  ];
  if (differing.length === 0) return passed(`client ID ${clientId} in tenant ${tenantId}`);
  return failed(`${differing.join("; ")}: pods would sign in as another identity`, next);
}

export function checkEndpoint({ endpoint }: CredentialFields, { authorityHost, name }: CloudProfile, next: Advice): Finding<unknown> {
  if (endpoint.replace(/\/+$/, "").toLowerCase() === authorityHost) return passed(endpoint);
  return failed(`authentication_endpoint is ${endpoint}, but ${name} uses ${authorityHost}/`, next);
}

/** Go's time.RFC3339: seconds, Z or an offset, a valid day of the month, and no hour 24, which Date would accept. */
export function isRfc3339(text: string): boolean {
  const [, local = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const read = new Date(`${local}Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(local);
}
