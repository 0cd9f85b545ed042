/** Removes unused operation groups of the SDK's clients from the bundle, and the models that only those groups send. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "rolldown";

/** The operation groups to keep, by package. */
export type OperationGroups = Readonly<Record<string, readonly string[]>>;

/** `this.zones = new ZonesImpl(this);`, and in newer packages `this.vaults = _getVaultsOperations(this._client);`. */
const group = /^\s*this\.(\w+)\s*=\s*(?:new (\w+)\(this\)|_get\w+Operations\(this\._client\));\n/gm;

export function sdkOperationsPlugin(groups: OperationGroups): Plugin {
  const packages = Object.entries(groups);
  return {
    name: "sdk-operations",
    transform: {
      filter: { id: /\/node_modules\/@azure\/arm-[^/]+\/.*(?:Client|\/operations\/index|\/models\/mappers|\/models\/parameters)\.js$/ },
      handler(code, id) {
        const [name, kept] = packages.find(([each]) => id.includes(`/node_modules/${each}/`)) ?? [];
        if (name === undefined || kept === undefined) return undefined;
        const reduced = reduce(code, id, name, kept);
        // No source map: lines of generated code help nobody, and the map is smaller without them.
        return reduced === undefined ? undefined : { code: reduced, map: { mappings: "" } };
      },
    },
  };
}

function reduce(code: string, file: string, name: string, kept: readonly string[]): string | undefined {
  const folder = path.dirname(file);
  if (file.endsWith("Client.js")) return withGroups(code, name, kept);
  // Newer packages have neither mappers nor parameters, only functions, which the bundler can tree-shake.
  const used = inUse(path.dirname(folder), kept);
  if (used === undefined) return undefined;
  const { files, models, parameters } = used;
  if (path.basename(folder) === "operations") return files.map((each) => `export * from "./${each}";\n`).join("");
  return path.basename(file) === "mappers.js" ? withModels(code, name, models) : withParameters(code, parameters);
}

/** The client's file without its other groups. The bundler then removes what the file no longer uses. */
export function withGroups(code: string, name: string, kept: readonly string[]): string {
  const found = new Set<string>();
  const classes: string[] = [];
  const reduced = code.replace(group, (line, property: string, made: string | undefined) => {
    if (!kept.includes(property)) return "";
    found.add(property);
    if (made !== undefined) classes.push(made);
    return line;
  });
  // A new version of the SDK may look different; then adapt the pattern `group`.
  const missing = kept.filter((each) => !found.has(each));
  if (missing.length > 0) throw new Error(`${name}: the client has no operation group ${missing.join(", ")}`);
  return reduced.replace(/^import \{[^}]*\} from ("\.\/operations[^"]*");$/m, `import { ${classes.join(", ")} } from $1;`);
}

/** The operation files to keep, and the names of the models and parameters that they and the client refer to. `home` is the folder of the client's file. */
function inUse(home: string, kept: readonly string[]) {
  const parameterFile = path.join(home, "models", "parameters.js");
  if (!existsSync(parameterFile)) return undefined;
  const operations = path.join(home, "operations");
  const file = readdirSync(home).find((each) => each.endsWith("Client.js")) ?? "";
  const client = readFileSync(path.join(home, file), "utf8");
  const classes = [...client.matchAll(group)].flatMap(([, property = "", made]) => (kept.includes(property) && made ? [made] : []));
  const sources = readdirSync(operations)
    .filter((each) => each.endsWith(".js"))
    .map((each) => ({ each, code: readFileSync(path.join(operations, each), "utf8") }))
    .filter(({ code }) => classes.some((made) => code.includes(`class ${made} `)));
  const texts = [client, ...sources.map(({ code }) => code)];
  const named = (what: RegExp) => texts.flatMap((code) => [...code.matchAll(what)].map(([, name = ""]) => name));
  const parameters = new Set(named(/\bParameters\.([$\w]+)/g));
  const declared = declarations(readFileSync(parameterFile, "utf8"));
  const sent = [...declared].flatMap(([name, code]) => (parameters.has(name) ? mappersIn(code) : []));
  return { files: sources.map(({ each }) => each), models: new Set([...named(/\bMappers\.(\w+)/g), ...sent]), parameters };
}

/** `mapper: ZoneMapper` refers to the model Zone. */
function mappersIn(code: string): string[] {
  return [...code.matchAll(/\bmapper: (\w+)Mapper\b/g)].map(([, model = ""]) => model);
}

/** The exported objects of a file, by name, in order. */
function declarations(code: string): Map<string, string> {
  return new Map([...code.matchAll(/^export (?:const|let) ([$\w]+) = \{\n[^]*?^\};\n/gm)].map(([text, name = ""]) => [name, text]));
}

export function withParameters(code: string, wanted: ReadonlySet<string>): string {
  const kept = [...declarations(code)].flatMap(([name, text]) => (wanted.has(name) ? [text] : []));
  const mappers = [...new Set(kept.flatMap(mappersIn))].map((model) => `${model} as ${model}Mapper`);
  return `import { ${mappers.join(", ")} } from "./mappers.js";\n${kept.join("")}`;
}

/** Keeps the wanted models and those that they refer to. The serializer finds models by name, so the bundler cannot see which are used. */
export function withModels(code: string, name: string, wanted: ReadonlySet<string>): string {
  const models = declarations(code);
  const discriminators = models.get("discriminators") ?? "";
  models.delete("discriminators");
  // A line is `"Parent.kind": Child`, or `Parent: Parent` for the parent itself.
  const lines = [...discriminators.matchAll(/^\s*"?(\w+)(?:\.[^"]+)?"?: (\w+),?$/gm)];
  const kinds = lines.map(([line, parent = "", child = ""]) => ({ line: line.replace(/,?$/, ","), parent, child }));
  const kept = new Set<string>();
  const keep = (model: string) => {
    const text = models.get(model);
    if (text === undefined) throw new Error(`${name}: model ${model} not found`);
    if (kept.has(model)) return;
    kept.add(model);
    for (const [, referred = ""] of text.matchAll(/className: "(\w+)"/g)) if (models.has(referred)) keep(referred);
    for (const [, referred = ""] of text.matchAll(/\b(\w+)\.type\b/g)) if (models.has(referred)) keep(referred);
    for (const { parent, child } of kinds) if (parent === model) keep(child);
  };
  for (const model of wanted) keep(model);
  const reduced = [...models].flatMap(([model, text]) => (kept.has(model) ? [text] : []));
  const ofKept = kinds.filter(({ child }) => kept.has(child)).map(({ line }) => line);
  if (ofKept.length > 0) reduced.push("export const discriminators = {\n", ...ofKept.map((line) => `${line}\n`), "};\n");
  return reduced.join("");
}
