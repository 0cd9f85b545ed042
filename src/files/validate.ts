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
  return { origin, message: where === "" ? issue.message : `${where}: ${issue.message}` };
}
