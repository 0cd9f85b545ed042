/** The quickstart, as `npm run quickstart` in a clone. */
import { expect, test } from "vitest";
import { cloneOfRepository } from "./clone.js";

test("it prints about a hundred lines, and keeps its report, its files and every line", async () => {
  const clone = await cloneOfRepository();
  const { code, output } = await clone.run("npm run -s quickstart");
  expect(code, output).toBe(0);
  const lines = output.split("\n");
  // Before anything is bundled or built.
  expect(lines[0]).toMatch(/^Preparing the quickstart/);
  expect(lines[1]).toMatch(/^This takes one cluster through its life/);
  expect(lines.length).toBeLessThan(140);
  expect(lines.slice(-12).join("\n")).toMatch(
    /^The report {4}quickstart\/report\.html[\s\S]*^The files {5}quickstart\/demo$[\s\S]*^Next$/m,
  );
  expect(clone.read("quickstart/report.html")).toContain("<svg");
  expect(clone.read("quickstart/demo/infra.json")).toContain("demo-x7k2");
  expect(clone.read("quickstart/log.txt").split("\n").length).toBeGreaterThan(300);
});
