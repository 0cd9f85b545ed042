import { expect, test } from "vitest";
import { matchTemplate } from "../../src/emulator/core/route-template.js";

test.each([
  ["/secrets/{name}", "secrets/a", { name: "a" }],
  ["/secrets/{name}", "SECRETS/Ab", { name: "Ab" }],
  ["/secrets/{name}", "secrets", undefined],
  ["/secrets/{name}", "secrets/a/b", undefined],
  ["/secrets/{name}/{version}", "secrets/a/b", { name: "a", version: "b" }],
  ["applications/{key}/owners/$ref", "applications/1/owners/$ref", { key: "1" }],
  ["/{scope}/providers/x", "providers/x", { scope: "/" }],
  ["/{scope}/providers/x", "a/b/providers/x", { scope: "/a/b" }],
  ["/{scope}/providers/x", "a/b/providers/y", undefined],
])("%s and %s", (template, path, parameters) => {
  expect(matchTemplate(template, path.split("/"))).toEqual(parameters);
});
