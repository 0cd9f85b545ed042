/** The examples of docs/rehearsing.md are what this Azure takes, and the page names every variable and every knob. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseFaultRules } from "../../src/embedded-azure/door/fault-rules.js";
import { pictureOfWorld, seedWorld } from "../../src/embedded-azure/index.js";
import { settingVariables } from "../../src/embedded-azure/local-settings.js";
import { knobNames } from "../../src/embedded-azure/world/seed-document.js";
import { emptyDirectory } from "./local-door.js";

const page = readFileSync(new URL("../../docs/rehearsing.md", import.meta.url), "utf8");
const [seed = "", faults = ""] = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => json ?? "");

test("the seed document can be seeded, and the fault rules be read", async () => {
  const directory = emptyDirectory();
  await seedWorld(directory, JSON.parse(seed));
  const { resources } = await pictureOfWorld(directory);
  expect(Object.keys(resources).filter((id) => id.includes("/virtualnetworks/corp"))).not.toEqual([]);
  expect(parseFaultRules(faults)).toHaveLength(2);
});

test("every variable and every knob is named", () => {
  for (const name of [...settingVariables, ...knobNames]) expect(page).toContain(`\`${name}\``);
});
