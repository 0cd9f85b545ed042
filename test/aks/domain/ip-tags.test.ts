/** The grammar of IP tags: what Azure/ARO-HCP's templates would cut or misread is refused, with what is meant. */
import { describe, expect, test } from "vitest";
import { formatIpTags, ipTagAnnotation, readIpTags, sameIpTags } from "../../../src/domain/ip-tags.js";

test.each<[string, readonly [string, string][]]>([
  ["", []],
  ["FirstPartyUsage:/NonProd", [["FirstPartyUsage", "/NonProd"]]],
  [
    "FirstPartyUsage:/aro-hcp-prod-outbound-cx,RoutingPreference:Internet",
    [
      ["FirstPartyUsage", "/aro-hcp-prod-outbound-cx"],
      ["RoutingPreference", "Internet"],
    ],
  ],
  ["Other.Type-1:a_b/c-d", [["Other.Type-1", "a_b/c-d"]]],
])('"%s" is read', (text, tags) => {
  const read = readIpTags(text);
  expect(read).toEqual(tags.map(([type, tag]) => ({ type, tag })));
  expect(formatIpTags(read as Exclude<typeof read, string>)).toBe(text);
});

test.each<[string, string]>([
  ["FirstPartyUsage:/a:/b", '"FirstPartyUsage:/a:/b" has a second colon; expected type:tag'],
  ["FirstPartyUsage:/a:RoutingPreference:Internet", "with a comma before the next tag"],
  ["FirstPartyUsage: /NonProd", '"FirstPartyUsage: /NonProd" contains a space; did you mean "FirstPartyUsage:/NonProd"?'],
  [
    "FirstPartyUsage:/a, RoutingPreference:Internet",
    '" RoutingPreference:Internet" contains a space; did you mean "RoutingPreference:Internet"?',
  ],
  ["a b", '"a b" contains a space; expected type:tag'],
  ["FirstPartyUsage=/NonProd", 'has an equals sign between type and tag; expected a colon; did you mean "FirstPartyUsage:/NonProd"?'],
  ["FirstPartyUsage:tag=/NonProd", '"FirstPartyUsage:tag=/NonProd" contains an equals sign'],
  ["/NonProd", '"/NonProd" has no colon; expected type:tag'],
  [":/NonProd", '":/NonProd" has no type before the colon'],
  ["FirstPartyUsage:", '"FirstPartyUsage:" has no tag after the colon'],
  ["FirstPartyUsage:/a,", '"FirstPartyUsage:/a," has an empty item; remove the extra comma'],
  [",FirstPartyUsage:/a", "has an empty item"],
  ["FirstPartyUsage:/a,,RoutingPreference:Internet", "has an empty item"],
  ["First Party:/a", "contains a space"],
  ["First(Party):/a", "has a type with other characters"],
  ["FirstPartyUsage:/a.b", "has a tag with other characters"],
  ["firstpartyusage:/a", 'has the type "firstpartyusage"; did you mean "FirstPartyUsage:/a"?'],
  ["FirstPartyUsage:/a,FirstPartyUsage:/a", '"FirstPartyUsage:/a" is set twice'],
])('"%s" is refused, with what is meant', (text, problem) => {
  expect(readIpTags(text)).toEqual(expect.stringContaining(problem));
});

test("the order of tags does not matter, and each tag does", () => {
  const [a, b] = [
    { type: "FirstPartyUsage", tag: "/a" },
    { type: "RoutingPreference", tag: "Internet" },
  ];
  expect(sameIpTags([a, b], [b, a])).toBe(true);
  expect(sameIpTags([a], [a, b])).toBe(false);
  expect(sameIpTags([a], [{ ...a, tag: "/A" }])).toBe(false);
});

describe("the annotation of a Service", () => {
  test("has equals signs", () => {
    const tags = [
      { type: "FirstPartyUsage", tag: "/NonProd" },
      { type: "RoutingPreference", tag: "Internet" },
    ];
    expect(ipTagAnnotation(tags)).toEqual({ value: "FirstPartyUsage=/NonProd,RoutingPreference=Internet" });
  });

  test("is refused for a type that Kubernetes would drop", () => {
    expect(ipTagAnnotation([{ type: "Other", tag: "x" }])).toEqual({
      problem: expect.stringContaining('"Other:x" cannot be in a Service') as string,
    });
  });
});
