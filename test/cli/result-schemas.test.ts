/** Every document that a command prints with `--output json` has a committed schema, and the tests check each document against it. */
import { readdir, readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { resultSchemas } from "../../src/cli/json-schemas.js";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import { checkPrintedDocuments } from "../harness/printed-document.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";

test("every command with --output has a schema, and no other", async () => {
  expect([...(await resultSchemas()).keys()].toSorted()).toEqual(
    commandNames.filter((name) => optionsOf(name).some(({ key }) => key === "output")).toSorted(),
  );
});

test("the committed schemas are valid, and `schema` prints them", async () => {
  const azure = await testEmulator();
  const names = exits(await azure.cli(["schema"]), 0)
    .stdout.trim()
    .split("\n");
  expect((await readdir("schemas")).toSorted()).toEqual(names.map((name) => `${name}.json`).toSorted());
  for (const name of names) {
    const committed = JSON.parse(await readFile(`schemas/${name}.json`, "utf8")) as object;
    expect(new Ajv2020({ strict: false }).validateSchema(committed), name).toBe(true);
    expect(JSON.parse(exits(await azure.cli(["schema", name]), 0).stdout), name).toEqual(committed);
  }
});

test("a document with an unknown member, a phrase in place of a choice, or a fraction of a millisecond is reported", async () => {
  const azure = await testEmulator();
  const shown = exits(await azure.cli(["show", "infra", ...demo, ...demoDomain, "-o", "json"]), 0).stdout;
  const check = (stdout: string, args: readonly string[] = []) => {
    checkPrintedDocuments({ args, stdout });
  };
  expect(() => check(shown.replace('"resources"', '"more": 1, "resources"'))).toThrow("more");
  expect(() => check(shown.replace('"exists"', '"exists, bring-your-own"'))).toThrow("show-infra-result");
  const created = exits(await azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", "-o", "json"]), 0).stdout;
  expect(() => check(created.replace(/"elapsedMs": (\d+)/, '"elapsedMs": $1.5'))).toThrow("must be integer");
  expect(() => check('{"ok":false,"failures":[]}')).toThrow("create-infra-result");
  expect(() => check('{"at":"2026-11-20T12:00:00.000Z","type":"step.done"}\n', ["--output-events", "-"])).toThrow("schemas/events.json");
});
