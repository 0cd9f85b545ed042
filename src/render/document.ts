/** The result of a command as a JSON document. */
import { jsonText } from "../text/control.js";
import type { Screen } from "./screen.js";

/** Increased when a field is removed. Readers ignore unknown fields. */
const schemaVersion = 1;

export function printDocument(screen: Screen, fields: { readonly ok: boolean } & Readonly<Record<string, unknown>>): void {
  screen.print(jsonText({ schemaVersion, ...fields }, 2));
}
