/** The result of a command as programs read it. */
import type { Screen } from "./screen.js";

/** Raised when a field is removed. Readers ignore fields they do not know. */
const schemaVersion = 1;

export function printDocument(screen: Screen, fields: { readonly ok: boolean } & Readonly<Record<string, unknown>>): void {
  screen.print(JSON.stringify({ schemaVersion, ...fields }, undefined, 2));
}
