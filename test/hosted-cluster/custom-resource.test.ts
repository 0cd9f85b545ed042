/** The validator of custom resources, on a small definition of its own. */
import { expect, test } from "vitest";
import { problemsBy } from "./custom-resource.js";

const problems = problemsBy({
  spec: {
    versions: [
      {
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              metadata: { type: "object" },
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer", default: 1 },
                  address: {
                    type: "string",
                    "x-kubernetes-validations": [{ rule: "isURL(self) && url(self).getScheme() == 'https'", message: "must be HTTPS" }],
                  },
                  parts: { type: "array", items: { type: "string", "x-kubernetes-validations": [{ rule: "self.matches('^[a-z]+$')" }] } },
                },
                "x-kubernetes-validations": [
                  { rule: "!has(self.parts) || size(self.parts) <= self.size", message: "too many parts" },
                  { rule: "self == oldSelf", message: "is immutable" },
                  { rule: "self.?address.orValue('https://a') != ''" },
                ],
              },
            },
          },
        },
      },
    ],
  },
});

test.each<[string, object, readonly string[]]>([
  ["defaults count", { spec: { parts: ["a"] } }, []],
  ["a rule of an object", { spec: { parts: ["a", "b"] } }, ["/spec too many parts"]],
  ["a rule of an item", { spec: { parts: ["A"] } }, ["/spec/parts/0 self.matches('^[a-z]+$')"]],
  ["functions of Kubernetes", { spec: { address: "http://a" } }, ["/spec/address must be HTTPS"]],
  ["a type", { spec: { size: "1" } }, ["/spec/size must be integer"]],
  ["an unknown field", { spec: { sise: 1 } }, ["/spec must NOT have additional properties"]],
  ["metadata is open", { metadata: { name: "a" }, spec: { size: 2 } }, []],
])("%s", (_what, manifest, expected) => {
  expect(problems(manifest)).toEqual(expected);
});
