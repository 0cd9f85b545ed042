/** The JSON Schemas of all files, of the configuration file and of each `--output json`. */
import { type ZodType, z } from "zod";
import { features } from "../features.js";
import { configJsonSchema } from "../settings/config-schema.js";
import { failuresSchema } from "../files/results/parts.js";

/** "create-infra-result": what `create infra --output json` prints. */
export function resultSchemaName(command: string): string {
  return `${command.replaceAll(" ", "-")}-result`;
}

/** The schemas of all commands with `--output`, by the name of the command. */
export async function resultSchemas(): Promise<ReadonlyMap<string, ZodType>> {
  return new Map((await documents()).flatMap((own) => ("results" in own ? Object.entries(own.results) : [])));
}

/** The schemas by name, each generated when it is called. */
export async function jsonSchemas(): Promise<ReadonlyMap<string, () => object>> {
  const own = (await documents()).flatMap((one) =>
    "jsonSchemas" in one ? Object.entries(one.jsonSchemas as Readonly<Record<string, () => object>>) : [],
  );
  const files = (await documents()).flatMap((own) => ("files" in own ? Object.entries<ZodType>(own.files) : []));
  return new Map([
    ["config", configJsonSchema],
    ...own,
    ...files.map(([name, schema]) => [name, () => jsonSchemaOf(schema)] as const),
    ...[...(await resultSchemas())].map(([command, schema]) => [resultSchemaName(command), () => resultJsonSchemaOf(schema)] as const),
  ]);
}

function documents() {
  return Promise.all(features.map((feature) => feature.documents()));
}

/** The schema for reading a document: members that it does not name are accepted where we may add some. */
function jsonSchemaOf(schema: z.ZodType): object {
  // A union has no type of its own, but editors and other programs look for one.
  return { type: "object", ...z.toJSONSchema(schema, { io: "input" }) };
}

/** The same of the result of a command, which prints only failures if it has no result. */
function resultJsonSchemaOf(result: z.ZodType): object {
  return jsonSchemaOf(z.union([result, failuresSchema]));
}
