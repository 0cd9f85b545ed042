/** `schema [document]`: the JSON Schema of a file of ours, for editors and for other programs. */
import { Failure } from "../../errors/failure.js";
import { documentNames, jsonSchemaOf } from "../../files/json-schemas.js";
import { processScreens } from "../../render/screen.js";
import type { Resolved } from "../../settings/settings.js";

export async function run({ settings }: Resolved<"schema">, environment: NodeJS.ProcessEnv, document?: string): Promise<number> {
  const { result } = processScreens(settings.color, environment);
  if (document === undefined) {
    result.print(documentNames.join("\n"));
    return 0;
  }
  const name = documentNames.find((candidate) => candidate === document);
  if (name === undefined) {
    throw new Failure("ARO-USAGE-001", `there is no document "${document}"`, { next: [`choose one of ${documentNames.join(", ")}`] });
  }
  result.print(JSON.stringify(jsonSchemaOf(name), undefined, 2));
  return 0;
}
