/** `schema [document]`: the JSON Schema of a document, for editors and other programs. */
import { advise, aroHcp } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { screensOf } from "../render/screen.js";
import type { Resolved } from "../settings/settings.js";
import { jsonText } from "../text/control.js";
import { didYouMean } from "../text/did-you-mean.js";
import { jsonSchemas } from "./json-schemas.js";
import type { ProcessPort } from "../run/process-port.js";

export async function run({ settings }: Resolved<"schema">, port: ProcessPort, document?: string): Promise<number> {
  const { result } = screensOf(port, settings.color);
  const schemas = await jsonSchemas();
  const names = [...schemas.keys()];
  if (document === undefined) {
    result.print(names.join("\n"));
    return 0;
  }
  const schema = schemas.get(document);
  if (schema === undefined) {
    throw new Failure("ARO-USAGE-001", `there is no document "${document}"${didYouMean(document, names)}`, {
      next: [advise`${aroHcp("schema", {})} lists the documents`],
    });
  }
  result.print(jsonText(schema(), 2));
  return 0;
}
