/** A change selects the tests that can notice it. For each file here, the test was seen to fail after a mutation of the file. */
import { expect, test } from "vitest";
import { commandNames } from "../../src/settings/commands.js";
import { commandModules } from "../../tools/check/reached.js";
import { selectTests } from "../../tools/check/selection.js";

test("the table of commands is read whole", () => {
  expect([...commandModules().keys()].sort()).toEqual(commandNames.filter((name) => name !== "help").sort());
});

test.each([
  ["a step", "src/infra/steps/network.ts", "test/infra/infra.test.ts"],
  ["a decision of many steps", "src/steps/ownership-decision.ts", "test/aks/cli/management-cluster.test.ts"],
  ["a check", "src/infra/verify/dns.ts", "test/infra/verify/infra.test.ts"],
  ["an option", "src/dns-zone/options.ts", "test/dns-zone/cli/dns-zone.test.ts"],
  ["the options of a command", "src/iam/commands.ts", "test/iam/cli/iam.test.ts"],
  ["what show settings recalls", "src/infra/recalled-settings.ts", "test/cli/show-settings.test.ts"],
  ["a message", "src/errors/catalogue.ts", "test/cli/bad-input.test.ts"],
  ["a command that runs as a process", "src/cli/completion-scripts.ts", "test/cli/completion.test.ts"],
  ["a command of a page", "src/all/create-all.ts", "test/docs/pages.test.ts"],
  ["a type of the emulator", "src/emulator/arm/types/storage/account-names.ts", "test/issuer/cli/issuer-upload.test.ts"],
  ["a page", "docs/errors.md", "test/docs/links.test.ts"],
  ["a helper", "test/infra/verify/infra-state.ts", "test/infra/verify/infra.test.ts"],
])("%s: %s selects %s", (_what, changed, expected) => {
  expect(selectTests([changed])).toContain(expected);
});

test("the module of a command selects only tests that name it", () => {
  const selected = selectTests(["src/iam/create-iam.ts"]);
  expect(selected.find((file) => file.includes("/cli/"))).toBe("test/iam/cli/iam.test.ts");
  expect(selected).not.toContain("test/dns-zone/cli/dns-zone.test.ts");
});

test("tests of a module come before those that run a command with it", () => {
  const selected = selectTests(["src/infra/steps/network.ts"]);
  expect(selected.indexOf("test/infra/steps/existing-network.test.ts")).toBeLessThan(selected.indexOf("test/infra/infra.test.ts"));
});
