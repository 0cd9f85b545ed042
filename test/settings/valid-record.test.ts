/** A recorded setting is checked like a given one: in a tag, an invalid record is none; in a file, it is an error. */
import { expect, test } from "vitest";
import { optionTags } from "../../src/domain/option-tags.js";
import { recordInTags, requireValidRecord } from "../../src/cli/inputs/valid-record.js";

const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/n/providers/Microsoft.Network";

function read(value: string) {
  const said: string[] = [];
  return { record: recordInTags({ "aro-hcp-options": value }, (text) => said.push(text)), said };
}

test.each<[string, string]>([
  ["not JSON", "it is not JSON"],
  ["5", "expected object"],
  ['{"naming":"other"}', "naming: "],
  ['{"vnetId":"garbage"}', "vnetId: "],
  ['{"vnetId":"/subscriptions/x"}', "vnetId: "],
  [`{"vnetId":"${group}/natGateways/a"}`, "vnetId: "],
  ['{"location":""}', "location: is empty"],
  ['{"location":"East US"}', "location: "],
  ['{"vnetCidr":"banana"}', "vnetCidr: "],
  ['{"vnetCidr":"10.9.0.0/16"}', "subnetCidr: "],
  ['{"baseDomain":"../../x"}', "baseDomain: "],
  ['{"resourceGroupName":"a/b"}', "resourceGroupName: "],
  ['{"disableClusterCapabilities":["nothing"]}', "disableClusterCapabilities: "],
  [`{"egress":"nat-gateway","vnetId":"${group}/virtualNetworks/a"}`, "egress: "],
])("the tag %s counts as none, and the notice names the tag, the value and the cause", (value, cause) => {
  const { record, said } = read(value);
  expect(record).toBeUndefined();
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(`notice: tag aro-hcp-options of the cluster is ignored, because its value ${value} is invalid: `);
  expect(said[0]).toContain(cause);
});

test("tags without a record, or with one whose next tag is missing, have none, without a notice", () => {
  expect(recordInTags({}, expect.unreachable)).toBeUndefined();
  expect(recordInTags({ "aro-hcp-options": "x".repeat(256) }, expect.unreachable)).toBeUndefined();
});

test("an option of a later program is left out, and the rest is read", () => {
  expect(read('{"singleResourceGroup":true,"later":1}')).toEqual({ record: { singleResourceGroup: true }, said: [] });
});

test("while the egress changes, the tags also name what earlier choices attached", () => {
  const record = { egress: "nat-gateway", natGatewayId: `${group}/natGateways/a`, formerEgress: [`${group}/routeTables/b`] };
  expect(recordInTags(optionTags(record), expect.unreachable)).toEqual(record);
});

test("a recorded role assignment needs no identity file", () => {
  expect(read('{"baseDomain":"hcp.example.com","location":"eastus","assignIdentityRoles":true}').said).toEqual([]);
});

test.each<[string, object]>([
  ["a prefix", { publicIpPrefixId: [`${group}/publicIPPrefixes/a`], expectedNodes: 100 }],
  ["an existing NAT gateway", { egress: "nat-gateway", natGatewayId: `${group}/natGateways/a` }],
  ["several addresses", { outboundAddresses: 3 }],
])("a record of an egress with %s is read", (_what, record) => {
  expect(read(JSON.stringify(record))).toEqual({ record, said: [] });
});

test("in a file, it is an error that names the file and the key", () => {
  expect(() => requireValidRecord({ vnetCidr: "banana" }, "infra.json")).toThrow(
    expect.objectContaining({
      code: "ARO-FILE-003",
      problems: [{ origin: "infra.json", message: expect.stringContaining("options.vnetCidr: ") as string }],
    }) as Error,
  );
  expect(requireValidRecord({ location: "eastus" }, "infra.json")).toEqual({ location: "eastus" });
});
