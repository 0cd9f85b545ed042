/** Each error leads to the text of its code, and `help` prints it. */
import { expect, test } from "vitest";
import { catalogue } from "../../src/errors/catalogue.js";
import { cli } from "../harness/cli.js";
import { exits } from "./expectations.js";

test("help of each code prints what it means, the exit code, and its page", async () => {
  for (const [code, { title, exit }] of Object.entries(catalogue)) {
    const text = exits(await cli(["help", code]), 0).stdout;
    expect(text.replace(/\s+/g, " ")).toContain(`${code}: ${title}`);
    expect(text).toContain(`  exit     ${String(exit)}: `);
    expect(text).toContain(`docs/errors/${code.toLowerCase()}.md\n`);
  }
});

test("the last line of an error is a command that explains it, in any case of its code", async () => {
  const { stderr } = exits(await cli(["shwo"]), 2);
  const [, command = "", code = ""] = /\n {2}more {5}aro-hcp (help (ARO-\S+))\n$/.exec(stderr) ?? [];
  const { stdout } = exits(await cli(command.split(" ")), 0);
  expect(stdout).toContain(`${code}: invalid settings`);
  expect(exits(await cli(["help", code.toLowerCase()]), 0).stdout).toBe(stdout);
});

test("an unknown code is compared with those that exist", async () => {
  expect(exits(await cli(["help", "aro-owm-002"]), 2).stderr).toContain('did you mean "ARO-OWN-002"?');
});
