import { expect, test } from "vitest";
import { toFailure } from "../../src/azure/to-failure.js";
import { Failure } from "../../src/errors/failure.js";
import { broken, holds, notChecked, type Check, type Finding, type Result } from "../../src/verify/check.js";
import { checkInstance, type CheckInstance } from "../../src/verify/check-instance.js";
import { runChecks } from "../../src/verify/run.js";

const check = (id: string, severity: Check["severity"] = "error"): Check => ({ id, sentence: `${id} holds`, severity });

function run(instances: readonly CheckInstance[], signal = new AbortController().signal): Promise<Result[]> {
  return runChecks(instances, { concurrency: 4, signal, emit: () => undefined, elapsedMs: () => 0, toFailure });
}

const statesOf = (results: readonly Result[]) => results.map(({ check: id, state }) => `${id} ${state}`);

test("what an inspection saw is handed on to those that need it", async () => {
  const secret = checkInstance(check("secret"), "cpo", {}, () => holds("version 3", { version: 3 }));
  const dates = checkInstance(check("dates"), "cpo", { secret }, ({ secret: { version } }) => holds(`seen ${String(version)}`));
  const [, result] = await run([secret, dates]);
  expect(result).toEqual({
    check: "dates",
    subject: "cpo",
    state: "passed",
    sentence: "dates holds",
    severity: "error",
    evidence: "seen 3",
    next: undefined,
  });
});

test("behind a broken link all is skipped, and the first that broke is the reason", async () => {
  const vault = checkInstance(check("vault"), "kv", {}, (): Finding<string> => broken("it is not there", "make it"));
  const secret = checkInstance(check("secret"), "cpo", { vault }, () => holds("", 1));
  const dates = checkInstance(check("dates"), "cpo", { secret }, () => holds(""));
  const other = checkInstance(check("other"), "cpo", {}, () => holds(""));
  const results = await run([dates, secret, vault, other]);
  expect(statesOf(results)).toEqual(["dates skipped", "secret skipped", "vault failed", "other passed"]);
  expect(results[0]?.evidence).toBe("vault of kv does not hold");
  expect(results[2]?.next).toBe("make it");
});

test("a warning that hands something on does not hold up what needs it", async () => {
  const expiry = checkInstance(check("expiry", "warning"), "cpo", {}, (): Finding<string> => ({
    holds: false,
    evidence: "3 days",
    next: "rotate",
    handedOn: { value: "pem" },
  }));
  const signIn = checkInstance(check("sign-in"), "cpo", { expiry }, ({ expiry: pem }) => holds(`with ${pem}`));
  expect(statesOf(await run([expiry, signIn]))).toEqual(["expiry warning", "sign-in passed"]);
});

test("what is only heard holds nothing up, and tells what it saw where it holds", async () => {
  const directory = checkInstance(check("directory"), "cpo", {}, () => notChecked("closed"));
  const token = checkInstance(check("token"), "cpo", {}, () => holds("", "o-1"));
  const role = checkInstance(
    check("role"),
    "cpo",
    {},
    (_up, { a, b }) => holds(`${a.result.state} ${String(a.handedOn?.value)} ${String(b.handedOn?.value)}`),
    {
      a: directory,
      b: token,
    },
  );
  const results = await run([role, directory, token]);
  expect(statesOf(results)).toEqual(["role passed", "directory skipped", "token passed"]);
  expect(results[0]?.evidence).toBe("skipped undefined o-1");
});

test("what cannot be asked is skipped with its reason, and so is what needs it", async () => {
  const kms = checkInstance(check("kms"), "kms", {}, () => notChecked("no --encryption-key-id"));
  const key = checkInstance(check("key"), "kms", { kms }, () => holds(""));
  expect((await run([kms, key])).map(({ state, evidence }) => [state, evidence])).toEqual([
    ["skipped", "no --encryption-key-id"],
    ["skipped", "no --encryption-key-id"],
  ]);
});

test("what Azure refuses is the finding of the check that asked", async () => {
  const refused = new Failure("ARO-AUTHZ-001", "list secrets failed", {
    because: "the caller is not authorised",
    azure: { requestId: "r-1" },
  });
  const [result] = await run([checkInstance(check("secret"), "cpo", {}, () => Promise.reject(refused))]);
  expect(result).toMatchObject({
    state: "failed",
    evidence: "ARO-AUTHZ-001: list secrets failed; the caller is not authorised; request r-1",
  });
  expect(result?.next).not.toBe("");
});

test("an aborted verification ends with the reason, and is no result", async () => {
  const controller = new AbortController();
  const reason = new Failure("ARO-RUN-004", "interrupted");
  const first = checkInstance(check("first"), "a", {}, () => {
    controller.abort(reason);
    return holds("");
  });
  await expect(run([first, checkInstance(check("second"), "a", { first }, () => holds(""))], controller.signal)).rejects.toBe(reason);
});
