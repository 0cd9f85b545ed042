import { expect, test } from "vitest";
import { holds, type Result } from "../../src/verify/check.js";
import { checkInstance, type CheckInstance } from "../../src/verify/check-instance.js";
import { selectedResults, withNeeds } from "../../src/verify/selection.js";

const check = (id: string) => ({ id, sentence: `${id} holds`, severity: "error" as const });
const file = checkInstance(check("file"), "control plane", {}, () => holds("", "cpo"));
const chain = (subject: string): CheckInstance[] => {
  const secret = checkInstance(check("secret"), subject, { file }, () => holds("", "pem"));
  return [secret, checkInstance(check("sign-in"), subject, { secret }, () => holds(""))];
};
const all: readonly CheckInstance[] = [file, ...chain("cpo"), ...chain("disk")];

const idsOf = (instances: readonly CheckInstance[]) => instances.map(({ id }) => id);

test("where nothing is named, all is run", () => {
  expect(withNeeds(all, { subjects: [], checks: [] })).toEqual(all);
});

test("a chosen check brings along what it needs, through others too, and nothing else, in the order of the whole", () => {
  expect(idsOf(withNeeds(all, { subjects: [], checks: ["sign-in"] }))).toEqual(idsOf(all));
  expect(idsOf(withNeeds(all, { subjects: ["disk"], checks: [] }))).toEqual(["file/control plane", "secret/disk", "sign-in/disk"]);
  expect(idsOf(withNeeds(all, { subjects: ["cpo"], checks: ["secret"] }))).toEqual(["file/control plane", "secret/cpo"]);
  expect(withNeeds(all, { subjects: ["disk"], checks: ["file"] })).toEqual([]);
});

test("what was not chosen is told only where it does not hold", () => {
  const result = (id: string, state: Result["state"]): Result => {
    const [name = "", subject = ""] = id.split("/");
    return { check: name, subject, state, sentence: "", severity: "error", evidence: "", next: undefined };
  };
  const results = [result("file/control plane", "failed"), result("secret/cpo", "passed"), result("sign-in/cpo", "skipped")];
  expect(selectedResults(results, { subjects: ["cpo"], checks: ["sign-in"] })).toEqual([results[0], results[2]]);
});
