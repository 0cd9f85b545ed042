import { expect, test } from "vitest";
import { verificationText, type ShownResult } from "../../src/render/verification-text.js";
import { fakeScreen } from "./fakes.js";

const row = (check: string, subject: string, state: ShownResult["state"], words: Partial<ShownResult> = {}): ShownResult => ({
  check,
  subject,
  state,
  sentence: "it holds",
  evidence: "seen",
  next: undefined,
  ...words,
});

test("what holds is one line; what does not comes with what was seen and what to do; what is skipped for one reason is one line", () => {
  const { screen } = fakeScreen({ columns: 60 });
  const text = verificationText(screen, [
    row("secret-exists", "cpo", "passed"),
    row("sign-in", "cpo", "passed"),
    row("secret-exists", "disk", "failed", {
      sentence: "the secret exists, is enabled, and within its dates",
      evidence: "there is no secret demo-disk",
      next: "make it: `aro-hcp create identities --name demo --resource-group-name demo-common`, then again",
    }),
    row("credential-json", "disk", "skipped", { evidence: "secret-exists of disk does not hold" }),
    row("sign-in", "disk", "skipped", { evidence: "secret-exists of disk does not hold" }),
  ]);
  expect(text).toBe(
    [
      "ok   cpo   2 ok",
      "FAIL disk  1 failed, 2 skipped",
      "  FAIL secret-exists (must hold: the secret exists, is",
      "       enabled, and within its dates)",
      "       seen there is no secret demo-disk",
      "       next make it:",
      "            `aro-hcp create identities --name demo --resource-group-name demo-common`,",
      "            then again",
      "  skip credential-json, sign-in: secret-exists of disk does",
      "       not hold",
      "",
      "2 passed, 1 failed, 2 skipped",
    ].join("\n"),
  );
});

test("a subject is marked by the worst that was found of it", () => {
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

test("what came from Azure cannot write on the terminal", () => {
  const { screen } = fakeScreen();
  expect(verificationText(screen, [row("a", "cpo", "failed", { evidence: "\u001b[2Jgone" })])).not.toContain("\u001b");
});

test("where nothing was checked, it says so", () => {
  expect(verificationText(fakeScreen().screen, [])).toContain("nothing was checked");
});

test("what is skipped for one reason is one line however many it is of, failures come last, and a heading and an advice for all stand around", () => {
  const { screen } = fakeScreen({ columns: 100 });
  const reason = "file-shape of control plane does not hold";
  const components = ["cpo", "disk", "file", "ingress", "network"];
  const skipped = components.flatMap((subject) =>
    ["secret-exists", "sign-in"].map((id) => row(id, subject, "skipped", { evidence: reason })),
  );
  const of = ["a", "b", "c", "d", "e"].map((id) => row(id, "vault", "skipped", { evidence: "it was not given" }));
  const text = verificationText(
    screen,
    [
      row("file-shape", "control plane", "failed", { next: "mend it" }),
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
      "ok   cpo            1 ok",
      "skip vault          5 skipped",
      "  skip a, b, c and 2 more: it was not given",
      "skip 10 checks of cpo, disk, file and 2 more: file-shape of control plane does not hold",
      "warn zone           1 warning",
      "  warn x (must hold: it holds)",
      "       seen seen",
      "FAIL control plane  1 failed",
      "  FAIL file-shape (must hold: it holds)",
      "       seen seen",
      "       next mend it",
      "",
      "1 passed, 1 warning, 1 failed, 15 skipped",
      "run it again",
    ].join("\n"),
  );
});
