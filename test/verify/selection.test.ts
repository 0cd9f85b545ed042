import { expect, test } from "vitest";
import { passed, type Result } from "../../src/verify/check.js";
import { checkInstance, type CheckInstance } from "../../src/verify/check-instance.js";
import { selectedResults, withNeeds } from "../../src/verify/selection.js";

const check = (id: string) => ({ id, sentence: `${id} is correct`, severity: "error" as const });
const file = checkInstance(check("file"), "control plane", {}, () => passed("", "cpo"));
const chain = (subject: string): CheckInstance[] => {
  const secret = checkInstance(check("secret"), subject, { file }, () => passed("", "pem"));
  return [secret, checkInstance(check("sign-in"), subject, { secret }, () => passed(""))];
};
const all: readonly CheckInstance[] = [file, ...chain("cpo"), ...chain("disk")];

const idsOf = (instances: readonly CheckInstance[]) => instances.map(({ id }) => id);

test("without filters, all checks run", () => {
  expect(withNeeds(all, { subjects: [], checks: [] })).toEqual(all);
});

test("a selected check includes only the checks that it needs, directly or indirectly, in the original order", () => {
  expect(idsOf(withNeeds(all, { subjects: [], checks: ["sign-in"] }))).toEqual(idsOf(all));
  expect(idsOf(withNeeds(all, { subjects: ["disk"], checks: [] }))).toEqual(["file/control plane", "secret/disk", "sign-in/disk"]);
  expect(idsOf(withNeeds(all, { subjects: ["cpo"], checks: ["secret"] }))).toEqual(["file/control plane", "secret/cpo"]);
  expect(withNeeds(all, { subjects: ["disk"], checks: ["file"] })).toEqual([]);
});

test("checks that are not selected are reported only if they fail", () => {
  const result = (id: string, state: Result["state"]): Result => {
    const [name = "", subject = ""] = id.split("/");
    return { check: name, subject, state, sentence: "", severity: "error", evidence: "", next: undefined };
  };
  const results = [result("file/control plane", "failed"), result("secret/cpo", "passed"), result("sign-in/cpo", "skipped")];
  expect(selectedResults(results, { subjects: ["cpo"], checks: ["sign-in"] })).toEqual([results[0], results[2]]);
});
