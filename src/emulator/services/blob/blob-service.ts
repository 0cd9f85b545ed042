/** The blob service of an account as a whole: its properties, what the account is, and the key that signs for a principal. */
import { keyOf } from "../../arm/resource-id.js";
import { defaultBlobService } from "../../arm/types/storage/services.js";
import type { Answer } from "../../core/service.js";
import { childOf, element, leaf, parseXml, xmlHead, type XmlElement } from "../../common/xml.js";
import { xmlType, type BlobCall } from "./blob-call.js";
import { delegationKey } from "./shared-access-signature.js";
import { invalidXmlDocument, invalidXmlNodeValue, notAuthenticated, notEmulated } from "./errors.js";

interface CorsRule {
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly maxAgeInSeconds: number;
  readonly exposedHeaders: readonly string[];
  readonly allowedHeaders: readonly string[];
}

/** Only CORS rules can be set; everything else is off. */
export function getServiceProperties({ call, account }: BlobCall): Answer {
  const stored = call.state.resources[keyOf(`${account.id}/blobServices/default`)] ?? defaultBlobService(account.id);
  const { corsRules = [] } = (stored.properties["cors"] ?? {}) as { corsRules?: CorsRule[] };
  const off = (name: string, inner: string[] = []) =>
    element(name, [leaf("Version", "1.0"), leaf("Enabled", false), ...inner, retention()]);
  const body = element("StorageServiceProperties", [
    element("Logging", [leaf("Version", "1.0"), leaf("Read", false), leaf("Write", false), leaf("Delete", false), retention()]),
    off("HourMetrics"),
    off("MinuteMetrics"),
    element("Cors", corsRules.map(corsElement)),
    element("DeleteRetentionPolicy", [leaf("Enabled", false)]),
    element("StaticWebsite", [leaf("Enabled", false)]),
  ]);
  return { status: 200, headers: xmlType, body: xmlHead + body };
}

const retention = (): string => element("RetentionPolicy", [leaf("Enabled", false)]);

function corsElement(rule: CorsRule): string {
  return element("CorsRule", [
    leaf("AllowedOrigins", rule.allowedOrigins.join(",")),
    leaf("AllowedMethods", rule.allowedMethods.join(",")),
    leaf("AllowedHeaders", rule.allowedHeaders.join(",")),
    leaf("ExposedHeaders", rule.exposedHeaders.join(",")),
    leaf("MaxAgeInSeconds", rule.maxAgeInSeconds),
  ]);
}

/** CORS rules are kept. What is switched on of the rest is refused by name; a default version is accepted, for answers do not depend on it. */
export function setServiceProperties({ call, account, body }: BlobCall): Answer {
  const root = parseXml(body.toString());
  if (root?.name !== "StorageServiceProperties") throw invalidXmlDocument();
  for (const property of root.children) {
    const on = switchedOn(property);
    if (on !== undefined) throw notEmulated(`${on} of the service properties`);
  }
  const cors = childOf(root, "Cors");
  const key = keyOf(`${account.id}/blobServices/default`);
  const stored = call.state.resources[key] ?? defaultBlobService(account.id);
  if (cors !== undefined) stored.properties["cors"] = { corsRules: cors.children.map(readCorsRule) };
  call.state.resources[key] = stored;
  return { status: 202 };
}

const known = ["Logging", "HourMetrics", "MinuteMetrics", "Cors", "DefaultServiceVersion", "DeleteRetentionPolicy", "StaticWebsite"];

/** Undefined where nothing of the property is. */
function switchedOn({ name, children }: XmlElement): string | undefined {
  if (!known.includes(name)) return name;
  const flags = ["Enabled", "Read", "Write", "Delete"];
  return children.some((child) => flags.includes(child.name) && child.text.toLowerCase() === "true") ? name : undefined;
}

function readCorsRule(rule: XmlElement): CorsRule {
  const list = (name: string) => (childOf(rule, name)?.text ?? "").split(",").filter((one) => one !== "");
  const age = childOf(rule, "MaxAgeInSeconds")?.text ?? "";
  if (!/^\d+$/.test(age)) throw invalidXmlNodeValue("MaxAgeInSeconds", age);
  return {
    allowedOrigins: list("AllowedOrigins"),
    allowedMethods: list("AllowedMethods"),
    maxAgeInSeconds: Number(age),
    exposedHeaders: list("ExposedHeaders"),
    allowedHeaders: list("AllowedHeaders"),
  };
}

export function getAccountInformation({ account }: BlobCall): Answer {
  const kind = account.beside?.["kind"];
  const sku = account.sku?.["name"];
  return {
    status: 200,
    headers: {
      "x-ms-sku-name": typeof sku === "string" ? sku : "Standard_LRS",
      "x-ms-account-kind": typeof kind === "string" ? kind : "StorageV2",
      "x-ms-is-hns-enabled": "false",
    },
  };
}

const week = 7 * 24 * 3600_000;

export function getUserDelegationKey({ call, principal, headers, body }: BlobCall): Answer {
  if (principal === undefined) throw notAuthenticated("NoAuthenticationInformation", call.state.tenantId);
  const root = parseXml(body.toString());
  if (root?.name !== "KeyInfo") throw invalidXmlDocument();
  const start = time(root, "Start") ?? call.now;
  const expiry = time(root, "Expiry");
  if (expiry === undefined || expiry <= call.now || expiry > call.now + week || start > expiry) {
    throw invalidXmlNodeValue("Expiry", childOf(root, "Expiry")?.text ?? "");
  }
  const key = {
    oid: principal,
    tid: call.state.tenantId,
    start: seconds(start),
    expiry: seconds(expiry),
    version: headers["x-ms-version"] ?? "2020-02-10",
  };
  return {
    status: 200,
    headers: xmlType,
    body:
      xmlHead +
      element("UserDelegationKey", [
        leaf("SignedOid", key.oid),
        leaf("SignedTid", key.tid),
        leaf("SignedStart", key.start),
        leaf("SignedExpiry", key.expiry),
        leaf("SignedService", "b"),
        leaf("SignedVersion", key.version),
        leaf("Value", delegationKey(call.state, key)),
      ]),
  };
}

function time(root: XmlElement, name: string): number | undefined {
  const text = childOf(root, name)?.text ?? "";
  if (text === "") return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw invalidXmlNodeValue(name, text);
  return milliseconds;
}

const seconds = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
