import { describe, expect, test } from "vitest";
import { commandNames, commands, optionsOf } from "../../src/settings/commands.js";
import { optionGroups, variableOf, type Option } from "../../src/settings/option.js";
import { allOptions } from "../../src/settings/options.js";
import { parseValue } from "../../src/settings/parse-value.js";

const flagsOf = ({ flag, aliases = [], short }: Option): readonly string[] => [flag, ...aliases, ...(short === undefined ? [] : [short])];

/** The flags of `hypershift create infra azure` and `hypershift destroy infra azure`. */
const hypershift = {
  "create infra": [
    "--infra-id",
    "--azure-creds",
    "--name",
    "--base-domain",
    "--location",
    "--cloud",
    "--resource-group-name",
    "--output-file",
    "--network-security-group-id",
    "--subnet-id",
    "--vnet-id",
    "--resource-group-tags",
    "-t",
    "--managed-identities-file",
    "--data-plane-identities-file",
    "--workload-identities-file",
    "--assign-identity-roles",
    "--assign-service-principal-roles",
    "--auto-assign-roles",
    "--dns-zone-rg-name",
    "--assign-custom-hcp-roles",
    "--disable-cluster-capabilities",
  ],
  "destroy infra": ["--infra-id", "--azure-creds", "--name", "--location", "--cloud", "--resource-group-name", "--preserve-resource-group"],
} as const;

describe.each(commandNames)("%s", (command) => {
  const own = optionsOf(command);

  test("every flag and variable has one meaning", () => {
    const words = own.flatMap((option) => [...flagsOf(option), variableOf(option), option.key]);
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  test.each(own.filter((option) => option.default !== undefined))("the default of $key is a valid value", (option) => {
    expect(parseValue(option, option.default)).toHaveProperty("value");
  });
});

test.each(Object.entries(hypershift))("%s has every flag of hypershift's command", (command, flags) => {
  const own = optionsOf(command as keyof typeof hypershift).flatMap(flagsOf);
  expect(flags.filter((flag) => !own.includes(flag))).toEqual([]);
});

test("keys, flags and variables spell the same words", () => {
  for (const option of allOptions) {
    expect(option.flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())).toBe(option.key);
    expect(variableOf(option)).toMatch(/^ARO_HCP_[A-Z_]+$/);
  }
});

test("help is one sentence without a period, and every option is in a known group", () => {
  for (const { key, help, group } of allOptions) {
    expect(help, key).toMatch(/^[A-Za-z0-9].*[^.]$/);
    expect(optionGroups).toContain(group);
  }
});

test("no command lists an option twice", () => {
  for (const [command, { options: taken }] of Object.entries(commands)) {
    expect(
      taken.filter((name, index) => (taken as readonly string[]).indexOf(name) !== index),
      command,
    ).toEqual([]);
  }
});

test("a required option has no default", () => {
  const all = commandNames.flatMap(optionsOf);
  expect(all.filter((option) => option.isRequired && option.default !== undefined)).toEqual([]);
});
