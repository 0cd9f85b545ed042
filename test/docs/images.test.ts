/** The screenshots of the docs show what the commands print. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { wholeFlags } from "../../tools/demo-cluster.js";
import { exits } from "../cli/expectations.js";
import { testEmulator } from "../harness/test-emulator.js";
import { root } from "./markdown-pages.js";

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

test("each screenshot is of its command", async () => {
  const azure = await testEmulator();
  // The commands of the screenshots run in the directory of the output.
  const printedAs = (text: string) => compact(text.replaceAll(azure.path("demo"), "demo"));
  const create = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo")];

  const plan = exits(await azure.cli([...create, "--dry-run"]), 0).stderr;
  const [, shown = ""] = /(cloud .* adopted)/s.exec(rowsOf("plan").join("\n")) ?? [];
  expect(printedAs(plan)).toContain(compact(shown));

  const printed = exits(await azure.cli([...create, "--yes"]), 0);
  const titles = [...printed.stderr.matchAll(/\] created {2}(.*) \([\d.ms]+\)$/gm)].map(([, title = ""]) => printedAs(title));
  const steps = [...rowsOf("create-all"), ...rowsOf("create-all-done")].join("\n").split(/\n (?=[✓●] creat)/);
  const named = steps.flatMap((step) => /^[ ]?[✓●] creat(?:ed|ing) +[\d.ms]+ ([\s\S]*?)(?=\n \d+\/\d+ steps|\n ✓|$)/.exec(step)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(40);
  expect(named.map(compact).filter((title) => !titles.some((one) => title.startsWith(one.slice(0, title.length - 1))))).toEqual([]);

  const again = exits(await azure.cli([...create, "--yes"]), 0);
  const [, end = ""] = /(nothing to do.*)https/s.exec(rowsOf("create-all-again").join("\n")) ?? [];
  expect(printedAs(again.stderr.replace(/^\[.*\n/gm, ""))).toContain(compact(end));

  exits(await azure.cli(["local", "seed", path.join(root, "examples", "broken.yaml")]), 0);
  const verified = exits(await azure.cli(["verify", "infra", "--cloud", "local", "--input-dir", azure.path("demo")]), 6);
  const [, found = ""] = /(FAIL .*passed.*skipped)/s.exec(rowsOf("verify-infra").join("\n")) ?? [];
  expect(printedAs(verified.stdout)).toContain(compact(found));
});
