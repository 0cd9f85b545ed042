/** The command line: where flags can stand, what is wrong with them, and what is accepted although it is not used. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseArguments, type CommandLine } from "../../src/cli/arguments.js";
import { commandNames } from "../../src/settings/commands.js";
import { cli, fakeProcess } from "../harness/cli.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { exits, titled } from "./expectations.js";

const infra = ["create", "infra", "--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"];

function parsed(args: readonly string[]): Partial<CommandLine> {
  return parseArguments(args, fakeProcess([]).port) ?? {};
}

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly problems: readonly (string | RegExp)[];
  readonly absent?: RegExp;
}

const cases: readonly Case[] = [
  {
    what: "an option of other commands, with their names",
    args: ["verify", "infra", "--name", "demo", "--infra-id", "x", "--enable-kms"],
    problems: [/--enable-kms +is not an option of verify infra; create identities, create iam, show iam and 2 other commands take it/],
  },
  {
    what: "an option of one other command",
    args: [...infra, "--release-image", "quay.io/x"],
    problems: [/--release-image +is not an option of create infra; render hosted-cluster takes it/],
  },
  {
    what: "an option of many other commands",
    args: ["create", "key-pair", "--dry-run"],
    problems: [/--dry-run +is not an option of create key-pair; .*, .*, .* and \d+ other commands take it/],
  },
  {
    what: "the end of a longer option",
    args: ["create", "infra", "--tags", "env=prod"],
    problems: [/--tags +is not an option of create infra; did you mean "--resource-group-tags"\?/],
  },
  {
    what: "flags of az",
    args: ["create", "infra", "--no-wait", "--query", "id"],
    problems: [/--no-wait +is not an option of create infra: every command waits/, /--query +is not an option of create infra: .*jq/],
  },
  {
    what: "an existing cluster without its infra ID",
    args: ["show", "infra", "--name", "demo"],
    problems: [/--infra-id +is required/, /next +`aro-hcp list clusters` shows the infra IDs/],
  },
  {
    what: "misspelled, misplaced, missing and wrong values together, with the settings",
    args: ["create", "infra", "--naem", "demo", "--vnet-cidr", "ten", "--purge", "surplus", "--location"],
    problems: [
      /error: 7 settings cannot be used {2}\[ARO-USAGE-001\]/,
      /--naem +is not an option of create infra; did you mean "--name"\?/,
      /--purge +is not an option of create infra/,
      /--location +requires a value/,
      /"surplus" +is an unexpected argument/,
      /--infra-id +is required/,
      /--base-domain +is required/,
      /--vnet-cidr +"ten" is not/,
    ],
    absent: /--name +is required/,
  },
  {
    what: "a value that is missing because a flag follows",
    args: ["create", "infra", "--name", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"],
    problems: [/error: 1 setting /, /--name +requires a value/],
  },
  {
    what: "a value with a hyphen in front",
    args: ["create", "infra", "--name", "-demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com", "-o", "-y"],
    problems: [/error: 2 settings /, /--name +"-demo" /, /-o +requires a value/],
  },
  {
    what: "a value for a flag that takes none",
    args: [...infra, "--help=1", "--no-debug=false"],
    problems: [/error: 2 settings /, /--help +takes no value$/m, /--no-debug +takes no value$/m],
  },
  {
    what: "flags that are similar to none",
    args: [...infra, "-v"],
    problems: [/-v +is not an option of create infra$/m],
  },
  {
    what: "a misspelled choice, with two letters swapped",
    args: [...infra, "-o", "josn"],
    problems: [/--output +"josn" is not one of text, json; did you mean "json"\?/],
  },
  {
    what: "a word after a whole command that help is asked for",
    args: ["help", "create", "infra", "surplus"],
    problems: [/there is no command "create infra surplus"; did you mean "create infra"\?/],
  },
  {
    what: "an unknown check, with similar ones",
    args: ["verify", "infra", "--name", "demo", "--infra-id", "x", "--only", "zone-overlp"],
    problems: [/--only +"zone-overlp" is not one of \d+ choices; did you mean zone-overlap or zone-link-network or /],
    absent: /resource-exists/,
  },
  {
    what: "an unknown check that is similar to none: all of them",
    args: ["verify", "dns-zone", "--base-domain", "a.example.com", "--dns-zone-rg-name", "x", "--only", "qqqqq"],
    problems: [/--only +"qqqqq" is not one of .*zone-delegated, .*no-locks/],
  },
  {
    what: "an argument that is not a choice",
    args: ["doctor", "infr"],
    problems: [/<what> +"infr" is not one of all, infra, identities, oidc-issuer; did you mean "infra"\?/],
  },
  { what: "a missing argument", args: ["local", "seed"], problems: [/<file> +is required/] },
  {
    what: "words in the wrong order",
    args: ["infra", "create"],
    problems: [/there is no command "infra create"; did you mean "create infra"\?/],
  },
  {
    what: "a wrong flag before the second word",
    args: ["create", "--nam", "demo", "infra"],
    problems: [/1 option cannot be used[^]*--nam +is not an option/],
  },
  {
    what: "a misspelled first word",
    args: ["creat", "infra"],
    problems: [/there is no command "creat infra"; did you mean "create infra"\?/],
  },
  {
    what: "a misspelled second word, and a misspelled flag",
    args: ["create", "al", "--nam", "x"],
    problems: [
      /^error: there is no command "create al"; did you mean "create all"\? .*\n {2}--nam +is not an option; did you mean "--name"\?/,
    ],
  },
  {
    what: "a misspelled flag without a second word",
    args: ["create", "--nam", "x"],
    problems: [/error: "create" requires a subcommand: [^[]*\[ARO-USAGE-001\]\n {2}--nam +is not an option; did you mean "--name"\?/],
  },
  {
    what: "a misspelled command after one that takes an argument",
    args: ["doctor", "management-cluste", "--nam", "x"],
    problems: [/^error: there is no command "doctor management-cluste"; did you mean "doctor management-cluster"\?/],
  },
  { what: "a misspelled command of one word", args: ["docter"], problems: [/there is no command "docter"; did you mean "doctor"\?/] },
];

test.each(titled(cases))("%s", async (_what, { args, problems, absent }) => {
  const { stdout, stderr } = exits(await cli(args), 2);
  expect(stdout).toBe("");
  for (const problem of problems) expect(stderr).toMatch(problem);
  if (absent !== undefined) expect(stderr).not.toMatch(absent);
});

test("after a wrong second word, each first word names the nearest command before a wrong flag", async () => {
  for (const name of commandNames) {
    if (!name.includes(" ")) continue;
    const { stderr } = exits(await cli([...`${name}q`.split(" "), "--nam", "x"]), 2);
    expect(stderr).toMatch(new RegExp(`^error: there is no command "${name}q"; did you mean "${name}"\\?`));
  }
});

test("with `--output json`, the problems of the command line are in the document", async () => {
  for (const format of [["--output", "json"], ["-o", "json"], ["-ojson"], ["--output=json"], ["-o=json"]]) {
    const { stdout } = exits(await cli([...infra, "--naem", "x", ...format]), 2);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      failures: [{ code: "ARO-USAGE-001", problems: [{ origin: "--naem", message: expect.stringContaining("--name") as unknown }] }],
    });
  }
  const { stdout } = exits(await cli(["creat", "infra", "-o", "json"]), 2);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, failures: [{ message: expect.stringContaining("create infra") as unknown }] });
});

test("flags can stand in front of the command, between its words and after it", async () => {
  const azure = await testEmulator();
  const flags = [...demo, ...demoDomain];
  const plans = await Promise.all(
    [
      ["create", "infra", ...flags, "--dry-run", "--output=json"],
      [...flags, "create", "infra", "--dry-run", "-ojson"],
      ["--dry-run", "create", ...flags, "infra", "-o=json"],
    ].map(async (args) => JSON.parse(exits(await azure.cli(args), 0).stdout) as object),
  );
  expect(plans[0]).toMatchObject({ command: "create infra", dryRun: true });
  expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(1);
});

test("each form of a flag: joined, in a group, switched off, repeated, after the end of flags", () => {
  const flagsOf = (...args: string[]) => parsed(["destroy", "infra", ...args]);
  expect(flagsOf("-yojson").flags).toEqual({ yes: true, output: "json" });
  expect(flagsOf("--yes=false").problems).toEqual([{ origin: "--yes", message: "takes no value; to turn it off, pass --no-yes" }]);
  const valueOfSwitch = [{ origin: "-y", message: "takes no value; to turn it off, pass --no-yes" }];
  for (const joined of ["-y=", "-y=false", "-yy=a=b"]) expect(flagsOf("--name", "y=", joined).problems, joined).toEqual(valueOfSwitch);
  expect(flagsOf("-o=json", "-y=json").problems).toEqual(valueOfSwitch);
  expect(flagsOf("--yes", "--no-yes").flags).toEqual({ yes: false });
  expect(flagsOf("--output-events", "-").flags).toEqual({ outputEvents: "-" });
  expect(flagsOf("--name=a=b", "--name=-x").flags).toEqual({ name: "-x" });
  expect(parsed([...infra, "-t", "a=b", "--resource-group-tags=c=d"]).flags).toMatchObject({ resourceGroupTags: ["a=b", "c=d"] });
  expect(parsed(["local", "seed", "--", "--odd-name"])).toMatchObject({ argument: "--odd-name", problems: [] });
});

const connection = [
  ...["--cloud", "local", "--subscription", "5b5c0000-0000-4000-8000-000000000001", "--azure-creds", "absent.json"],
  ...["--location", "westeurope", "--timeout", "5m", "--concurrency", "4"],
];

test.each(commandNames)("`%s` accepts every connection flag", (name) => {
  const { problems = [] } = parsed([...name.split(" "), ...connection]);
  expect(problems.filter(({ origin }) => origin.startsWith("-"))).toEqual([]);
});

test("a command that sends no requests ignores the connection flags that it does not use", async () => {
  const { path } = temporaryDirectory();
  await writeFile(join(path, "seed.json"), "{}");
  const env = { ARO_HCP_LOCAL_DIR: join(path, "azure") };
  for (const args of [
    ["create", "key-pair", "--output-dir", join(path, "keys")],
    ["graph", "infra", "--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"],
    ["graph", "management-cluster", "--name", "mgmt"],
    ["schema", "identities"],
    ["version"],
    ["completion", "bash"],
    ["local", "seed", join(path, "seed.json")],
    ["local", "status"],
  ]) {
    exits(await cli([...args, ...connection], { env }), 0);
  }
  expect(await readdir(join(path, "keys"))).toContain("serviceaccount-signer.private");
});

test("`version` as text and as a document, and `--version`", async () => {
  const { stdout } = exits(await cli(["version", "--output", "json"]), 0);
  const { version, node, eventsVersion, packages } = JSON.parse(stdout) as Record<string, unknown>;
  expect(exits(await cli(["--version"]), 0).stdout).toBe(`${String(version)}\n`);
  expect({ node, eventsVersion }).toEqual({ node: process.versions.node, eventsVersion: 1 });
  expect(packages).toMatchObject({ "@azure/identity": expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown });
  const text = exits(await cli(["version"]), 0).stdout;
  expect(text).toContain(String(version));
  expect(text).toContain("@azure/identity");
});
