/**
 * Copies recorded traffic from standard input to standard output, without the members that Azure answers although its published
 * description does not have them. The types declare them.
 */
import { createInterface } from "node:readline";
import { emulatedTypes } from "../src/emulator/arm/types/index.js";
import { parseResourcePath, segmentsOf } from "../src/emulator/arm/resource-id.js";

interface Line {
  readonly url: string;
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as Line;
  const names = undescribedIn(line.url);
  const copy =
    names.length === 0 ? line : { ...line, requestBody: without(names, line.requestBody), responseBody: without(names, line.responseBody) };
  process.stdout.write(`${JSON.stringify(copy)}\n`);
}

/** Of the type that the path names, or whose part it names. */
function undescribedIn(url: string): readonly string[] {
  const type = parseResourcePath(segmentsOf(new URL(url).pathname))?.type ?? "";
  const declared = emulatedTypes.named(type) ?? emulatedTypes.named(type.slice(0, type.lastIndexOf("/")));
  return declared?.undescribed ?? [];
}

function without(names: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => without(names, one));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, held]) => [name, without(names, held)]));
}
