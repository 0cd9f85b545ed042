/** Validates a document against a schema, and reports every problem with its line. */
import type { z } from "zod";
import { Failure, firstProblems, type Problem } from "../errors/failure.js";
import type { ReadDocument } from "./read.js";

/**
 * The typed content of the file.
 * @throws ARO-FILE-003 with one problem for each error, never quoting values. `what`: "a credentials file".
 */
export function validate<Schema extends z.ZodType>(document: ReadDocument, schema: Schema, what: string): z.output<Schema> {
  const result = schema.safeParse(document.value);
  if (result.success) return result.data;
  throw new Failure("ARO-FILE-003", `${document.path} is not valid as ${what}`, {
    problems: firstProblems(result.error.issues, (issue) => problemOf(issue, document)),
  });
}

function problemOf(issue: z.core.$ZodIssue, document: ReadDocument): Problem {
  const unknownKey = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const origin = document.at(unknownKey === undefined ? issue.path : [...issue.path, unknownKey]);
  const where = issue.path.map(String).join(".");
  const message = inWords(issue.message);
  return { origin, message: where === "" ? message : `${where}: ${message}` };
}

/** Plain words for zod's names of types. */
const typeWords: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
  null: "nothing",
};

/** Zod's own text about a missing value or a wrong type, in words of the file. */
function inWords(message: string): string {
  const [, wanted = "", got = ""] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (got === "undefined") return "is missing";
  const [expected, received] = [typeWords[wanted], typeWords[got]];
  return expected === undefined || received === undefined ? message : `expected ${expected}, got ${received}`;
}
