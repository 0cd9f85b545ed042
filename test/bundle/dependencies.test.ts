/** docs/internals/dependencies.md lists each package of package.json once, in the correct table. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readRecord } from "../../tools/bundle/build.js";
import { packagesOf } from "../../tools/bundle/notices.js";

const text = readFileSync(new URL("../../docs/internals/dependencies.md", import.meta.url), "utf8");
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

/** By name and version, because a bundled package may depend on another version of a package that only tests use. */
const bundled = new Set(packagesOf(Object.values(readRecord()?.chunks ?? {}).flat()).map(({ name, version }) => `${name} ${version}`));
/** The program uses only the types of these packages. */
const typesOnly = ["@azure/core-auth"];
const shipped = (name: string) => bundled.has(`${name} ${manifest.devDependencies[name] ?? ""}`) || typesOnly.includes(name);

test("the package has no dependencies", () => {
  expect(manifest.dependencies).toBeUndefined();
});

test("bundled packages are listed as bundled, all others as development only", () => {
  const names = Object.keys(manifest.devDependencies);
  expect(listedUnder("Bundled")).toEqual(names.filter(shipped).sort());
  expect(listedUnder("Development only")).toEqual(names.filter((name) => !shipped(name)).sort());
});
