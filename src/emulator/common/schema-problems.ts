/** What is wrong with a value that a schema refuses, in one line. */
import type { ZodError } from "zod";

/** `knobs: Unrecognized key: "foo"; subscriptions.0.id: is not a GUID` */
export function schemaProblems({ issues }: ZodError): string {
  return issues.map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`)).join("; ");
}
