/** The screenshots of the docs show what the commands print. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { domainFlags } from "../../tools/demo-cluster.js";
import { wellKnown } from "../../src/emulator/index.js";
import { visibleLines } from "../render/fakes.js";
import { exits } from "../cli/expectations.js";
import { testEmulator } from "../harness/test-emulator.js";
import { root } from "./markdown-pages.js";

/** Those of the screenshots. */
const clusterFlags = ["--cloud", "local", "--name", "demo", "--infra-id", "x7k2"] as const;
const wholeFlags = [...clusterFlags, ...domainFlags, "--dns-zone-rg-name", wellKnown.dnsGroup] as const;

/** The text of a screenshot after the command line, by row. */
function rowsOf(name: string): string[] {
  const svg = readFileSync(path.join(root, "docs", "pictures", `${name}.svg`), "utf8");
  const rows = new Map<string, string>();
  for (const [, y = "", text = ""] of svg.matchAll(/<text xml:space="preserve" x="[\d.]+" y="(\d+)"[^>]*>([^<]*)<\/text>/g)) {
    rows.set(y, `${rows.get(y) ?? ""} ${unescaped(text)}`);
  }
  return [...rows.values()];
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Without white space, which depends on the width, and without durations and chains of slow steps. */
function compact(text: string): string {
  return text
    .replace(/\n?.*slowest [\s\S]*?(?=\n? *written )/, "")
    .replace(/\b(\d+m)?\d+(\.\d+)?s\b/g, "")
    .replace(/\s/g, "");
}

/** A row of a section: "✓ created 2.4s applications (8)", "● creating 14s certificates 3/8, 5 running". */
const sectionRow = /^ *[✓●] creat(?:ed|ing) +[\d.ms]+ +(.*?)(?= \(\d+\)| \d+\/\d+|, usually|:|$)/;

test.each([80, 120])("each screenshot of %i columns is of its command", async (columns) => {
  const azure = await testEmulator();
  const shown = (name: string) => rowsOf(`${name}-${String(columns)}`);
  // The commands of the screenshots run in the directory of the output.
  const printedAs = (text: string) => compact(text.replaceAll(azure.path("demo"), "demo"));
  const part = (name: string, wanted: RegExp) => compact(wanted.exec(shown(name).join("\n"))?.[1] ?? "not in the screenshot");
  const create = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo")];

  expect(printedAs(exits(await azure.cli([...create, "--dry-run"]), 0).stderr)).toContain(part("plan", /(cloud .* used)/s));

  const running = await azure.startCli([...create, "--yes"], { size: { columns, rows: 40 }, env: { LANG: "C.UTF-8", NO_COLOR: "1" } });
  const sectionsIn = (lines: readonly string[]) => lines.flatMap((line) => sectionRow.exec(line)?.[1] ?? []);
  const sections = new Set(sectionsIn(visibleLines(exits(await running.ended, 0).stderr)));
  const inScreenshots = [...sectionsIn(shown("create-all")), ...sectionsIn(shown("create-all-done"))];
  expect(inScreenshots.length).toBeGreaterThan(6);
  // A section of one step has its title.
  const titles = printedAs(exits(await azure.cli([...create, "--dry-run", "--full-plan"]), 0).stderr);
  const isPrinted = (name: string) => sections.has(name) || titles.includes(compact(name));
  expect(inScreenshots.filter((name) => !isPrinted(name))).toEqual([]);

  const again = exits(await azure.cli([...create, "--yes"]), 0);
  expect(printedAs(again.stderr.replace(/^\[.*\n/gm, ""))).toContain(part("create-all-again", /(nothing to do.*)issuer +https/s));

  const destroyed = exits(await azure.cli(["destroy", "all", ...clusterFlags, "--dry-run"]), 0);
  expect(printedAs(destroyed.stderr)).toContain(part("destroy-plan", /(\d+ to remove)/));

  exits(await azure.cli(["local", "seed", path.join(root, "examples", "broken.yaml")]), 0);
  const verified = exits(await azure.cli(["verify", "infra", "--cloud", "local", "--input-dir", azure.path("demo")]), 6);
  expect(printedAs(verified.stdout)).toContain(part("verify-infra", /(FAIL .*passed.*skipped)/s));
});
