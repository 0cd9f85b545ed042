/** Text of others that would control a terminal, or reorder what it shows: it reaches no output as it is, and JSON keeps its value. */
import { readFile, writeFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { jsonText, terminalText, withoutControl } from "../../src/text/control.js";
import { escaped } from "../../src/render/report/html.js";
import { demo, demoDomain, testEmulator, type CliOptions } from "../harness/test-emulator.js";

/** A window title, a cleared screen, a C1 sequence, a line end that returns, reversed text, an invisible space. */
const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u0085\r\u202eback\u200b\u2066";
/** A line end of ours, and nothing else. */
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

const show = ["show", "infra", ...demo, ...demoDomain];
const create = ["create", "infra", ...demo, ...demoDomain, "--yes"];
/** Node.js sends header values as Latin-1, and refuses C0. */
const header = { "x-ms-request-id": "one\u009b31m\u0085two" };
const zones = { method: "GET", path: "/dnszones$", times: 100 };
const refusal = (body: unknown) => ({ ...zones, answer: { status: 400, headers: header, body } });

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly faults?: CliOptions["faults"];
}

const cases: readonly Case[] = [
  {
    what: "a request ID, with --debug",
    args: [...show, "--debug"],
    faults: [{ ...zones, answer: { status: 200, headers: header, body: { value: [] } } }],
  },
  { what: "the message of an error", args: create, faults: [refusal({ error: { code: "Bad", message: evil } })] },
  {
    what: "the message of an error, with --debug",
    args: [...create, "--debug"],
    faults: [refusal({ error: { code: "Bad", message: evil } })],
  },
  { what: "the code of an error", args: create, faults: [refusal({ error: { code: evil, message: "x" } })] },
  { what: "a page instead of an error", args: create, faults: [refusal(`<html>${evil}`)] },
  { what: "the value of a flag", args: [...create, "--location", evil] },
  { what: "an unknown flag", args: [...create, `--${evil}`] },
  { what: "an unknown command", args: [evil] },
  { what: "an unknown command with a color", args: ["sh\u001b[8mow"] },
  { what: "an unknown flag with a color", args: [...show, "--na\u001b[31mme"] },
  { what: "a surplus argument", args: [...create, evil] },
  { what: "the name of a missing file", args: [...create, "--azure-creds", `/nowhere/${evil}`] },
  { what: "the name of a configuration file", args: [...create, "--config", `/nowhere/${evil}`] },
  { what: "the name of an output file", args: [...create, "--output-file", `/nowhere/${evil}`] },
  { what: "the name of an events file", args: [...create, "--output-events", `/nowhere/${evil}`] },
  { what: "the value of a variable", args: create, env: { ARO_HCP_LOCATION: evil } },
  { what: "the name of a variable", args: create, env: { [`ARO_HCP_${evil}`]: "x" } },
  { what: "a variable of the emulator", args: create, env: { ARO_HCP_LOCAL_LATENCY: evil } },
  { what: "the directory of the emulator", args: ["local", "status"], env: { ARO_HCP_LOCAL_DIR: `/proc/${evil}` } },
  { what: "a name of a document", args: ["schema", evil] },
  { what: "a tag", args: [...create, "--resource-group-tags", `a=${evil}`, "--dry-run"] },
];

const shared = testEmulator({ atEnd: afterAll });

test.each(cases.map((row) => [row.what, row] as const))("%s", async (_what, { args, env, faults }) => {
  const azure = await shared;
  const options = { ...(env && { env }), ...(faults && { faults }) };
  const text = await azure.cli(args, options);
  expect(`${text.stdout}${text.stderr}`.length).toBeGreaterThan(0);
  expect(`${text.stdout}${text.stderr}`).not.toMatch(control);
  const events = azure.path("events.ndjson");
  await writeFile(events, "");
  const json = await azure.cli([...args, "-o", "json", ...(args.includes("--output-events") ? [] : ["--output-events", events])], options);
  expect(`${json.stdout}${json.stderr}${await readFile(events, "utf8")}`).not.toMatch(control);
});

test("on a terminal, only our own control sequences are written", async () => {
  const azure = await shared;
  const running = await azure.startCli([...create, "--debug"], { faults: [refusal({ error: { code: evil, message: evil } })] });
  const { stderr } = await running.ended;
  expect(stderr).toContain("\u001b[");
  expect(stderr).not.toMatch(/[\u0007\u0080-\u009f\u202e\u200b\u2066]|\u001b\[2J|\u001b\]/u);
});

test("JSON keeps the value, and a page and lines lose it", () => {
  expect(jsonText({ [evil]: evil }, 2)).not.toMatch(control);
  expect(JSON.parse(jsonText({ [evil]: evil }))).toEqual({ [evil]: evil });
  for (const text of [escaped(evil), withoutControl(evil)]) expect(text).not.toMatch(control);
  expect(terminalText(`\u001b[31mred\u001b[0m\n${evil}`)).toMatch(/^\u001b\[31mred\u001b\[0m\n[^\u0000-\u001f\u007f-\u009f\u202e]*$/u);
});
