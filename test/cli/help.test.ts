/** `--help`, `--help-all` and `help` of every command on a terminal of 80 columns, and in a pipe, which counts as one. */
import { expect, test } from "vitest";
import { commandNames, commands, optionsOf } from "../../src/settings/commands.js";
import { variableOf } from "../../src/settings/option.js";
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
  expect(text.indexOf("\nRequired:")).toBeLessThan(text.indexOf("\nLocation and names:"));
  expect(unwrapped(text)).toContain(
    "Usage: aro-hcp create all --name <value> --infra-id <value> --base-domain <value> --dns-zone-rg-name <value> --output-dir <directory> [options]",
  );
  expect(headings(await helpOf(["destroy", "infra"]))).not.toHaveProperty("Required");
});

test.each(commandNames)("`%s --help-all` has each flag once with its variable, and `--help` all but the rare ones", async (name) => {
  const options = optionsOf(name);
  const [all, common] = [await helpOf(name.split(" "), "--help-all"), await helpOf(name.split(" "))];
  const flagsIn = (text: string) =>
    Object.values(headings(text))
      .flat()
      .filter((flag) => !flag.startsWith("--help"))
      .toSorted();
  expect(flagsIn(all)).toEqual(options.map(({ flag }) => flag).toSorted());
  const rare = options.filter((option) => option.rare === true && !option.isRequired);
  expect(flagsIn(common)).toEqual(
    options
      .filter((option) => !rare.includes(option))
      .map(({ flag }) => flag)
      .toSorted(),
  );
  for (const option of options) expect(all).toContain(`[${variableOf(option)}]`);
  expect(/--help-all also\s+lists/.test(common)).toBe(rare.length > 0);
});

test("the help of create all stays short", async () => {
  expect((await helpOf(["create", "all"])).split("\n").length).toBeLessThan(112);
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

test("without a command, the list of commands and an error", async () => {
  for (const words of [[], ["create"], ["local"]]) {
    const { stdout, stderr } = exits(await cli(words), 2);
    expect(stdout).toBe("");
    expect(stderr).toContain(await helpOf(words));
    expect(stderr).toMatch(/\nerror: .*\[ARO-USAGE-001\]/);
  }
});

test("the list of commands has the subcommands of each group", async () => {
  const text = await helpOf([]);
  expect(text).toMatch(/^ {2}rotate +credentials, encryption-key$/m);
  expect(unwrapped(text)).toContain(" render secret-provider-classes, ingress, arc, hosted-cluster, hypershift-install ");
  expect(text).toMatch(/^ {2}local +the emulator: serve, reset, seed, status$/m);
});

test("the list of commands has every command, and the help of a first word its subcommands", async () => {
  const listed =
    (await helpOf([]))
      .split("\nCommands:\n")[1]
      ?.replaceAll(/\n {5,}/g, " ")
      .split("\n") ?? [];
  for (const name of commandNames) {
    const [first = "", second = ""] = name.split(" ");
    const ofFirst = listed.filter((line) => line.startsWith(`  ${first} `));
    expect(ofFirst, name).toEqual([expect.stringMatching(second === "" ? /./ : new RegExp(`[ ,:]${second}(,|$)`))]);
    if (second !== "") expect(await helpOf([first])).toMatch(new RegExp(`^ {2}${second} `, "m"));
  }
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
  ["create infra", "--location", "Azure location of all created resources (default: eastus)"],
  ["destroy infra", "--location", "not needed: resources are found in any location"],
  ["adopt infra", "--base-domain", "base DNS domain of the cluster; needed only if it has private DNS zones of several"],
  ["create iam", "--persistent-resource-group-name", "resource group of the workload identities; create iam creates it if missing"],
  ["rotate credentials", "--component", "components whose credentials are rotated; can be repeated (default: all)"],
])("in %s, the text of %s is that of this command", async (name, flag, text) => {
  const help = unwrapped(await helpOf(name.split(" "), "--help-all"));
  expect(help).toContain(` ${text} [${variableOf({ flag: flag as `--${string}` })}]`);
});
