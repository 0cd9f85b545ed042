import { expect, test } from "vitest";
import { toFailure } from "../../src/azure/to-failure.js";
import { Failure } from "../../src/errors/failure.js";
import { failed, passed, notChecked, type Check, type Finding, type Result } from "../../src/verify/check.js";
import { checkInstance, endingsOf, firstOf, unlessFailed, type CheckInstance } from "../../src/verify/check-instance.js";
import { runChecks } from "../../src/verify/run.js";

const check = (id: string, severity: Check["severity"] = "error"): Check => ({ id, sentence: `${id} is correct`, severity });

function run(instances: readonly CheckInstance[], signal = new AbortController().signal): Promise<Result[]> {
  return runChecks(instances, { concurrency: 4, signal, emit: () => undefined, elapsedMs: () => 0, toFailure });
}

const statesOf = (results: readonly Result[]) => results.map(({ check: id, state }) => `${id} ${state}`);

test("the output of a check instance is passed to those that need it", async () => {
  const secret = checkInstance(check("secret"), "cpo", {}, () => passed("version 3", { version: 3 }));
  const dates = checkInstance(check("dates"), "cpo", { secret }, ({ secret: { version } }) => passed(`seen ${String(version)}`));
  const [, result] = await run([secret, dates]);
  expect(result).toEqual({
    check: "dates",
    subject: "cpo",
    state: "passed",
    sentence: "dates is correct",
    severity: "error",
    evidence: "seen 3",
    next: undefined,
  });
});

test("after a failure, all dependent checks are skipped, and the first failure is the reason", async () => {
  const vault = checkInstance(check("vault"), "kv", {}, (): Finding<string> => failed("it does not exist", "create it"));
  const secret = checkInstance(check("secret"), "cpo", { vault }, () => passed("", 1));
  const dates = checkInstance(check("dates"), "cpo", { secret }, () => passed(""));
  const other = checkInstance(check("other"), "cpo", {}, () => passed(""));
  const results = await run([dates, secret, vault, other]);
  expect(statesOf(results)).toEqual(["dates skipped", "secret skipped", "vault failed", "other passed"]);
  expect(results[0]?.evidence).toBe("depends on vault of kv, which failed");
  expect(results[2]?.next).toBe("create it");
});

test("a warning with an output does not skip the checks that need it", async () => {
  const expiry = checkInstance(check("expiry", "warning"), "cpo", {}, (): Finding<string> => ({
    passed: false,
    evidence: "3 days",
    next: "rotate",
    output: { value: "pem" },
  }));
  const signIn = checkInstance(check("sign-in"), "cpo", { expiry }, ({ expiry: pem }) => passed(`with ${pem}`));
  expect(statesOf(await run([expiry, signIn]))).toEqual(["expiry warning", "sign-in passed"]);
});

test("how an instance ended can be an input, whether it passed or not", async () => {
  const directory = checkInstance(check("directory"), "cpo", {}, () => notChecked("closed"));
  const token = checkInstance(check("token"), "cpo", {}, () => passed("", "o-1"));
  const role = checkInstance(check("role"), "cpo", { ends: endingsOf<unknown, string>(directory, token) }, ({ ends }) =>
    passed(ends.map(({ result, output }) => `${result.state} ${String(output?.value)}`).join(", ")),
  );
  const results = await run([role, directory, token]);
  expect(statesOf(results)).toEqual(["role passed", "directory skipped", "token passed"]);
  expect(results[0]?.evidence).toBe("skipped undefined, passed o-1");
});

test("the first output of several is the input; without one, the first instance is the reason", async () => {
  const directory = checkInstance(check("directory"), "cpo", {}, (): Finding<string> => notChecked("closed"));
  const token = checkInstance(check("token"), "cpo", {}, () => passed("", "o-1"));
  const refused = checkInstance(check("refused"), "cpo", {}, (): Finding<string> => failed("", ""));
  const role = checkInstance(check("role"), "cpo", { id: firstOf(directory, refused, token) }, ({ id }) => passed(id));
  const other = checkInstance(check("other"), "cpo", { id: firstOf(directory, refused) }, ({ id }) => passed(id));
  const results = await run([role, other, directory, token, refused]);
  expect(results.slice(0, 2).map(({ state, evidence }) => [state, evidence])).toEqual([
    ["passed", "o-1"],
    ["skipped", "closed"],
  ]);
});

test("a failure skips what needs it not to fail; a skipped check does not", async () => {
  const skipped = checkInstance(check("skipped"), "cpo", {}, () => notChecked("closed"));
  const broken = checkInstance(check("broken"), "cpo", {}, () => failed("", ""));
  const runs = checkInstance(check("runs"), "cpo", { skipped: unlessFailed(skipped) }, () => passed(""));
  const stops = checkInstance(check("stops"), "cpo", { either: unlessFailed(skipped, broken) }, () => passed(""));
  const results = await run([skipped, broken, runs, stops]);
  expect(statesOf(results)).toEqual(["skipped skipped", "broken failed", "runs passed", "stops skipped"]);
  expect(results[3]?.evidence).toBe("depends on broken of cpo, which failed");
});

test("a check without its input is skipped with a reason, and so are the checks that need it", async () => {
  const kms = checkInstance(check("kms"), "kms", {}, () => notChecked("no --encryption-key-id"));
  const key = checkInstance(check("key"), "kms", { kms }, () => passed(""));
  expect((await run([kms, key])).map(({ state, evidence }) => [state, evidence])).toEqual([
    ["skipped", "no --encryption-key-id"],
    ["skipped", "no --encryption-key-id"],
  ]);
});

test("a request that Azure refuses fails the check", async () => {
  const refused = new Failure("ARO-AUTHZ-001", "list secrets failed", {
    because: "the caller is not authorized",
    azure: { requestId: "r-1" },
  });
  const [result] = await run([checkInstance(check("secret"), "cpo", {}, () => Promise.reject(refused))]);
  expect(result).toMatchObject({
    state: "failed",
    evidence: "ARO-AUTHZ-001: list secrets failed; the caller is not authorized; request r-1",
  });
  expect(result?.next).not.toBe("");
});

test("an aborted verification throws the reason and returns no results", async () => {
  const controller = new AbortController();
  const reason = new Failure("ARO-RUN-004", "interrupted");
  const first = checkInstance(check("first"), "a", {}, () => {
    controller.abort(reason);
    return passed("");
  });
  await expect(run([first, checkInstance(check("second"), "a", { first }, () => passed(""))], controller.signal)).rejects.toBe(reason);
});
