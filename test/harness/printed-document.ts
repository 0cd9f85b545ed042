/** Checks every document that a run of a test prints with `--output json` against the committed schema of its command. */
import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { resultSchemaName } from "../../src/cli/outputs/json-schemas.js";
import { resultSchemas } from "../../src/cli/outputs/result-schemas.js";
import { parseJsonObject } from "../../src/text/json.js";

const validators = new Map<string, ValidateFunction>();

/** Of the committed schema with that name. Members that it does not name are mistakes here, although readers ignore them. */
export function strictValidator(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const schema = JSON.parse(readFileSync(`schemas/${name}.json`, "utf8")) as object;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(strict(schema) as object);
  validators.set(name, validate);
  return validate;
}

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

/** @throws Error if a document does not have the form that the schema of its command says */
export function checkPrintedDocument(stdout: string): void {
  const document = parseJsonObject(stdout);
  const command = document?.["command"];
  if (document === undefined || typeof command !== "string" || !("ok" in document) || !Object.hasOwn(resultSchemas, command)) return;
  const name = resultSchemaName(command);
  const validate = strictValidator(name);
  if (validate(document)) return;
  const problems = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ""} ${JSON.stringify(error.params)}`);
  throw new Error(`the result does not fit schemas/${name}.json:\n${[...new Set(problems)].join("\n")}\n${stdout}`);
}
