/** Reads a YAML or JSON file with line numbers, and quotes none of its content, which may be secret. */
import { isMap, isNode, isScalar, isSeq, LineCounter, type Document as YamlDocument, type YAMLMap, visit } from "yaml";
import { Failure } from "../errors/failure.js";
import { readInputFile } from "./input-file.js";
import { parseYaml, yamlProblem } from "./parse-yaml.js";
import type { JsonFault } from "./json-fault.js";
import { reasonOf } from "../text/system-code.js";

export interface ReadDocument {
  readonly path: string;
  readonly value: unknown;
  /** Permission bits of the file. */
  readonly mode: number;
  /** `file:line` of the value under these keys, or of its nearest ancestor in the file. */
  at(keys: readonly PropertyKey[]): string;
}

/** None of our documents is nearly as large; a larger file is a wrong file. */
const maxBytes = 1024 * 1024;

/** @throws ARO-FILE-001 if the file cannot be read, ARO-FILE-002 if it is empty, too large or not well-formed */
export async function readDocument(path: string, limit = maxBytes): Promise<ReadDocument> {
  const { text, mode } = await readText(path, limit);
  const lines = new LineCounter();
  // JSON is YAML.
  const parsed = parseYaml(text, lines);
  if (parsed === undefined) throw malformed(path, "is nested too deeply");
  const { document: yaml, error } = parsed;
  const json = error !== undefined && /^[\s\ufeff]*[{[]/.test(text) ? await jsonFault(text) : undefined;
  if (json !== undefined) {
    const { line, col } = lines.linePos(json.offset);
    throw malformed(`${path}:${line}`, `is not well-formed JSON: ${json.problem} at column ${col}`);
  }
  const offset = error?.offset ?? duplicateKeyIn(yaml);
  if (offset !== undefined) {
    throw malformed(
      `${path}:${lines.linePos(offset).line}`,
      `is not well-formed YAML or JSON: ${yamlProblem(error?.code ?? "DUPLICATE_KEY")}`,
    );
  }
  const value = toValue(yaml, path);
  if (value === null || value === undefined) throw malformed(path, "is empty");
  const offsetOf = offsetFinder(yaml);
  return {
    path,
    value,
    mode,
    at(keys) {
      const offset = offsetOf(keys);
      return offset === undefined ? path : `${path}:${lines.linePos(offset).line}`;
    },
  };
}

async function readText(path: string, limit: number): Promise<{ text: string; mode: number }> {
  const file = await readInputFile(path, limit);
  if (file === undefined) throw new Failure("ARO-FILE-001", `cannot read ${path}: ${reasonOf("ENOENT")}`);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(file.bytes), mode: file.mode };
  } catch {
    throw malformed(path, "is not UTF-8 text");
  }
}

/** Loaded only where a document is at fault. */
async function jsonFault(text: string): Promise<JsonFault | undefined> {
  const { jsonFaultIn } = await import("./json-fault.js");
  return jsonFaultIn(text);
}

function toValue(yaml: YamlDocument, path: string): unknown {
  try {
    return yaml.toJS();
  } catch {
    // Thrown for aliases without anchor and for aliases that multiply beyond reason.
    throw malformed(path, "is not well-formed YAML or JSON (BAD_ALIAS)");
  }
}

/** Finds the value under some keys, or its nearest ancestor. A search through the parser's maps would look at every key. */
function offsetFinder({ contents }: YamlDocument): (keys: readonly PropertyKey[]) => number | undefined {
  const indexes = new Map<YAMLMap, ReadonlyMap<unknown, unknown>>();
  const child = (node: unknown, key: PropertyKey): unknown => {
    if (isSeq(node)) return node.items[Number(key)];
    if (!isMap(node)) return undefined;
    const index = indexes.get(node) ?? new Map(node.items.map((pair) => [isScalar(pair.key) ? pair.key.value : undefined, pair.value]));
    indexes.set(node, index);
    return index.get(String(key));
  };
  return (keys) => {
    let offset: number | undefined;
    let node: unknown = contents;
    for (const key of [undefined, ...keys]) {
      if (key !== undefined) node = child(node, key);
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    }
    return offset;
  };
}

function malformed(where: string, what: string): Failure {
  return new Failure("ARO-FILE-002", `${where} ${what}`);
}

/** Undefined if an output file does not exist or cannot be read: the run overwrites it. */
export async function undefinedIfUnusable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The offset of the first key that its map already contains. */
function duplicateKeyIn(yaml: YamlDocument): number | undefined {
  let offset: number | undefined;
  visit(yaml, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          offset = key.range?.[0];
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return offset;
}
