/** The man pages that the build writes: one for each command, with every option. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { version } from "../../src/run/package-version.js";
import { commandNames, commands, optionsOf } from "../../src/settings/commands.js";
import { variableOf } from "../../src/settings/option.js";
import { manPages } from "../../tools/bundle/man-pages.js";

const pages = manPages(version);

/** As `man` prints it, without backspaces for bold. Each warning of groff is an error. */
function rendered(page: string): string {
  const { stdout, stderr } = spawnSync("groff", ["-man", "-ww", "-Tascii", "-P-cbou", "-rLL=200n"], { input: page, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.replace(/\s+/g, " ");
}

const hasGroff = spawnSync("groff", ["--version"]).status === 0;

test("the build writes a page for the program and for each command", () => {
  expect(readdirSync("man").toSorted()).toEqual(pages.map(([file]) => file).toSorted());
  expect(pages.length).toBe(commandNames.length + 1);
  for (const [file, text] of pages) expect(readFileSync(`man/${file}`, "utf8")).toBe(text);
});

test.skipIf(!hasGroff)("each page has every option with its variable, as it can be copied, and its examples", () => {
  for (const name of commandNames) {
    const page = pages.find(([file]) => file === `aro-hcp-${name.replaceAll(" ", "-")}.1`)?.[1] ?? "";
    const shown = rendered(page);
    expect(shown).toContain(commands[name].summary);
    for (const option of optionsOf(name)) {
      expect(shown).toContain(option.flag);
      expect(shown).toContain(variableOf(option));
    }
    for (const example of commands[name].examples) expect(shown).toContain(example.replace(/\s+/g, " "));
  }
});

test.skipIf(!hasGroff)("the page of the program lists every command and exit code", () => {
  const shown = rendered(pages[0]?.[1] ?? "");
  for (const name of commandNames) expect(shown).toContain(`aro-hcp-${name.replaceAll(" ", "-")}(1)`);
  expect(shown).toMatch(/EXIT STATUS 0 done, or nothing to do .* 70 a bug in aro-hcp/);
});

test("npm packs the pages", () => {
  const [pack] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" })) as [
    { files: { path: string }[] },
  ];
  const packed = pack.files.map((file) => file.path);
  expect(packed).toEqual(expect.arrayContaining(pages.map(([file]) => `man/${file}`)));
});
