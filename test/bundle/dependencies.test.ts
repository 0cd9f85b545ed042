/** docs/dependencies.md lists what package.json has, each once, in the table it belongs to. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readRecord } from "../../tools/bundle/build.js";
import { packagesOf } from "../../tools/bundle/notices.js";

const text = readFileSync(new URL("../../docs/dependencies.md", import.meta.url), "utf8");
const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly dependencies?: object;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** The names in the first column of the table under a heading. */
function listedUnder(heading: string): string[] {
  const [, section = ""] = text.split(`## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  const cells = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell).slice(2);
  return cells.flatMap((cell) => cell.replaceAll("`", "").split(", ")).sort();
}

/** By name and version: a bundled package may bring another version of what only tests use. */
const bundled = new Set(packagesOf(Object.values(readRecord()?.chunks ?? {}).flat()).map(({ name, version }) => `${name} ${version}`));
/** Of these the program uses only types. */
const typesOnly = ["@azure/core-auth"];
const shipped = (name: string) => bundled.has(`${name} ${manifest.devDependencies[name] ?? ""}`) || typesOnly.includes(name);

test("a package installs nothing else", () => {
  expect(manifest.dependencies).toBeUndefined();
});

test("what is bundled is listed as bundled, and everything else as used in development", () => {
  const names = Object.keys(manifest.devDependencies);
  expect(listedUnder("Bundled")).toEqual(names.filter(shipped).sort());
  expect(listedUnder("Development only")).toEqual(names.filter((name) => !shipped(name)).sort());
});
