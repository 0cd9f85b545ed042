/** Advice refers to commands of features that its file does not import: each of them exists. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isCommand } from "../../src/settings/commands.js";

test("every command that advice names exists", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const named = files.flatMap((file) =>
    [...readFileSync(`src/${file}`, "utf8").matchAll(/\baroHcp\(\s*"([^"]+)"/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => !isCommand(name))).toEqual([]);
});
