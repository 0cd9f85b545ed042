/** Rows of a plan that share a line. */
import { expect, test } from "vitest";
import type { PlanRow, SharedLine } from "../../src/render/plan-row.js";
import { planText } from "../../src/render/plan-text.js";
import { fakeScreen } from "./fakes.js";

const { screen } = fakeScreen();

const create = (title: string, line?: PlanRow["line"]): PlanRow => ({ title, act: "create", ...(line && { line }) });
const application = (name: string): SharedLine => ({ name: "identities", item: `application ${name}`, items: "applications" });
const removed = (title: string, name: string, why?: string): PlanRow => ({
  title,
  act: "remove",
  why,
  line: { name: "disks", item: name },
});

test("rows with the same line are one, where the first of them is, and those of one kind have their number", () => {
  const rows = [
    create("application cpo", application("cpo")),
    create("virtual network demo", { name: "network", item: "virtual network demo" }),
    create("managed identity disk", { name: "identities", item: "managed identity disk", items: "managed identities" }),
    create("application disk", application("disk")),
    create("role", { name: "role assignments" }),
    create("role", { name: "role assignments" }),
  ];
  expect(planText(screen, rows)).toMatchInlineSnapshot(`
    "  + create  identities (3): 2 applications, managed identity disk
      + create  virtual network demo
      + create  role assignments (2)

    6 to create"
  `);
});

test("rows without a line, with another action or with another reason are apart; counted rows are only counted", () => {
  const rows: PlanRow[] = [
    removed("disk a", "a", "deleted with resource group demo"),
    { title: "disk b", act: "remove", why: "it is lost" },
    removed("disk c", "c", "deleted with resource group demo"),
    removed("disk d", "d"),
    { title: "disk e", act: "keep", line: { name: "disks", item: "e" } },
    { title: "disk f", act: "keep", line: "counted" },
  ];
  expect(planText(screen, rows)).toMatchInlineSnapshot(`
    "  - remove  disks (2): a, c: deleted with resource group demo
      - remove  disk b: it is lost
      - remove  disk d
      = keep    disk e

    4 to remove, 2 kept"
  `);
});

test("a plan of counted rows alone is its counts", () => {
  expect(planText(screen, [{ title: "a", act: "keep", line: "counted" }])).toBe("nothing to do: 1 kept");
});

test("an object that differs is shown by its members, also if a tag has it as JSON", () => {
  const changes = [
    { path: "tags", from: { owner: "a", team: "x" }, to: { owner: "b", team: "x" } },
    { path: "tags.settings", from: '{"size":1,"zone":2}', to: '{"size":2,"zone":2}' },
    { path: "tags", from: undefined, to: { owner: "a" } },
    { path: "sku", from: undefined, to: { name: "Standard" } },
  ];
  expect(planText(screen, [{ title: "network demo", act: "update", why: "it differs", changes }])).toMatchInlineSnapshot(`
    "  ~ update  network demo: it differs
                  tags.owner: "a" → "b"
                  tags.settings.size: 1 → 2
                  tags.owner: (none) → "a"
                  sku: (none) → {"name":"Standard"}

    1 to update"
  `);
});

test("what is billed while idle is the last line; a check is no creation", () => {
  const rows: PlanRow[] = [{ title: "sign-in test of cpo", act: "check", why: "it is new" }, create("public IP address demo")];
  expect(planText(screen, rows, { billed: "public IP address" })).toMatchInlineSnapshot(`
    "  ? check   sign-in test of cpo: it is new
      + create  public IP address demo

    1 to create, 1 to check
    billed also while idle: public IP address"
  `);
});
