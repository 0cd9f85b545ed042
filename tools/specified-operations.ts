/** The emulator's operations that Azure's published descriptions have, in some version. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { recordTypes } from "../src/emulator/arm/types/dns/record-types.js";
import { operationOf } from "./fidelity-operations.js";

export function specifiedOperations(directory: string): ReadonlySet<string> {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".json") && !file.includes(`${path.sep}examples${path.sep}`),
  );
  return new Set(files.flatMap((file) => operationsIn(JSON.parse(readFileSync(path.join(directory, file), "utf8")) as Description)));
}

interface Description {
  /** By template, then by method in lower case. */
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function operationsIn({ paths = {} }: Description): string[] {
  return Object.entries(paths).flatMap(([template, methods]) =>
    pathsOf(template).flatMap((one) => Object.keys(methods).flatMap((method) => operationOf(method.toUpperCase(), one) ?? [])),
  );
}

/** One template describes the record sets of all types. */
function pathsOf(template: string): string[] {
  return template.includes("{recordType}") ? recordTypes("public").map(({ name }) => template.replace("{recordType}", name)) : [template];
}
