/** Removes unused operation groups from the SDK's generated files. */
import { expect, test } from "vitest";
import { withGroups, withModels, withParameters } from "../../tools/bundle/sdk-operations-plugin.js";

const client = `import * as coreClient from "@azure/core-client";
import { RecordSetsImpl, ZonesImpl, } from "./operations/index.js";
export class DnsClient extends coreClient.ServiceClient {
    constructor() {
        this.recordSets = new RecordSetsImpl(this);
        this.zones =
            new ZonesImpl(this);
    }
    recordSets;
    zones;
}
`;

test("the client keeps and imports only the groups in use", () => {
  const reduced = withGroups(client, "arm-dns", ["zones"]);
  expect(reduced).toContain("new ZonesImpl(this)");
  expect(reduced).toContain('import { ZonesImpl } from "./operations/index.js";');
  expect(reduced).not.toContain("RecordSetsImpl");
});

test("a group that the client does not have fails the build", () => {
  expect(() => withGroups(client, "arm-dns", ["zones", "keys"])).toThrow("arm-dns: the client has no operation group keys");
});

const parameters = `import { Zone as ZoneMapper, RecordSet as RecordSetMapper } from "../models/mappers.js";
export const $host = {
    parameterPath: "$host",
};
export const parameters = {
    parameterPath: "parameters",
    mapper: RecordSetMapper,
};
export const parameters1 = {
    parameterPath: "parameters",
    mapper: ZoneMapper,
};
`;

test("only the parameters in use stay, with the models that they send", () => {
  const reduced = withParameters(parameters, new Set(["$host", "parameters1"]));
  expect(reduced).toContain('import { Zone as ZoneMapper } from "./mappers.js";');
  expect(reduced).toContain("export const $host");
  expect(reduced).not.toContain("RecordSet");
});

const models = ["Zone", "Tags", "Rule", "Unused"].map(
  (name) => `export const ${name} = {
    type: {
        name: "Composite",
        className: "${name}",
    },
};
`,
);
const zone = models
  .join("")
  .replace('className: "Zone",', 'className: "Zone", modelProperties: { tags: { type: { className: "Tags" } } },');
const derived = `export const DenyRule = {
    type: {
        modelProperties: {
            ...Rule.type.modelProperties,
        },
    },
};
export const discriminators = {
    Rule: Rule,
    "Rule.Deny": DenyRule,
    "Other.Kind": Unused,
};
`;

test("a model stays with the models that it refers to, and a base model with its derived models, because the serializer finds them by name", () => {
  const ofZone = withModels(zone + derived, "arm-dns", new Set(["Zone"]));
  expect([...ofZone.matchAll(/export const (\w+)/g)].map(([, name]) => name)).toEqual(["Zone", "Tags"]);
  const ofRule = withModels(zone + derived, "arm-dns", new Set(["Rule"]));
  expect([...ofRule.matchAll(/export const (\w+)/g)].map(([, name]) => name)).toEqual(["Rule", "DenyRule", "discriminators"]);
  expect(ofRule).toContain('"Rule.Deny": DenyRule');
  expect(ofRule).not.toContain("Unused");
});

test("an unknown model fails the build", () => {
  expect(() => withModels(zone, "arm-dns", new Set(["Gone"]))).toThrow("arm-dns: model Gone not found");
});
