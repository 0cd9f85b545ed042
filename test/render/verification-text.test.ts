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
      "  FAIL secret-exists: the secret exists, is enabled, and",
      "       within its dates",
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
  expect([marked("passed"), marked("passed", "skipped"), marked("skipped", "warning"), marked("warning", "failed")]).toEqual([
    "ok  ",
    "skip",
    "warn",
    "FAIL",
  ]);
});

test("what came from Azure cannot write on the terminal", () => {
  const { screen } = fakeScreen();
  expect(verificationText(screen, [row("a", "cpo", "failed", { evidence: "\u001b[2Jgone" })])).not.toContain("\u001b");
});

test("where nothing was checked, it says so", () => {
  expect(verificationText(fakeScreen().screen, [])).toContain("nothing was checked");
});
