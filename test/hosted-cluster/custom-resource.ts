/** Validates manifests as the API server validates a new object: defaults, schema, then the CEL rules of the CustomResourceDefinition. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Environment } from "@marcbachmann/cel-js";
import { Ajv, type SchemaObject } from "ajv";
import { load } from "js-yaml";

/** A structural schema (apiextensions.k8s.io/v1). */
interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-validations"?: readonly { readonly rule: string; readonly message?: string }[];
}

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

/** HyperShift's published CRDs, in the folder that `.ci/run` and `npm run replay` use too, or in the folder of that variable. */
const folder = process.env["ARO_HCP_TEST_CRDS"] ?? path.resolve(import.meta.dirname, "../../../shared/crds");
export const hasPublishedTypes = existsSync(folder);

export type Problems = (manifest: object) => readonly string[];

export async function publishedType(file: string): Promise<Problems> {
  return problemsBy(load(await readFile(path.join(folder, file), "utf8")) as Definition);
}

/** The returned function lists the problems of a manifest, and none if the API server would accept it as a new object. */
export function problemsBy(definition: Definition): Problems {
  const schema = definition.spec.versions[0]?.schema.openAPIV3Schema ?? {};
  // Patterns are RE2's, without JavaScript's Unicode rules.
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false });
  const validate = ajv.compile(strict(schema));
  return (manifest) => {
    const object = defaulted(schema, structuredClone(manifest));
    if (!validate(object)) return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
    return brokenRules(schema, object, "");
  };
}

/** The API server drops unknown fields. Here they are errors: they would have no effect. */
function strict(schema: Schema): SchemaObject {
  const { properties, items, additionalProperties, default: _default, ...others } = schema;
  if (schema["x-kubernetes-int-or-string"] === true) return { type: ["integer", "string"] };
  const isClosed =
    properties !== undefined && schema["x-kubernetes-preserve-unknown-fields"] !== true && additionalProperties === undefined;
  return {
    ...others,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, strict(child)])) }),
    ...(items && { items: strict(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: strict(additionalProperties) }),
    ...(isClosed && { additionalProperties: false }),
  };
}

/** The value with the defaults of absent fields, as the API server stores it. */
function defaulted(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => defaulted(schema.items ?? {}, item));
  if (typeof value !== "object" || value === null) return value;
  const object: Record<string, unknown> = { ...value };
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    if (object[key] === undefined && child.default !== undefined) object[key] = structuredClone(child.default);
    if (object[key] !== undefined) object[key] = defaulted(child, object[key]);
  }
  return object;
}

const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false });
environment
  .registerType("net.URL", { ctor: URL, fields: {} })
  .registerFunction("isURL(string): bool", (text: string) => URL.canParse(text))
  .registerFunction("url(string): net.URL", (text: string) => new URL(text))
  .registerFunction("net.URL.getScheme(): string", (url: URL) => url.protocol.slice(0, -1));

/** A rule about `oldSelf` applies to updates only. @throws Error for a rule that cannot be evaluated */
function brokenRules(schema: Schema, value: unknown, at: string): readonly string[] {
  const rules = (schema["x-kubernetes-validations"] ?? []).filter(({ rule }) => !/\boldSelf\b/.test(rule));
  const broken = rules
    .filter(({ rule }) => environment.evaluate(rule, { self: inCel(value) }) !== true)
    .map(({ rule, message }) => `${at} ${message ?? rule}`);
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const childOf = (key: string) => {
    if (Array.isArray(value)) return schema.items;
    return schema.properties?.[key] ?? (typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined);
  };
  return [...broken, ...entries.flatMap(([key, child]) => brokenRules(childOf(key) ?? {}, child, `${at}/${key}`))];
}

/** CEL's integers are BigInts. */
function inCel(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(inCel);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inCel(child)]));
}
