/** The types of the package: declarations of what it exports, with the settings and results of each command generated from their tables. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { compile } from "json-schema-to-typescript";
import ts from "typescript";
import { z } from "zod";
import { resultSchemas } from "../../src/cli/json-schemas.js";
import { eventSchema } from "../../src/files/event-schema.js";
import { failureSchema } from "../../src/files/results/parts.js";
import { libraryCommands, libraryOptionsOf } from "../../src/library/commands.js";
import { optionSchema } from "../../src/settings/config-schema.js";

type Schema = Readonly<Record<string, unknown>>;

/** Declared as written. */
const sources = ["library/index", "library/run", "library/error", "emulator/embedded"];

/** Pairs of a path below `dist/types` and its text. */
export async function libraryTypes(root: string): Promise<readonly (readonly [string, string])[]> {
  return [
    // The declarations describe CommonJS modules, in a package of ES modules.
    ["package.json", '{ "type": "commonjs" }\n'],
    ...sources.map((source) => [`${source}.d.ts`, declarationsOf(path.join(root, "src", `${source}.ts`))] as const),
    ["library/types.d.ts", await generatedTypes()],
  ];
}

function declarationsOf(file: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(file, "utf8"), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, stripInternal: true },
  });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(first.messageText, "\n")}`);
  return outputText;
}

async function generatedTypes(): Promise<string> {
  const results = await resultSchemas();
  const definitions: Record<string, unknown> = {};
  const withoutDefinitions = (schema: z.ZodType): Schema => {
    const { $defs, $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
    Object.assign(definitions, $defs);
    return rest;
  };
  const commands = libraryCommands.map((command) => {
    const result = results.get(command);
    const title = command.replaceAll(/(?:^|[ -])(\w)/g, (_whole, letter: string) => letter.toUpperCase());
    const shape = {
      settings: { ...settingsSchema(command), title: `${title}Settings` },
      result: result === undefined ? { type: "string" } : { ...withoutDefinitions(result), title: `${title}Result` },
    };
    return [command, closed(shape)] as const;
  });
  const members = {
    Commands: closed(Object.fromEntries(commands)),
    Event: withoutDefinitions(eventSchema),
    Failure: withoutDefinitions(failureSchema),
  };
  const titled = Object.fromEntries(Object.entries(members).map(([title, schema]) => [title, { ...schema, title }]));
  const schema = { ...closed(titled), title: "Types", $defs: definitions };
  return compile(schema, "Types", { bannerComment: "", additionalProperties: false, format: false });
}

function settingsSchema(command: (typeof libraryCommands)[number]): Schema {
  const options = libraryOptionsOf(command);
  const required = options.filter(({ isRequired, orElse }) => isRequired && orElse === undefined).map(({ key }) => key);
  const properties = Object.fromEntries(options.map((option) => [option.key, optionSchema(option)]));
  return { type: "object", properties, required, additionalProperties: false };
}

function closed(properties: Schema): Schema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
