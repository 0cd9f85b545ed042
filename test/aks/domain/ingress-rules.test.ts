/** Who may reach an AKS cluster: the rules of each kind, and the comparison with what Azure has. */
import { describe, expect, test } from "vitest";
import {
  inboundRules,
  ruleAllows,
  ruleAtPriority,
  ruleDifferences,
  securityRuleBody,
  type InboundRule,
} from "../../../src/aks/domain/ingress-rules.js";
import type { SecurityRuleBody } from "../../../src/domain/security-rule.js";

const tags = { genevaServiceTag: "GenevaActions", sreServiceTag: "CorpNetSaw" };
const row = ({ name, priority, source, port, target }: InboundRule) => `${name} ${String(priority)} ${source} ${port} ${target}`;

describe("the rules", () => {
  test.each<[string, readonly InboundRule[], readonly string[]]>([
    [
      "one shared ingress",
      inboundRules("service-cluster", { ops: false, ...tags }),
      [
        "rp-in-arm 120 AzureResourceManager 443 ingress",
        "admin-in-geneva 130 GenevaActions 443 ingress",
        "sre-in-ops 140 CorpNetSaw 443 ingress",
      ],
    ],
    [
      "the operators' own",
      inboundRules("service-cluster", { ops: true, ...tags }),
      ["rp-in-arm 120 AzureResourceManager 443 ingress", "admin-in-geneva 130 GenevaActions 443 ops", "sre-in-ops 140 CorpNetSaw 443 ops"],
    ],
    [
      "a management cluster",
      inboundRules("management-cluster", undefined),
      ["kas-443-in-internet 120 * 443 any", "kas-6443-in-internet 130 * 6443 any"],
    ],
    ["a service cluster without an ingress", inboundRules("service-cluster", undefined), []],
  ])("of %s", (_what, rules, expected) => {
    expect(rules.map(row)).toEqual(expected);
  });

  test("other service tags take the place of the defaults", () => {
    const rules = inboundRules("service-cluster", { ops: false, genevaServiceTag: "ActionGroup", sreServiceTag: "AzureDevOps" });
    expect(rules.map(({ source }) => source)).toEqual(["AzureResourceManager", "ActionGroup", "AzureDevOps"]);
  });
});

const [rule] = inboundRules("service-cluster", { ops: false, ...tags });
if (rule === undefined) throw new Error("the first rule is that of Azure Resource Manager");
const wanted = securityRuleBody(rule, "203.0.113.7");

describe("a rule of Azure", () => {
  test.each<[string, Partial<SecurityRuleBody>]>([
    ["as it was written", {}],
    ["with other casing", { protocol: "TCP", sourceAddressPrefix: "azureresourcemanager", access: "allow" }],
    ["with an address as a range", { destinationAddressPrefix: "203.0.113.7/32" }],
    ["with lists of one", { destinationAddressPrefix: undefined, destinationAddressPrefixes: ["203.0.113.7"], destinationPortRanges: [] }],
  ])("is the same %s", (_what, other) => {
    expect(ruleDifferences({ ...wanted, ...other }, wanted)).toEqual([]);
  });

  test.each<[string, Partial<SecurityRuleBody>, string]>([
    ["another address", { destinationAddressPrefix: "203.0.113.8" }, "destinationAddressPrefix"],
    ["a second address", { destinationAddressPrefixes: ["203.0.113.8"] }, "destinationAddressPrefix"],
    ["any address", { destinationAddressPrefix: "*" }, "destinationAddressPrefix"],
    ["any source", { sourceAddressPrefix: "*" }, "sourceAddressPrefix"],
    ["an application security group", { sourceApplicationSecurityGroups: [{ id: "asg" }] }, "sourceAddressPrefix"],
    ["another port", { destinationPortRange: "8443" }, "destinationPortRange"],
    ["another protocol", { protocol: "Udp" }, "protocol"],
    ["a denial", { access: "Deny" }, "access"],
    ["another priority", { priority: 200 }, "priority"],
    ["the other direction", { direction: "Outbound" }, "direction"],
  ])("differs with %s", (_what, other, property) => {
    expect(ruleDifferences({ ...wanted, ...other }, wanted).map((one) => one.property)).toEqual([property]);
  });
});

describe("a rule of somebody else", () => {
  test.each<[string, Partial<SecurityRuleBody>, boolean]>([
    ["the same traffic at another priority", { priority: 1000 }, true],
    ["everything from the internet", { sourceAddressPrefix: "Internet", destinationAddressPrefix: "*", destinationPortRange: "*" }, true],
    ["a range of ports", { destinationPortRange: "400-500" }, true],
    ["any protocol", { protocol: "*" }, true],
    ["several ports", { destinationPortRange: undefined, destinationPortRanges: ["80", "443"] }, true],
    ["another service tag", { sourceAddressPrefix: "AzureCloud" }, false],
    ["another address", { destinationAddressPrefix: "203.0.113.8" }, false],
    ["other ports", { destinationPortRange: "80-442" }, false],
    ["a denial", { access: "Deny" }, false],
    ["the other direction", { direction: "Outbound" }, false],
    ["only UDP", { protocol: "Udp" }, false],
  ])("that has %s lets the traffic in: %s", (_what, other, allows) => {
    expect(ruleAllows({ ...wanted, ...other }, wanted)).toBe(allows);
  });

  test("occupies a priority only in the same direction and under another name", () => {
    const at = (other: Partial<SecurityRuleBody>) => ruleAtPriority([{ ...wanted, ...other }], rule)?.name;
    expect(at({ name: "theirs" })).toBe("theirs");
    expect(at({ name: "RP-in-ARM" })).toBeUndefined();
    expect(at({ name: "theirs", direction: "Outbound" })).toBeUndefined();
    expect(at({ name: "theirs", priority: 121 })).toBeUndefined();
  });
});
