/** Generates the JSON Schema (2020-12) of a fleet file from the table of options. */
import { configOptionSchemas } from "../settings/config-schema.js";
import { memberKinds } from "./domain/member-kinds.js";
import { isFleetKey, kinds } from "./member-facts.js";

export function fleetJsonSchema(): object {
  const values = Object.fromEntries(Object.entries(configOptionSchemas()).filter(([key]) => !isFleetKey(key)));
  const ofKeys = (known: ReadonlySet<string>) =>
    Object.fromEntries(Object.keys(values).flatMap((key) => (known.has(key) ? [[key, { $ref: `#/$defs/${key}` }]] : [])));
  const members = memberKinds.map((kind): [string, object] => [
    kind,
    {
      type: "array",
      items: {
        type: "object",
        properties: { ...ofKeys(kinds[kind].keys()), name: { type: "string" } },
        required: ["name"],
        additionalProperties: false,
      },
    },
  ]);
  const all = new Set(memberKinds.flatMap((kind) => [...kinds[kind].keys()]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Fleet file of aro-hcp",
    type: "object",
    properties: {
      $schema: { type: "string", description: "this schema, for editors" },
      common: {
        type: "object",
        description: "values of every member that has the setting",
        properties: ofKeys(all),
        additionalProperties: false,
      },
      ...(Object.fromEntries(members) as Readonly<Record<string, object>>),
    },
    additionalProperties: false,
    $defs: Object.fromEntries(Object.entries(values).filter(([key]) => all.has(key))),
  };
}
