/** The JSON Schemas of every document: of files, of the configuration file, and of what each command prints with `--output json`. */
import { fileSchemas, jsonSchemaOf, resultJsonSchemaOf } from "../../files/json-schemas.js";
import { configJsonSchema } from "../../settings/config-schema.js";
import { resultSchemas } from "./result-schemas.js";

/** "create-infra-result": what `create infra --output json` prints. */
export function resultSchemaName(command: string): string {
  return `${command.replace(" ", "-")}-result`;
}

const schemas: ReadonlyMap<string, () => object> = new Map([
  ["config", configJsonSchema],
  ...Object.entries(fileSchemas).map(([name, schema]) => [name, () => jsonSchemaOf(schema)] as const),
  ...Object.entries(resultSchemas).map(([command, schema]) => [resultSchemaName(command), () => resultJsonSchemaOf(schema)] as const),
]);

export const schemaNames: readonly string[] = [...schemas.keys()];

/** Undefined for an unknown name. */
export function jsonSchemaNamed(name: string): object | undefined {
  return schemas.get(name)?.();
}
