/** Transcripts of the built program in a real pseudo-terminal: narrow, wide, without color, resized, with Ctrl-C, and with typed answers. */
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { program } from "../../tools/cli-process.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { hasTerminals, openTerminal, type Terminal } from "../harness/terminal.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { create, exits } from "./expectations.js";

const createInfra = ["create", "infra", ...clusterFlags, ...domainFlags];
const endOfFrame = "\u001b[?2026l";

interface Options {
  readonly columns: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Long enough to be seen: a private DNS zone takes 20 s of Azure's time. */
const slow = { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "10" };

function open(azure: TestEmulator, args: readonly string[], { columns, env = {} }: Options): Terminal {
  const own = {
    PATH: process.env["PATH"],
    HOME: azure.path("."),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    ARO_HCP_LOCAL_DIR: azure.directory,
  };
  return openTerminal([process.execPath, program, ...args], { columns, env: { ...own, ...slow, ...env } });
}

const plain = (text: string) => stripVTControlCharacters(text).replaceAll("\r", "");
/** A command to paste is never broken. */
const widest = (text: string) =>
  Math.max(
    ...plain(text)
      .split("\n")
      .filter((line) => !line.includes("`"))
      .map((line) => line.length),
  );
const shows = (terminal: Terminal, words: string | RegExp) => expect.poll(() => plain(terminal.output())).toMatch(words);

describe.skipIf(!hasTerminals)("in a pseudo-terminal", () => {
  test.each([60, 80, 200])("of %i columns, the plan, the progress and the summary fit", async (columns) => {
    const azure = await testEmulator();
    const terminal = open(azure, [...createInfra, "--yes"], { columns });
    expect(await terminal.ended).toBe(0);
    // The IDs of the result are one word each, for the next command.
    const [progress = ""] = terminal.output().split("resourceGroupName");
    const text = plain(progress);
    expect(text).toMatch(/^cloud +local/m);
    expect(text).toMatch(/creating +\d+s +private DNS zone/);
    expect(text).toMatch(/\[?[█░]{8,}\]? \d+\/\d+ steps/);
    expect(text).toMatch(/✓ create infra demo-x7k2 is done/);
    expect(widest(progress)).toBeLessThanOrEqual(columns);
    expect(terminal.output()).toContain("\u001b[3");
  });

  test("a create goes ahead after a typed yes, and a no ends it without a change", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    for (const [answer, code] of [
      ["n", 10],
      ["y", 0],
    ] as const) {
      const terminal = open(azure, createInfra, { columns: 100 });
      await shows(terminal, /Make these changes in subscription Azure emulator\? \(y\/N\)/);
      terminal.type(`${answer}\r`);
      expect(await terminal.ended).toBe(code);
      if (code === 10) expect(await azure.snapshot()).toEqual(before);
    }
  });

  test("without color, every mark and word is still there, and frames are redrawn", async () => {
    const azure = await testEmulator();
    const terminal = open(azure, [...createInfra, "--yes"], { columns: 100, env: { NO_COLOR: "1" } });
    expect(await terminal.ended).toBe(0);
    expect(terminal.output()).not.toMatch(/\u001b\[[\d;]*m/);
    expect(terminal.output()).toContain(endOfFrame);
    expect(plain(terminal.output())).toMatch(/✓ created/);
  });

  test("a dumb terminal and --plain have lines that stay, without any control sequence", async () => {
    for (const [flags, env] of [
      [[], { TERM: "dumb", NO_COLOR: "1" }],
      [["--plain", "--color", "never"], {}],
    ] as const) {
      const azure = await testEmulator();
      const terminal = open(azure, [...createInfra, "--yes", ...flags], { columns: 100, env });
      expect(await terminal.ended).toBe(0);
      expect(terminal.output()).not.toContain("\u001b");
      expect(terminal.output()).toMatch(/^\[ +\d+s\] created +private DNS zone/m);
    }
  });

  test("after the window is resized, the next frames have its width", async () => {
    const azure = await testEmulator();
    const terminal = open(azure, [...createInfra, "--yes"], { columns: 200 });
    await shows(terminal, /creating +\d+s/);
    terminal.resize(48, 20);
    const before = terminal.output().length;
    expect(await terminal.ended).toBe(0);
    // A frame may have been under way.
    const [, , ...frames] = terminal.output().slice(before).split(endOfFrame);
    const [rest = ""] = frames.join(endOfFrame).split("resourceGroupName");
    expect(frames.length).toBeGreaterThan(2);
    expect(widest(rest)).toBeLessThanOrEqual(48);
  });

  test("Ctrl-C stops, says how to continue, and leaves a terminal that echoes and shows its cursor; the same command completes", async () => {
    const azure = await testEmulator();
    const terminal = open(azure, [...createInfra, "--yes"], { columns: 100 });
    await shows(terminal, /creating +\d+s +private DNS zone/);
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(130);
    const text = plain(terminal.output());
    expect(text).toContain("stopping; press Ctrl-C again to exit immediately");
    expect(text).toMatch(/error: interrupted/);
    expect(text).toMatch(/done +\d+ of 10 steps; the same command continues with the other \d+/);
    const hidden = terminal.output().lastIndexOf("\u001b[?25l");
    expect(hidden).toBeLessThanOrEqual(terminal.output().lastIndexOf("\u001b[?25h"));
    exits(await create(azure, ["--yes"]), 0);
  });

  test("a destroy asks for the infra ID: a mistyped one says what was typed, and deletes nothing", async () => {
    const azure = await testEmulator();
    exits(await create(azure, ["--yes"]), 0);
    const before = await azure.snapshot();
    const terminal = open(azure, ["destroy", "infra", ...clusterFlags], { columns: 100 });
    await shows(terminal, /demo-x7k2.*:/);
    terminal.type("demo-x7k3\r");
    expect(await terminal.ended).toBe(10);
    expect(plain(terminal.output())).toMatch(/demo-x7k3.*demo-x7k2|demo-x7k2.*demo-x7k3/);
    expect(await azure.snapshot()).toEqual(before);
  });
});
