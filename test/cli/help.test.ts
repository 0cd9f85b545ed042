/** `--help` of every command on a terminal of 80 columns, and in a pipe, which counts as one. */
import type { Command, OutputConfiguration } from "commander";
import { expect, test } from "vitest";
import { program } from "../../src/cli/program.js";
import { fakeProcess } from "../harness/cli.js";

const everything = () => program(fakeProcess([]).port, () => undefined);

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** As in a pipe, unless the width of a terminal is passed. */
function helpOf(command: Command, terminal: OutputConfiguration = {}): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part), ...terminal }).outputHelp();
  return text;
}

test("no line of any help is wider than 80 columns", () => {
  const commands = everyCommand(everything());
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const text = helpOf(command);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(helpOf(command, { getOutHelpWidth: () => 80 })).toBe(text);
  }
});

test("a flag is marked as required only in the commands that require it", () => {
  const required = (name: string) => {
    const command = everyCommand(everything()).find((each) => `${each.parent?.name() ?? ""} ${each.name()}` === name);
    const text = helpOf(command ?? everything()).replace(/\n {20,}/g, " ");
    return [...text.matchAll(/^ +(?:-\w, )?(--[a-z-]+).*\((?:[^)]*; )?required/gm)].map(([, flag]) => flag);
  };
  expect(required("create all")).toEqual(["--name", "--infra-id", "--base-domain", "--dns-zone-rg-name", "--output-dir"]);
  expect(required("destroy infra")).toEqual([]);
});

test("a verb lists its nouns", () => {
  const text = helpOf(everything());
  expect(text).toMatch(/^ {2}rotate +credentials or encryption-key$/m);
  expect(text.replace(/\n +/g, " ")).toMatch(/ render +secret-provider-classes, hosted-cluster, hypershift-install, ingress or arc /);
});

test("a multi-line example is one shell command", () => {
  const text = everyCommand(everything())
    .map((command) => helpOf(command))
    .join("");
  const examples = text.replaceAll(/ \\\n +/g, " ").match(/^ {2}aro-hcp .*$/gm) ?? [];
  expect(examples).toContain(
    "  aro-hcp create infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dry-run",
  );
});

test.each([
  ["create infra", "--name", "name of the cluster (required)"],
  ["adopt infra", "--name", "name of the cluster (required)"],
  ["create identities", "--name", "name of the identity set (required)"],
  ["create infra", "--location", "Azure location of all created resources (default eastus)"],
  ["destroy infra", "--location", "not needed: resources are found in any location"],
  ["adopt infra", "--base-domain", "base DNS domain of the cluster; needed only if it has private DNS zones of several"],
  [
    "rotate credentials",
    "--persistent-resource-group-name",
    "resource group of the identities and their vault (also --resource-group-name) (required)",
  ],
  ["rotate credentials", "--component", "components whose credentials are rotated; can be repeated (default all)"],
])("in %s, the text of %s is that of this command", (name, flag, text) => {
  const command = everyCommand(everything()).find((each) => `${each.parent?.name() ?? ""} ${each.name()}` === name);
  expect(command?.options.find(({ long }) => long === flag)?.description).toBe(text);
});
