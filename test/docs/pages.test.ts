/** The pages that a reader follows from top to bottom: each block works as printed, in order, and prints what the page shows. */
import { expect, test } from "vitest";
import { cloneOfRepository } from "./clone.js";
import { readPage } from "./reading.js";

/** As a reader does, in processes of the built program: the first run, and the quickstart at its end. */
test("README.md", async () => {
  const clone = await cloneOfRepository({ processes: true });
  const printed = await readPage(clone, clone.read("README.md"));
  const quickstart = printed.get("npm run quickstart") ?? "";
  const lines = quickstart.slice(quickstart.indexOf("\nPreparing") + 1).split("\n");
  // Printed before anything is bundled or built.
  expect(lines[0]).toMatch(/^Preparing the quickstart/);
  expect(lines[1]).toMatch(/^This takes one cluster through its life/);
  expect(lines.length).toBeLessThan(140);
  expect(quickstart).toMatch(/^The report {4}quickstart\/report\.html[\s\S]*^The files {5}quickstart\/demo$[\s\S]*^Next$/m);
  expect(clone.read("quickstart/report.html")).toContain("<svg");
  expect(clone.read("quickstart/demo/infra.json")).toContain("demo-x7k2");
  expect(clone.read("quickstart/log.txt").split("\n").length).toBeGreaterThan(300);
});

/** The other pages that begin with `npm link`. */
test.each(["docs/first-run.md", "docs/pipelines.md"])("%s", async (page) => {
  const clone = await cloneOfRepository();
  expect((await readPage(clone, clone.read(page))).size).toBeGreaterThan(0);
});
