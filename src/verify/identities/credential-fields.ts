/** The fields of a credential's JSON, read as HyperShift's loader does (Azure/msi-dataplane), and what they must agree with. Pure. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { CloudProfile } from "../../azure/cloud.js";
import { parseJsonObject } from "../../text/json.js";
import { broken, holds, type Finding } from "../check.js";
import type { SetAdvice } from "./advice.js";
import type { ControlPlaneEntry } from "./chain.js";
import { bytesInBase64, bytesInHex } from "./go-decoding.js";

/** Texts as they are in the value; `clientSecret` holds a private key. */
export interface CredentialFields {
  readonly endpoint: string;
  readonly clientId: string;
  readonly tenantId: string;
  readonly clientSecret: string;
  readonly notBefore: string;
  /** The loader does not read these. */
  readonly notAfter: string | undefined;
  readonly renewAfter: string | undefined;
  readonly cannotRenewAfter: string | undefined;
}

export type SecretObject = Readonly<Record<string, unknown>>;

/** The CSI driver decodes, the pod reads JSON. Nothing of the value is quoted. */
export function decoded(
  value: string,
  { encoding, secretName }: Pick<ControlPlaneEntry, "encoding" | "secretName">,
  advice: Pick<SetAdvice, "writeAgain">,
): Finding<SecretObject> {
  const object = parseJsonObject(textIn(value, encoding) ?? "");
  if (object !== undefined) return holds(`a JSON object of ${String(Object.keys(object).length)} fields, in ${encoding}`, object);
  const fits = (["utf-8", "base64", "hex"] as const).find((other) => parseJsonObject(textIn(value, other) ?? ""));
  if (fits !== undefined) {
    return broken(
      `the value is JSON in ${fits}, and the file says ${encoding}`,
      advise`put objectEncoding "${fits}" into the file; ${shell`hypershift create cluster azure`} always uses utf-8`,
    );
  }
  const what = /-----BEGIN /.test(value) ? "PEM" : value.trim() === "" ? "empty" : "no JSON object";
  return broken(`the value is ${what} (${String(value.length)} characters)`, advice.writeAgain(secretName));
}

/** As the CSI driver decodes it; undefined where it would refuse. */
function textIn(value: string, encoding: ControlPlaneEntry["encoding"]): string | undefined {
  if (encoding === "utf-8") return value;
  return (encoding === "hex" ? bytesInHex(value) : bytesInBase64(value))?.toString("utf8");
}

const required = ["authentication_endpoint", "client_id", "tenant_id", "client_secret", "not_before"] as const;

/** Go's decoder takes any casing, but no missing underscore. */
export function fieldsIn(value: SecretObject, next: Advice): Finding<CredentialFields> {
  const text = (name: string): string | undefined => {
    const found = Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
    return typeof found === "string" && found !== "" ? found : undefined;
  };
  const missing = required.filter((name) => text(name) === undefined);
  if (missing.length > 0) {
    const camel = Object.keys(value).filter((key) => missing.some((name) => name.replaceAll("_", "") === key.toLowerCase()));
    return broken(
      `missing or empty: ${missing.join(", ")}${camel.length > 0 ? `; ${camel.join(", ")} are in camel case, which pods do not read` : ""}`,
      next,
    );
  }
  const [endpoint = "", clientId = "", tenantId = "", clientSecret = "", notBefore = ""] = required.map(text);
  return holds("all five are there", {
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
    ...(same(clientId, expected.clientId) ? [] : [`client_id is ${clientId}, the file says ${expected.clientId}`]),
    ...(same(tenantId, expected.tenantId) ? [] : [`tenant_id is ${tenantId}, the file says ${expected.tenantId}`]),
  ];
  if (differing.length === 0) return holds(`client ${clientId} in tenant ${tenantId}`);
  return broken(`${differing.join("; ")}: pods would sign in as somebody else`, next);
}

export function checkEndpoint({ endpoint }: CredentialFields, { authorityHost, name }: CloudProfile, next: Advice): Finding<unknown> {
  if (endpoint.replace(/\/+$/, "").toLowerCase() === authorityHost) return holds(endpoint);
  return broken(`authentication_endpoint is ${endpoint}; that of ${name} is ${authorityHost}/`, next);
}

/** As Go's time.RFC3339: with seconds, and Z or an offset; no day that its month does not have, and no hour 24, which Date takes for the next. */
export function isRfc3339(text: string): boolean {
  const [, local = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const read = new Date(`${local}Z`);
  return !Number.isNaN(Date.parse(text)) && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(local);
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
