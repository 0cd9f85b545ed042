/** The page of a report, as a browser shows it; skipped without Chromium. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import type { FlowDiagram } from "../../src/render/flow-diagram.js";
import { verdictOf } from "../../src/render/report/check-results.js";
import { reportPage } from "../../src/render/report/page.js";
import type { TimedStep } from "../../src/render/report/timeline.js";
import type { ShownResult } from "../../src/render/verification-text.js";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));

/** Two flows that end at the same group; one secret has the longest name that a vault allows. */
const flow: FlowDiagram = {
  title: "identities of demo",
  groups: [
    {
      id: "secrets",
      title: "key vault kv",
      nodes: [node("cpo/secret", "secret", "n".repeat(127)), node("disk/secret", "secret", "demo-disk")],
    },
    { id: "pods", title: "pods", nodes: [node("cpo/pod", "pod", "operator", "class"), node("disk/pod", "pod", "driver")] },
    {
      id: "applications",
      title: "applications",
      nodes: [
        node("cpo/principal", "principal", "cpo", "f4a7585b-9a23-4e1c-baa9-326975d33780"),
        node("disk/principal", "principal", "disk"),
      ],
    },
    { id: "roles", title: "roles", nodes: [node("cpo/role", "role", "Contributor"), node("disk/role", "role", "Contributor")] },
    { id: "scopes", title: "scopes", nodes: [node("shared/managed", "scope", "resource group demo-demo-x7k2 (managed)")] },
  ],
  arrows: ["cpo", "disk"].flatMap((name) => [
    { from: `${name}/secret`, to: `${name}/pod` },
    { from: `${name}/pod`, to: `${name}/principal` },
    { from: `${name}/principal`, to: `${name}/role` },
    { from: `${name}/role`, to: "shared/managed" },
  ]),
};

function node(id: string, kind: "secret" | "pod" | "principal" | "role" | "scope", ...lines: readonly string[]) {
  return { id, kind, lines };
}

const result = (check: string, subject: string, state: ShownResult["state"], more: Partial<ShownResult> = {}): ShownResult => ({
  check,
  subject,
  state,
  sentence: `${check} is correct`,
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
  result("role-assigned", "cpo", "skipped", { evidence: "depends on sign-in of cpo, which failed" }),
  result("sign-in", "disk", "passed"),
  result("role-dangling", "demo-demo-x7k2", "warning", { next: "`az role assignment delete --ids /subscriptions/s`" }),
];

const places = { "cpo/pod": 0, "cpo/principal": 1, "cpo/role": 2, "disk/principal": 3, "shared/managed": 4 };
const page = (shown: readonly ShownResult[]) =>
  reportPage({
    title: "Identities of demo",
    facts: [["started", "today"]],
    verdict: verdictOf(shown),
    failures: [],
    drawing: {
      title: "From the secret to Azure",
      flow,
      found: new Map(Object.entries(places).map(([id, index]) => [id, shown.filter((one) => one === results[index])])),
    },
    results: shown,
  });

/** A run whose critical chain is a vault, and a certificate that waits and fails. */
const runPage = (title = "create all demo") =>
  reportPage({
    title,
    facts: [["command", "aro-hcp create all"]],
    verdict: { state: "failed", sentence: "create all demo did not complete", detail: "1 created, 1 failed" },
    failures: [
      [
        { label: "error", text: "certificate <demo> failed" },
        { label: "next", text: "rerun `aro-hcp create all`" },
      ],
    ],
    timeline: {
      elapsedMs: 20_000,
      steps: [
        step("certificate <demo>", 5_000, 20_000, { word: "failed", state: "failed", isCritical: true, waits: [wait] }),
        step("Key Vault kv", 0, 5_000, { isCritical: true, usualMs: 4_000 }),
        ...Array.from({ length: 30 }, (_, index) => step(`role ${String(index)}`, 100 * index, 100 * index + 50)),
      ],
    },
    resources: {
      title: "Resources",
      words: "Result",
      kinds: [
        {
          name: "Key Vaults",
          resources: [
            {
              title: "Key Vault kv",
              id: "/subscriptions/s/kv",
              link: "https://portal.azure.com/#resource/x",
              word: "created",
              state: "passed",
            },
          ],
        },
        {
          name: "certificates",
          resources: [{ title: "certificate <demo>", id: undefined, link: undefined, word: "failed", state: "failed" }],
        },
      ],
    },
    written: [{ path: "demo/infra.json", what: "the infrastructure" }],
    next: ["check it: `aro-hcp verify infra`"],
  });

const wait = { reason: "waiting for the role", fromMs: 1_000, toMs: 13_000 };

function step(title: string, startedMs: number, endedMs: number, more: Partial<TimedStep> = {}): TimedStep {
  return { title, word: "created", state: "passed", startedMs, endedMs, isCritical: false, waits: [], ...more };
}

describe.skipIf(executablePath === undefined)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(async () => browser.close());

  async function open(text: string, options: { readonly colorScheme?: "light" | "dark"; readonly width?: number } = {}) {
    const file = `${temporaryDirectory().path}/report.html`;
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

  test("the findings come first, as text, and the page sends no requests", async () => {
    const { opened, asked, complaints } = await open(page(results));
    expect(await opened.title()).toBe("Identities of demo");
    expect(await opened.getByRole("article").allInnerTexts()).toEqual([
      expect.stringMatching(
        /FAIL cpo: <img src=x onerror="alert\(1\)"> & AADSTS700027[\s\S]*sign-in is correct[\s\S]*run aro-hcp rotate credentials[\s\S]*sign-in$/,
      ),
      expect.stringMatching(/warn demo-demo-x7k2: seen[\s\S]*az role assignment delete/),
    ]);
    expect(await opened.locator("summary").allInnerTexts()).toEqual(["1 check skipped", "2 checks passed"]);
    expect(await opened.getByRole("row", { name: /sign-in is correct/ }).count()).toBe(0);
    await opened.getByText("2 checks passed").click();
    expect(await opened.getByRole("row", { name: /sign-in is correct/ }).allInnerTexts()).toEqual([expect.stringMatching(/^ok\s+sign-in/)]);
    expect(await opened.getByRole("columnheader").allInnerTexts()).toEqual(["State", "Check", "Found"]);
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test("the drawing shows each flow with the state of its links, and all text is inside its box", async () => {
    const { opened } = await open(page(results));
    const drawing = opened.getByRole("img", { name: "Flow of the identities of demo" });
    const titlesOf = (state: string) => drawing.locator(`g.node.${state} > title`).allTextContents();
    expect(await titlesOf("failed")).toEqual(["cpo, f4a7585b-9a23-4e1c-baa9-326975d33780, FAIL: sign-in"]);
    expect(await titlesOf("warning")).toEqual(["resource group demo-demo-x7k2 (managed), warn: role-dangling"]);
    // A node that no check read does not look as if it had passed.
    expect((await titlesOf("skipped")).toSorted()).toEqual([
      "Contributor, skip: not checked",
      "Contributor, skip: role-assigned",
      "demo-disk, skip: not checked",
      "driver, skip: not checked",
      `${"n".repeat(127)}, skip: not checked`,
    ]);
    expect(await titlesOf("passed")).toEqual(["operator, class, ok", "disk, ok"]);
    expect(await opened.evaluate("[...document.querySelectorAll('g.edge')].map((edge) => edge.getAttribute('class'))")).toEqual([
      ...["edge passed", "edge failed", "edge skipped", "edge skipped"],
      ...["edge skipped", "edge passed", "edge skipped", "edge skipped"],
    ]);
    expect(await drawing.locator("desc").textContent()).toContain(
      "operator, class, ok; cpo, f4a7585b-9a23-4e1c-baa9-326975d33780, FAIL: sign-in; Contributor, skip: role-assigned; resource group demo-demo-x7k2 (managed), warn: role-dangling.",
    );
    expect(await opened.evaluate(outsideOfBoxes)).toEqual([]);
  });

  test("on paper, the drawing is as wide as the page, in light colors", async () => {
    const { opened } = await open(page(results), { colorScheme: "dark", width: 1030 });
    await opened.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await widthOf(opened)).toBe(0);
    expect(await opened.evaluate("document.querySelector('svg').getBoundingClientRect().right <= innerWidth")).toBe(true);
    expect(await opened.evaluate("getComputedStyle(document.body).color")).toBe("rgb(27, 33, 48)");
  });

  test.each(["light", "dark"] as const)("in %s, all text has a contrast of at least 4.5", async (colorScheme) => {
    const { opened } = await open(page(results), { colorScheme });
    for (const selector of [
      "h1",
      ".verdict",
      ".finding dt",
      ".state.failed",
      ".state.warning",
      ".state.skipped",
      ".state.passed",
      "summary",
      "code",
      "svg .panel text",
      "svg .failed text",
      "svg .failed .detail",
      "svg .warning text",
      "svg .skipped text",
      "svg .passed .detail",
    ]) {
      expect(await contrastOf(opened, selector), selector).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each([
    ["verification", page(results)],
    ["run", runPage()],
    ["run with a long name", runPage(`create all ${"n".repeat(200)}`)],
  ])("nothing on the page of a %s is wider than a narrow screen", async (_, text) => {
    const { opened } = await open(text, { width: 360 });
    expect(await widthOf(opened)).toBe(0);
  });

  test("a run has its failure first, and its chain, and each bar is where the step ran", async () => {
    const { opened, asked, complaints } = await open(runPage());
    expect(await opened.getByRole("article").allInnerTexts()).toEqual([
      expect.stringMatching(/^FAIL certificate <demo> failed\s+next\s+rerun aro-hcp create all$/),
    ]);
    expect(await opened.locator(".chain li").allInnerTexts()).toEqual(["Key Vault kv 5.0s", "certificate <demo> 15s"]);
    const rows = opened.getByRole("row", { name: /^(Key Vault kv|certificate)/ });
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^Key Vault kv\s+5.0s\s+usually 4.0s/),
      expect.stringMatching(/^certificate <demo> failed\s+12s waiting for the role\s+15s/),
    ]);
    // In per cent of the track: the start and the end of each bar, then those of the wait.
    expect(await opened.evaluate(bars)).toEqual([
      [0, 25],
      [25, 100],
    ]);
    expect(await opened.evaluate(waitsInBars)).toEqual([[30, 90]]);
    expect(await opened.locator("summary").allInnerTexts()).toEqual(["16 other steps", "Key Vaults 1 created", "certificates 1 failed"]);
    expect(await opened.getByRole("row", { name: /^failed\s+certificate <demo>/ }).count()).toBe(1);
    await opened.locator("summary", { hasText: "Key Vaults" }).click();
    expect(await opened.getByRole("link", { name: "Key Vault kv" }).getAttribute("href")).toBe("https://portal.azure.com/#resource/x");
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test.each(["light", "dark"] as const)("in %s, the text of a run has a contrast of at least 4.5", async (colorScheme) => {
    const { opened } = await open(runPage(), { colorScheme });
    for (const selector of [".chain li", ".gantt caption", ".gantt .soft", "summary .soft", "ul.panel li", ".resources td a"]) {
      expect(await contrastOf(opened, selector), selector).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("on paper, what is folded is in sight", async () => {
    const { opened } = await open(runPage());
    await opened.emulateMedia({ media: "print" });
    expect(
      await opened.evaluate("[...document.querySelectorAll('details table')].every((table) => table.getBoundingClientRect().height > 20)"),
    ).toBe(true);
  });

  test("a page without findings says that all checks passed", async () => {
    const { opened } = await open(page(results.filter(({ state }) => state === "passed")));
    expect(await opened.locator(".verdict").innerText()).toMatch(/^All checks passed/);
    expect(await opened.getByRole("article").count()).toBe(0);
  });
});

/** JavaScript that runs in the browser: the first two bars, in per cent of their tracks. */
const inPerCent = `(inner, outer) => {
  const [one, all] = [inner.getBoundingClientRect(), outer];
  return [one.left, one.right].map((x) => Math.round((100 * (x - all.left)) / all.width));
}`;
const bars = `[...document.querySelectorAll(".bar")].filter((bar) => bar.closest(".critical")).map((bar) => {
  const track = bar.parentElement;
  const style = getComputedStyle(track);
  const left = track.getBoundingClientRect().left + parseFloat(style.paddingLeft);
  return (${inPerCent})(bar, { left, width: track.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) });
})`;
const waitsInBars = `[...document.querySelectorAll(".bar .wait")].map((wait) => {
  const track = wait.closest(".track");
  const style = getComputedStyle(track);
  const left = track.getBoundingClientRect().left + parseFloat(style.paddingLeft);
  return (${inPerCent})(wait, { left, width: track.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) });
})`;

/** JavaScript that runs in the browser. */
const outsideOfBoxes = `[...document.querySelectorAll("svg .node, svg .panel")].flatMap((each) => {
  const box = each.querySelector("rect").getBoundingClientRect();
  const words = [...each.querySelectorAll("text")].filter((text) => {
    const { right, bottom } = text.getBoundingClientRect();
    return right > box.right || bottom > box.bottom;
  });
  return words.map((text) => text.textContent);
})`;

/** WCAG 2, 1.4.3: the contrast of text with the first background behind it; in the drawing, with its box. */
const contrast = `((selector) => {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).slice(0, 3).map((value) => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const element = document.querySelector(selector);
  const box = element.closest("svg") && element.parentElement.querySelector("rect");
  let ground = element;
  while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  const colours = box
    ? [getComputedStyle(element).fill, getComputedStyle(box).fill]
    : [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
  const [one, other] = colours.map(luminance);
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
})`;
