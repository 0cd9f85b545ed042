import { expect, test } from "vitest";
import { painted } from "../../src/render/painted.js";
import { createPlainView } from "../../src/render/plain.js";
import { planText } from "../../src/render/plan-text.js";
import { fakeScreen, fakeTicker } from "./fakes.js";
import { runEvents } from "./run-events.js";

const systems = [
  ["GitHub Actions", { GITHUB_ACTIONS: "true" }, "::group::", "::endgroup::"],
  ["Azure Pipelines", { TF_BUILD: "True" }, "##[group]", "##[endgroup]"],
  [
    "GitLab",
    { GITLAB_CI: "true" },
    "\u001b[0Ksection_start:1769860800:aro_hcp_1769860800_1[collapsed=true]\r\u001b[0K",
    "\u001b[0Ksection_end:1769860800:aro_hcp_1769860800_1\r\u001b[0K",
  ],
] as const;

test.each(systems)("in %s, the lines of a run are a group, and the failure below is not in it", (_, environment, begin, end) => {
  const { screen, text } = fakeScreen({ environment });
  const view = createPlainView(screen, fakeTicker());
  for (const event of runEvents) if (typeof event !== "number") view.emit(event);
  view.stop();
  view.say(painted("error: ..."));
  const lines = text().trimEnd().split("\n");
  expect(lines[0]).toBe(`${begin}create infra demo-x7k2: 6 steps`);
  expect(lines.slice(-2)).toEqual([end, "error: ..."]);
  expect(lines.filter((line) => line === end)).toHaveLength(1);
});

test.each(systems)(
  "in %s, a plan that only creates is a group with its counts, and one that removes is in sight",
  (_, environment, begin, end) => {
    const { screen } = fakeScreen({ environment });
    const group = { title: "resource group demo", act: "create" } as const;
    expect(planText(screen, [group])).toBe(`${begin}plan: 1 to create\n  + create  resource group demo\n${end}\n\n1 to create`);
    expect(planText(screen, [group, { title: "rule", act: "remove" }])).not.toContain(begin);
  },
);

test("in GitLab, each section has a name of its own, and no text of others is a marker", () => {
  const { screen, text } = fakeScreen({ environment: { GITLAB_CI: "true" } });
  const { fold } = screen;
  const ends = ["plan", "run"].map((title) => {
    screen.show(painted(fold?.begin(title) ?? ""));
    return fold?.end() ?? "";
  });
  expect(new Set(ends).size).toBe(2);
  screen.print("\u001b[0Ksection_end:1:other\r\u001b[0K");
  expect(text().trimEnd().split("\n").at(-1)?.trim()).toBe("[0Ksection_end: 1:other  [0K");
});

test.each(systems)("in %s, the title of others and a line like a marker are no commands", (_, environment, begin, end) => {
  const { screen, text } = fakeScreen({ environment });
  screen.show(painted(screen.fold?.begin("##vso[a]b ##[error]c") ?? ""));
  screen.show(painted(screen.fold?.end() ?? ""));
  screen.print(`${begin}mine\n${end}`);
  const [first, second, ...others] = text().trimEnd().split("\n");
  expect([first, second]).toEqual([`${begin}## vso[a]b ## [error]c`, end]);
  expect(others.join("\n")).not.toMatch(/^::|##\[|section_(?:start|end):\d/mu);
});

test("a terminal and other systems have no markers", () => {
  expect(fakeScreen({ terminal: true, environment: { GITHUB_ACTIONS: "true" } }).screen.fold).toBeUndefined();
  expect(fakeScreen({ environment: { CI: "true" } }).screen.fold).toBeUndefined();
});
