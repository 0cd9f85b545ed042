/** The pages that a reader follows from top to bottom: each block works as printed, in order, and prints what the page shows. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { wholeFlags } from "../../tools/demo-cluster.js";
import { placePrivateKey, testKey } from "../cli/signing-keys.js";
import { cloneOfRepository } from "./clone.js";
import { readPage } from "./reading.js";

/** Pages that begin with `npm link`, or are about it. */
test.each(["README.md", "docs/first-run.md", "docs/pipelines.md"])("%s", async (page) => {
  const clone = await cloneOfRepository();
  await readPage(clone, clone.read(page));
});

/** Pages for a reader who has `aro-hcp` on the path. */
test.each(["first-cluster", "own-network", "several-clusters", "least-privilege", "own-tests"])("docs/%s.md", async (page) => {
  const clone = await cloneOfRepository();
  clone.link();
  await readPage(clone, clone.read(`docs/${page}.md`));
});

/** Pages about the cluster of docs/first-run.md. */
test.each(["rotate", "recover", "troubleshooting"])("docs/%s.md, with a cluster", async (page) => {
  const clone = await cloneOfRepository();
  clone.link();
  const demo = path.join(clone.directory, "demo");
  mkdirSync(demo);
  await placePrivateKey(demo, testKey());
  const { code, output } = await clone.run(`aro-hcp create all ${wholeFlags.join(" ")} --output-dir demo`);
  expect(code, output).toBe(0);
  await readPage(clone, clone.read(`docs/${page}.md`));
});

test("the quickstart prints about a hundred lines, and keeps its report, its files and every line", async () => {
  const clone = await cloneOfRepository();
  const { code, output } = await clone.run("npm run -s quickstart");
  expect(code, output).toBe(0);
  const lines = output.split("\n");
  expect(lines[0]).toMatch(/^This takes one cluster through its life/);
  expect(lines.length).toBeLessThan(120);
  expect(lines.slice(-12).join("\n")).toMatch(
    /^The report {4}quickstart\/report\.html[\s\S]*^The files {5}quickstart\/demo$[\s\S]*^Next$/m,
  );
  expect(clone.read("quickstart/report.html")).toContain("<svg");
  expect(clone.read("quickstart/demo/infra.json")).toContain("demo-x7k2");
  expect(clone.read("quickstart/log.txt").split("\n").length).toBeGreaterThan(400);
});
