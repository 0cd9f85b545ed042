/** The emulator accepts the examples of docs/using-the-emulator.md, and the page names every variable and every knob. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseFaultRules } from "../../src/emulator/core/fault-rules.js";
import { stateSnapshot, seedState } from "../../src/emulator/index.js";
import { settingVariables } from "../../src/emulator/core/local-settings.js";
import { knobNames } from "../../src/emulator/state/seed-document.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const page = readFileSync(new URL("../../docs/using-the-emulator.md", import.meta.url), "utf8");
const [seed = "", faults = ""] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => json ?? "");

test("the seed document can be seeded, and the fault rules can be read", async () => {
  const directory = temporaryDirectory().path;
  await seedState(directory, JSON.parse(seed));
  const { resources } = await stateSnapshot(directory);
  expect(Object.keys(resources).filter((id) => id.includes("/virtualnetworks/corp"))).not.toEqual([]);
  expect(parseFaultRules(faults)).toHaveLength(2);
});

test("every variable and every knob is named", () => {
  for (const name of [...settingVariables, ...knobNames]) expect(page).toContain(`\`${name}\``);
});
