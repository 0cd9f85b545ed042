/** `schema [document]`: the JSON Schema of a document, for editors and other programs. */
import { Failure } from "../../errors/failure.js";
import { documentNames, jsonSchemaOf } from "../../files/json-schemas.js";
import { screensOf } from "../../render/screen.js";
import type { Resolved } from "../../settings/settings.js";
import { jsonText } from "../../text/control.js";
import { didYouMean } from "../../text/did-you-mean.js";
import type { ProcessPort } from "../process-port.js";

export async function run({ settings }: Resolved<"schema">, port: ProcessPort, document?: string): Promise<number> {
  const { result } = screensOf(port, settings.color);
  if (document === undefined) {
    result.print(documentNames.join("\n"));
    return 0;
  }
  const name = documentNames.find((candidate) => candidate === document);
  if (name === undefined) {
    throw new Failure("ARO-USAGE-001", `there is no document "${document}"${didYouMean(document, documentNames)}`, {
      next: [`choose one of ${documentNames.join(", ")}`],
    });
  }
  result.print(jsonText(jsonSchemaOf(name), 2));
  return 0;
}
