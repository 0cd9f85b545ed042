/** Stacks of the bundle, with the places in the sources. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceStack } from "../../src/render/source-stack.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const map = { version: 3, sources: ["../src/cli/main.ts"], names: [], mappings: "AAAA" };

test.each(["plain", "with space", "p (x) y", "(all)"])("the frames of a package in a directory named %j are mapped", (name) => {
  const dist = join(temporaryDirectory().path, name, "dist");
  mkdirSync(dist, { recursive: true });
  const file = join(dist, "main.cjs");
  writeFileSync(`${file}.map`, JSON.stringify(map));
  const frames = (place: string) => [
    "Error: no /file (x).cjs:1:1 here",
    `    at run (${place})`,
    `    at Object.run [as work] (${place})`,
    `    at async Promise.all (index 0)`,
    `    at async run (${place})`,
    `    at async ${place}`,
    `    at ${place}`,
    "    at node:internal/main:1:1",
  ];
  expect(sourceStack(frames(`${file}:1:1`).join("\n"))).toBe(frames("src/cli/main.ts:1:1").join("\n"));
});

test("a frame in the code of a package, which has no entry, stays as it is", () => {
  const file = join(temporaryDirectory().path, "main.cjs");
  writeFileSync(`${file}.map`, JSON.stringify(map));
  const frame = `    at run (${file}:2:1)`;
  expect(sourceStack(frame)).toBe(frame);
});
