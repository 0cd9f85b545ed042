/** SECURITY.md: its tables have every command once, and those that write are the ones with `--dry-run`. */
import { expect, test } from "vitest";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import { rows } from "../../tools/least-privilege.js";
import { inlineCode, readPageText } from "./markdown-pages.js";

/** The commands in the first column of both tables. */
function tables(): readonly (readonly string[])[] {
  const [, text = ""] = readPageText("SECURITY.md").split("## What each command may do at most");
  return text
    .split("| --- | --- |")
    .slice(1)
    .map((table) => {
      const rows = table.split("\n").filter((line) => line.startsWith("| `"));
      return rows.flatMap((row) => inlineCode(row.split("|")[1] ?? ""));
    });
}

test("every command is in one row", () => {
  expect(tables().flat().toSorted()).toEqual([...commandNames].toSorted());
});

test("the commands of the first table are those with --dry-run", () => {
  const changing = commandNames.filter((name) => optionsOf(name).some(({ flag }) => flag === "--dry-run"));
  expect(tables()[0]?.toSorted()).toEqual(changing.toSorted());
});

test("the commands of the second table need only permissions that read", () => {
  const [, reading = []] = tables();
  const needed = rows.filter(({ commands }) => commands.some((command) => reading.includes(command)));
  const roles = needed.flatMap(({ grants }) => grants.flatMap((grant) => grant.roles));
  expect([...new Set(roles)].toSorted()).toEqual(["Key Vault Certificate User", "Key Vault Reader"]);
  expect([...new Set(needed.map(({ graph }) => graph))].toSorted()).toEqual(["Application.Read.All", "Directory.Read.All", undefined]);
});
