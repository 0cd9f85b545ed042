/** `--help`, `--help-all` and `help` of every command on a terminal of 80 columns, and in a pipe, which counts as one. */
import { expect, test } from "vitest";
import type { Command } from "../../src/settings/command.js";
import { commandNames, commands, optionsOf } from "../../src/settings/commands.js";
import { variableOf } from "../../src/settings/option.js";
import { allOptions } from "../../src/settings/options.js";
import { helpTopics } from "../../tools/bundle/help-texts.js";
import { cli } from "../harness/cli.js";
import { checkOwnLine } from "../harness/own-line.js";
import { exits } from "./expectations.js";

/** As in a pipe, unless the width of a terminal is passed. */
async function helpOf(words: readonly string[], flag = "--help", columns?: number): Promise<string> {
  const terminal = columns === undefined ? {} : { tty: { columns, rows: 40 } };
  return exits(await cli([...words, flag], terminal), 0).stdout;
}

/** The flags under each heading, in order. */
function headings(text: string): Readonly<Record<string, readonly string[]>> {
  const sections = text.split("\n\n").map((section) => section.split("\n"));
  return Object.fromEntries(
    sections.map(([heading = "", ...lines]) => [
      heading.replace(":", ""),
      lines.flatMap((line) => /^ {2}(?:-\w, )?(--[a-z-]+)/.exec(line)?.[1] ?? []),
    ]),
  );
}

/** The text as one line, without the alignment. */
const unwrapped = (text: string) => text.replace(/\s+/g, " ");

test("no line of any help is wider than 80 columns, or than a narrow terminal", async () => {
  expect(helpTopics.length).toBeGreaterThan(60);
  for (const words of helpTopics) {
    for (const flag of ["--help", "--help-all"]) {
      const text = await helpOf(words, flag);
      expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(await helpOf(words, flag, 80)).toBe(text);
      const narrow = (await helpOf(words, flag, 50)).replace(/\nExamples:.*/s, "");
      expect(narrow.split("\n").filter((line) => line.length > 50 && line.trim().includes(" ") && !line.includes("--"))).toEqual([]);
    }
  }
});

test("the required flags come first, and the usage has them with their placeholders", async () => {
  const text = await helpOf(["create", "all"]);
  const { Required: required } = headings(text);
  expect(required).toEqual(["--name", "--infra-id", "--base-domain", "--dns-zone-rg-name", "--output-dir"]);
  expect(text.indexOf("\nRequired:")).toBeLessThan(text.indexOf("\nOptions:"));
  expect(unwrapped(text)).toContain(
    "Usage: aro-hcp create all --name <value> --infra-id <value> --base-domain <value> --dns-zone-rg-name <value> --output-dir <directory> [options]",
  );
  expect(headings(await helpOf(["destroy", "infra"]))).not.toHaveProperty("Required");
});

test.each(commandNames)("`%s --help-all` has each flag with its variable, and `--help` those that a usual run needs", async (name) => {
  const options = optionsOf(name);
  const [all, common] = [await helpOf(name.split(" "), "--help-all"), await helpOf(name.split(" "))];
  const flagsIn = (text: string) => Object.values(headings(text)).flat().toSorted();
  expect(flagsIn(all)).toEqual(options.map(({ flag }) => flag).toSorted());
  const usual = options.filter(({ isUsual }) => isUsual);
  expect(flagsIn(common)).toEqual(usual.map(({ flag }) => flag).toSorted());
  for (const option of options) expect(all).toContain(`[${variableOf(option)}]`);
  expect(common).not.toContain("[ARO_HCP_");
  expect(/--help-all\s+lists/.test(common)).toBe(usual.length < options.length);
});

test("the help of a command fits a screen: at most 45 lines and ten optional options", async () => {
  for (const name of commandNames) {
    const text = await helpOf(name.split(" "));
    expect([name, text.trimEnd().split("\n").length <= 45]).toEqual([name, true]);
    expect([name, (headings(text)["Options"] ?? []).length <= 10]).toEqual([name, true]);
    // Each name is that of an option of the command, which may be of several features.
    const { usual = [], options }: Command = commands[name];
    expect(usual.filter((one) => !options.includes(one))).toEqual([]);
  }
});

test("`help` prints the same as `--help`, also for the first word of several commands", async () => {
  for (const words of [[], ["create"], ["create", "infra"], ["doctor"], ["local", "serve"], ["help"]]) {
    expect(exits(await cli(["help", ...words]), 0).stdout).toBe(await helpOf(words));
  }
  expect(exits(await cli(["help", "create", "infra", "--help-all"]), 0).stdout).toBe(await helpOf(["create", "infra"], "--help-all"));
});

test("`help` of an unknown command names the nearest one", async () => {
  expect(exits(await cli(["help", "create", "infar"]), 2).stderr).toMatch(
    /there is no command "create infar"; did you mean "create infra"\?/,
  );
});

test("without an argument, the program introduces itself, and exits with 2, because nothing was done", async () => {
  const { stdout, stderr } = exits(await cli([]), 2);
  expect(stdout).toBe(await helpOf([]));
  expect(stderr).toBe("");
});

test("the first word of several commands alone: their list, and an error", async () => {
  for (const words of [["create"], ["local"]]) {
    const { stdout, stderr } = exits(await cli(words), 2);
    expect(stdout).toBe("");
    expect(stderr).toContain(await helpOf(words));
    expect(stderr).toMatch(/\nerror: .*\[ARO-USAGE-001\]/);
  }
});

test("the first help begins with one life of a cluster on the emulator", async () => {
  const text = (await helpOf([])).replaceAll(/ \\\n +/g, " ");
  const begin = text.split("\n\n").find((section) => section.startsWith("Begin ")) ?? "";
  const commands = begin.split("\n").slice(1);
  expect(commands.map((line) => line.trim())).toEqual([
    "aro-hcp create all --cloud local --name demo --infra-id x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns --output-dir demo",
    "aro-hcp verify all --cloud local --input-dir demo",
    "aro-hcp show all --cloud local --name demo --infra-id x7k2",
    "aro-hcp destroy all --cloud local --name demo --infra-id x7k2 --purge",
  ]);
  expect(text.split("\n").length).toBeLessThan(71);
});

test("the first help has every command and noun with a sentence, and the options of all commands once", async () => {
  const text = await helpOf([]);
  for (const name of commandNames) {
    const [first = "", ...rest] = name.split(" ");
    expect(text, name).toMatch(new RegExp(`^ {2}${first} +\\w`, "m"));
    const noun = rest[0];
    if (noun === undefined) continue;
    expect(text, name).toMatch(new RegExp(`^ {2}${noun} +\\w|[ ,:]${noun}([ ,\n]|$)`, "m"));
    expect(await helpOf([first])).toMatch(new RegExp(`^ {2}${noun} `, "m"));
  }
  const globals = allOptions.filter(({ isGlobal }) => isGlobal === true).map(({ flag }) => flag);
  expect(headings(await helpOf([], "--help-all"))["Options of every command"]).toEqual([...globals, "--help", "--help-all"]);
});

test("every command has an example that the parser accepts", async () => {
  for (const name of commandNames) {
    const { examples } = commands[name];
    expect(examples.length, name).toBeGreaterThan(0);
    const text = (await helpOf(name.split(" "), "--help-all")).replaceAll(/ \\\n +/g, " ");
    for (const example of examples) {
      expect(text).toContain(`  ${example}\n`);
      const own = /aro-hcp [^|>)]*/.exec(example)?.[0] ?? "";
      checkOwnLine(own);
    }
  }
});

test.each([
  ["create infra", "--name", "name of the cluster"],
  ["adopt infra", "--name", "name of the cluster"],
  ["create identities", "--identities-name", "name of the identity set; by default the --name of the cluster"],
  ["create infra", "--location", "Azure location of all created resources; a rerun knows it (default of the emulator: eastus)"],
  ["destroy infra", "--location", "not needed: resources are found in any location"],
  ["adopt infra", "--base-domain", "base DNS domain of the cluster; needed only if it has private DNS zones of several"],
  ["create iam", "--persistent-resource-group-name", "resource group of the workload identities; create iam creates it if missing"],
  ["rotate credentials", "--component", "components whose credentials are rotated; can be repeated (default: all)"],
])("in %s, the text of %s is that of this command", async (name, flag, text) => {
  const help = unwrapped(await helpOf(name.split(" "), "--help-all"));
  expect(help).toContain(` ${text} [${variableOf({ flag: flag as `--${string}` })}]`);
});
