import { expect, test } from "vitest";
import { verificationText, type ShownResult } from "../../src/render/verification-text.js";
import { fakeScreen } from "./fakes.js";

const row = (check: string, subject: string, state: ShownResult["state"], words: Partial<ShownResult> = {}): ShownResult => ({
  check,
  subject,
  state,
  sentence: "it is correct",
  evidence: "seen",
  next: undefined,
  ...words,
});

test("passed checks are one line, failed checks include finding and advice, and checks skipped for one reason are one line", () => {
  const { screen } = fakeScreen({ terminal: true, columns: 60 });
  const text = verificationText(screen, [
    row("secret-exists", "cpo", "passed"),
    row("sign-in", "cpo", "passed"),
    row("secret-exists", "disk", "failed", {
      sentence: "the secret exists, is enabled, and within its dates",
      evidence: "there is no secret demo-disk",
      next: "make it: `aro-hcp create identities --name demo --resource-group-name demo-common`, then again",
    }),
    row("credential-json", "disk", "skipped", { evidence: "depends on secret-exists of disk, which failed" }),
    row("sign-in", "disk", "skipped", { evidence: "depends on secret-exists of disk, which failed" }),
  ]);
  expect(text).toBe(
    [
      "ok   cpo   2 ok",
      "FAIL disk  1 failed, 2 skipped",
      "  FAIL secret-exists (expected: the secret exists, is",
      "       enabled, and within its dates)",
      "       found there is no secret demo-disk",
      "       next  make it:",
      "             `aro-hcp create identities --name demo --resource-group-name demo-common`,",
      "             then again",
      "  skip credential-json, sign-in: depends on secret-exists of",
      "       disk, which failed",
      "",
      "2 passed, 1 failed, 2 skipped",
    ].join("\n"),
  );
});

test("role assignments that passed are one line, and each one that failed is shown in full", () => {
  const { screen } = fakeScreen();
  const assigned = (index: number, state: ShownResult["state"]) => row("role-assigned", `role assignment ${String(index)}`, state);
  const text = verificationText(screen, [
    row("exists", "resource group demo", "passed"),
    ...[assigned(1, "passed"), assigned(2, "failed"), assigned(3, "passed"), assigned(4, "passed")],
    row("exists", "cluster demo", "passed"),
  ]);
  expect(text.split("\n")).toEqual([
    "ok   resource group demo",
    "ok   role assignments   3 ok",
    "ok   cluster demo",
    "FAIL role assignment 2  1 failed",
    "  FAIL role-assigned (expected: it is correct)",
    "       found seen",
    "",
    "5 passed, 1 failed",
  ]);
  expect(verificationText(screen, [assigned(1, "passed")])).toBe("ok   role assignment 1\n\n1 passed");
});

test("advice that several findings share is printed once, below them, with their number", () => {
  const { screen } = fakeScreen();
  const text = verificationText(screen, [
    row("role-assigned", "cpo", "failed", { next: "create it with `aro-hcp create infra`" }),
    row("role-assigned", "disk", "failed", { next: "create it with `aro-hcp create infra`" }),
    row("sign-in", "disk", "warning", { next: "wait" }),
  ]);
  expect(text.split("\n").filter((line) => line.includes("next"))).toEqual([
    "       next  wait",
    "next  for 2 findings: create it with `aro-hcp create infra`",
  ]);
});

test("in a pipe, no line is broken", () => {
  const long = "a reason of many words, ".repeat(8).trim();
  const results = [
    row("secret-exists", "cpo", "failed", { sentence: long, evidence: long, next: long }),
    row("secret-plain", "cpo", "skipped", { evidence: long }),
    ...["sign-in", "file-shape"].map((check, at) => row(check, `subject ${at}`, "skipped", { evidence: "they have this reason together" })),
  ];
  const text = verificationText(fakeScreen({ columns: 40 }).screen, results, { heading: long, closing: long });
  expect(text.split("\n").filter((line) => line.includes(long))).toHaveLength(6);
});

test("a subject has the mark of its worst result", () => {
  const { screen } = fakeScreen();
  const marked = (...states: ShownResult["state"][]) =>
    verificationText(
      screen,
      states.map((state) => row("a", "cpo", state)),
    ).slice(0, 4);
  expect([
    marked("passed"),
    marked("passed", "skipped"),
    marked("skipped"),
    marked("skipped", "warning"),
    marked("warning", "failed"),
  ]).toEqual(["ok  ", "ok  ", "skip", "warn", "FAIL"]);
});

test("text from Azure cannot control the terminal", () => {
  const { screen } = fakeScreen();
  expect(verificationText(screen, [row("a", "cpo", "failed", { evidence: "\u001b[2Jgone" })])).not.toContain("\u001b");
});

test("an empty verification says that nothing was checked", () => {
  expect(verificationText(fakeScreen().screen, [])).toContain("nothing was checked");
});

test("checks of several subjects skipped for one reason are one line, failures come last, and heading and closing surround the results", () => {
  const { screen } = fakeScreen({ columns: 100 });
  const reason = "depends on file-shape of control plane, which failed";
  const components = ["cpo", "disk", "file", "ingress", "network"];
  const skipped = components.flatMap((subject) =>
    ["secret-exists", "sign-in"].map((id) => row(id, subject, "skipped", { evidence: reason })),
  );
  const of = ["a", "b", "c", "d", "e"].map((id) => row(id, "vault", "skipped", { evidence: "it was not given" }));
  const text = verificationText(
    screen,
    [
      row("file-shape", "control plane", "failed", { next: "fix it" }),
      ...skipped,
      row("role-defined", "cpo", "passed"),
      row("x", "zone", "warning"),
      ...of,
    ],
    { heading: "identities of demo", closing: "run it again" },
  );
  expect(text).toBe(
    [
      "identities of demo",
      "",
      "ok   cpo",
      "skip vault          5 skipped",
      "  skip a, b, c and 2 more: it was not given",
      "skip 10 checks of cpo, disk, file and 2 more: depends on file-shape of control plane, which failed",
      "warn zone           1 warning",
      "  warn x (expected: it is correct)",
      "       found seen",
      "FAIL control plane  1 failed",
      "  FAIL file-shape (expected: it is correct)",
      "       found seen",
      "       next  fix it",
      "",
      "1 passed, 1 warning, 1 failed, 15 skipped",
      "run it again",
    ].join("\n"),
  );
});

test("a long subject does not make the lines of the others longer than the window", () => {
  const { screen } = fakeScreen({ terminal: true, columns: 60 });
  const long = "role assignment Network Contributor of azure-disk on network demo-x7k2";
  const text = verificationText(screen, [row("resource-exists", "vnet", "passed"), row("resource-exists", long, "passed")]);
  expect(text).toContain("ok   vnet\n");
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
});
