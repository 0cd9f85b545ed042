/** The page of a verification, as a browser shows it; skipped where there is no Chromium. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyDirectory } from "../embedded-azure/local-door.js";
import type { Flow } from "../../src/render/report/flow-drawing.js";
import { reportPage } from "../../src/render/report/page.js";
import type { ShownResult } from "../../src/render/verification-text.js";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

const flow: Flow = {
  columns: ["component", "proof", "principal", "role", "works on"],
  lanes: ["cpo", "disk"].map((subject) => ({
    subject,
    plane: "control plane",
    cells: [
      { label: subject, detail: "", checks: ["file-values"] },
      { label: `demo-${subject}`, detail: "certificate", checks: ["secret-exists"] },
      { label: "application", detail: "f4a7585b-9a23-4e1c-baa9-326975d33780", checks: ["sign-in"] },
      { label: "Contributor", detail: "b24988ac-6180-42a0-ab88-20f7382dd24c", checks: ["role-assigned"] },
    ],
    targets: ["managed"],
  })),
  targets: [{ id: "managed", subject: "demo-demo-x7k2", label: "demo-demo-x7k2", detail: "managed group", checks: ["role-dangling"] }],
};

const result = (check: string, subject: string, state: ShownResult["state"], more: Partial<ShownResult> = {}): ShownResult => ({
  check,
  subject,
  state,
  sentence: `${check} holds`,
  evidence: "seen",
  next: undefined,
  ...more,
});
const results = [
  result("file-values", "cpo", "passed"),
  result("sign-in", "cpo", "failed", {
    evidence: `<img src=x onerror="alert(1)"> & AADSTS700027`,
    next: "run `aro-hcp rotate credentials`",
  }),
  result("role-assigned", "cpo", "skipped", { evidence: "sign-in of cpo does not hold" }),
  result("sign-in", "disk", "passed"),
  result("role-dangling", "demo-demo-x7k2", "warning", { next: "`az role assignment delete --ids /subscriptions/s`" }),
];

const page = (shown: readonly ShownResult[]) =>
  reportPage({ title: "Identities of demo", facts: [["verified", "today"]], flow, results: shown });

describe.skipIf(executablePath === undefined)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(async () => browser.close());

  async function open(text: string, options: { readonly colorScheme?: "light" | "dark"; readonly width?: number } = {}) {
    const file = `${emptyDirectory()}/report.html`;
    await writeFile(file, text);
    const { colorScheme = "light", width = 1280 } = options;
    const opened = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    opened.on("request", (request) => asked.push(request.url()));
    opened.on("console", (message) => complaints.push(message.text()));
    opened.on("dialog", (dialog) => complaints.push(dialog.message()));
    await opened.goto(pathToFileURL(file).href);
    return { opened, asked, complaints };
  }

  const widthOf = (opened: Page) => opened.evaluate("document.documentElement.scrollWidth - innerWidth");
  const contrastOf = (opened: Page, selector: string) => opened.evaluate<number>(`${contrast}(${JSON.stringify(selector)})`);

  test("it says what to do first, in words, and asks nothing of anybody", async () => {
    const { opened, asked, complaints } = await open(page(results));
    expect(await opened.title()).toBe("Identities of demo");
    expect(await opened.getByRole("article").allInnerTexts()).toEqual([
      expect.stringMatching(/FAIL cpo: sign-in[\s\S]*<img src=x onerror="alert\(1\)"> & AADSTS700027[\s\S]*run aro-hcp rotate credentials/),
      expect.stringMatching(/warn demo-demo-x7k2: role-dangling[\s\S]*az role assignment delete/),
    ]);
    expect(await opened.getByRole("row", { name: /sign-in holds/ }).allInnerTexts()).toEqual([
      expect.stringMatching(/^FAIL\s+sign-in/),
      expect.stringMatching(/^ok\s+sign-in/),
    ]);
    expect(await opened.getByRole("columnheader").allInnerTexts()).toEqual(["State", "Check", "Seen"]);
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test("the drawing shows each lane with the state of its links, within its frame", async () => {
    const { opened } = await open(page(results));
    const drawing = opened.getByRole("img", { name: "Flow of the identities" });
    expect(await drawing.locator("g.node.failed").allTextContents()).toEqual([expect.stringMatching(/^application.*FAIL$/)]);
    expect(await drawing.locator("path.edge").count()).toBe(8);
    expect(await opened.evaluate(outsideTheFrame)).toBe(0);
  });

  test.each(["light", "dark"] as const)("in %s every word can be read: contrast of 4.5 or more", async (colorScheme) => {
    const { opened } = await open(page(results), { colorScheme });
    for (const selector of [
      "h1",
      ".verdict",
      ".finding dt",
      ".state.failed",
      ".state.warning",
      ".state.skipped",
      ".state.passed",
      "td .soft",
      "code",
    ]) {
      expect(await contrastOf(opened, selector), selector).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("nothing sticks out on a narrow screen", async () => {
    const { opened } = await open(page(results), { width: 360 });
    expect(await widthOf(opened)).toBe(0);
  });

  test("a whole flow says so", async () => {
    const { opened } = await open(page(results.filter(({ state }) => state === "passed")));
    expect(await opened.locator(".verdict").innerText()).toMatch(/^Every check that was made holds/);
    expect(await opened.getByRole("article").count()).toBe(0);
  });
});

/** In the browser's own words, for it runs there. */
const outsideTheFrame = `(() => {
  const svg = document.querySelector("svg");
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text, rect")].filter((each) => each.getBoundingClientRect().right > frame.right + 1).length;
})()`;

/** WCAG 2, 1.4.3: of an element's text on the first ground behind it. */
const contrast = `((selector) => {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).slice(0, 3).map((value) => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const element = document.querySelector(selector);
  let ground = element;
  while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  const [one, other] = [luminance(getComputedStyle(element).color), luminance(getComputedStyle(ground).backgroundColor)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
})`;
