/** Checks every result that a run of a test prints as JSON, and its events, against the committed schemas. */
import { readFileSync, statSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { resultSchemaName, resultSchemas } from "../../src/cli/json-schemas.js";
import { parseJsonObject } from "../../src/text/json.js";

const validators = new Map<string, ValidateFunction>();

/** Of the committed schema with that name. Members that it does not name are mistakes here, although readers ignore them. */
export function strictValidator(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const schema = JSON.parse(readFileSync(new URL(`../../schemas/${name}.json`, import.meta.url), "utf8")) as object;
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

const known = await resultSchemas();

interface PrintedRun {
  readonly args: readonly string[];
  readonly stdout: string;
}

/** @throws Error if a document or an event does not have the form that its schema says */
export function checkPrintedDocuments({ args, stdout }: PrintedRun): void {
  const name = resultSchemaIn(args, parseJsonObject(stdout));
  if (name !== undefined) check(name, parseJsonObject(stdout));
  const at = args.indexOf("--output-events");
  const file = at < 0 ? undefined : args[at + 1];
  if (file === undefined) return;
  for (const line of eventLines(file, stdout)) check("events", line);
}

function resultSchemaIn(args: readonly string[], document: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (document === undefined) return undefined;
  if (args[0] === "local" && args[1] === "status") return resultSchemaName("local status");
  // Of a command line without a command, any schema has the form: that of a failure.
  const { command = "create infra", ok } = document;
  return ok !== undefined && typeof command === "string" && known.has(command) ? resultSchemaName(command) : undefined;
}

/** Without what a test wrote, and without the last line of a process that was killed, which may be torn. */
function eventLines(file: string, stdout: string): object[] {
  const text = file === "-" ? stdout : statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
  return text.split("\n").flatMap((line): object[] => {
    const event = parseJsonObject(line);
    return event === undefined || !("at" in event) ? [] : [event];
  });
}

function check(name: string, document: unknown): void {
  const validate = strictValidator(name);
  if (validate(document)) return;
  const problems = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ""} ${JSON.stringify(error.params)}`);
  throw new Error(`does not fit schemas/${name}.json:\n${[...new Set(problems)].join("\n")}\n${JSON.stringify(document, undefined, 2)}`);
}
