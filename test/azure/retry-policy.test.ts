/** The retry policy: which responses are retried, how soon, and for how long. */
import { RestError, type PipelineResponse } from "@azure/core-rest-pipeline";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryPolicy } from "../../src/azure/retry-policy.js";
import { longestRetryAfterMs, lostConnection, noResponse, retryRules, type RetryRule } from "../../src/azure/retry-rules.js";
import { Uncertain } from "../../src/errors/stale.js";
import { answer, notedClock, requestOf, type NotedClock } from "./answers.js";

interface Tried {
  readonly tries: number;
  readonly waits: readonly number[];
  readonly notes: readonly string[];
  readonly outcome: PipelineResponse | Error;
}

interface Setting {
  readonly method?: "GET" | "PUT" | "PATCH" | "DELETE";
  readonly random?: () => number;
  readonly clock?: NotedClock;
  readonly register?: () => Promise<boolean>;
  readonly brief?: boolean;
}

/** Sends one request; `answers` are returned in order, and the last one repeatedly. */
async function send(answers: readonly (PipelineResponse | Error)[], setting: Setting = {}): Promise<Tried> {
  const { method = "PUT", random = () => 0.5, clock = notedClock(), register = async () => true, brief = false } = setting;
  const notes: string[] = [];
  const policy = retryPolicy({ clock, random, register, brief, note: (text) => notes.push(text) });
  let tries = 0;
  const next = async () => {
    const given = answers[Math.min(tries, answers.length - 1)];
    tries += 1;
    if (given instanceof Error) throw given;
    return given ?? answer(200);
  };
  const outcome = await policy.sendRequest(requestOf(method), next).catch((error: unknown) => error as Error);
  return { tries, waits: clock.waits, notes, outcome };
}

const ok = answer(200);
const lost = (code: string) => new RestError("lost", { code });
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** A response that matches the rule, and a method that the rule applies to. */
const struck = (rule: RetryRule) =>
  [
    answer(rule.statuses[0] ?? 0, { code: rule.codes?.[0] ?? "Whatever", message: rule.messagePattern?.source.split("|")[0] ?? "" }),
    (rule.methods?.[0] ?? "PUT") as "PUT",
  ] as const;

describe.each(retryRules.map((rule) => [rule.because, rule] as const))("where %s", (because, rule) => {
  const [refusal, method] = struck(rule);

  test("it retries, and shows the reason", async () => {
    const { outcome, notes } = await send([refusal, ok], { method });
    expect(outcome).toBe(ok);
    expect(notes).toEqual([expect.stringContaining(`${because} (`)]);
  });

  test("waits double up to the longest, each at least half random, within the time limit", async () => {
    for (const part of [0, 0.5, 1]) {
      const { outcome, waits } = await send([refusal], { method, random: () => part });
      expect(outcome).toBe(refusal);
      waits.forEach((wait, index) => {
        const most = Math.min(rule.maxMs, rule.firstMs * 2 ** index);
        expect(wait).toBe(most / 2 + (part * most) / 2);
      });
      expect(sum(waits)).toBeLessThanOrEqual(rule.totalMs);
      expect(sum(waits)).toBeGreaterThan(rule.totalMs - rule.maxMs);
    }
  });
});

test("for any random numbers, a wait is between half of its backoff and all of it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...retryRules),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 }),
      async (rule, chances) => {
        let next = 0;
        const [refusal, method] = struck(rule);
        const { waits } = await send([refusal], { method, random: () => chances[next++ % chances.length] ?? 0 });
        for (const [index, wait] of waits.entries()) {
          const most = Math.min(rule.maxMs, rule.firstMs * 2 ** index);
          expect(wait).toBeGreaterThanOrEqual(most / 2);
          expect(wait).toBeLessThanOrEqual(most);
        }
        expect(sum(waits)).toBeLessThanOrEqual(rule.totalMs);
      },
    ),
    { numRuns: 50 },
  );
});

test.each([
  ["400 with an unknown code", 400, "InvalidParameter", "PUT"],
  ["401", 401, "InvalidAuthenticationToken", "GET"],
  ["403", 403, "AuthorizationFailed", "PUT"],
  ["404 of a read", 404, "ResourceGroupNotFound", "GET"],
  ["404 of a delete", 404, "ResourceGroupNotFound", "DELETE"],
  ["404 of a missing resource", 404, "ResourceNotFound", "PUT"],
  ["409 of another kind", 409, "ResourceGroupBeingDeleted", "PUT"],
  ["412", 412, "PreconditionFailed", "PUT"],
  ["the poll of a blocked group deletion, because of a resource in use", 409, "InUseSubnetCannotBeDeleted", "GET"],
] as const)("%s is not retried", async (_title, status, code, method) => {
  const refusal = answer(status, { code });
  expect(await send([refusal, ok], { method })).toMatchObject({ tries: 1, waits: [], outcome: refusal });
});

test("Retry-After replaces the backoff, with at most a tenth more", async () => {
  const refusal = answer(503, { headers: { "retry-after": "40" } });
  expect((await send([refusal, ok], { random: () => 0 })).waits).toEqual([40_000]);
  expect((await send([refusal, ok], { random: () => 1 })).waits).toEqual([44_000]);
});

test("a Retry-After of 0 does not cause a busy loop", async () => {
  const { waits } = await send([answer(429, { headers: { "retry-after": "0" } }), ok], { random: () => 0 });
  expect(waits).toEqual([250]);
});

test("a Retry-After longer than five minutes fails immediately", async () => {
  const refusal = answer(429, { headers: { "retry-after": String(longestRetryAfterMs / 1000 + 1) } });
  expect(await send([refusal, ok])).toMatchObject({ tries: 1, waits: [], outcome: refusal });
});

test("each kind of error has its own time limit, and starts with a short wait", async () => {
  const { outcome, waits } = await send([answer(500), answer(500), lost("ECONNRESET"), ok], { random: () => 1 });
  expect(outcome).toBe(ok);
  expect(waits).toEqual([1000, 2000, 1000]);
});

test.each(["ECONNRESET", "ENOTFOUND", "EPIPE", "EAI_AGAIN"])("%s is retried for a minute", async (code) => {
  expect((await send([lost(code), ok])).outcome).toBe(ok);
  const { outcome, waits } = await send([lost(code)]);
  expect(outcome).toMatchObject({ code });
  expect(sum(waits)).toBeLessThanOrEqual(lostConnection.totalMs);
});

test("a request without a response is retried only a few times: each try costs the whole timeout", async () => {
  const { tries, waits } = await send([lost("ETIMEDOUT")], { random: () => 1 });
  expect(tries).toBe(1 + noResponse.totalMs / noResponse.maxMs);
  expect(sum(waits)).toBe(noResponse.totalMs);
});

test("a brief caller gets few retries for errors, none for a timeout or a missing role, and the usual ones for throttling", async () => {
  const brief = { brief: true, random: () => 1 };
  expect(await send([answer(502, { code: "HostNotResolved" })], brief)).toMatchObject({ tries: 3, waits: [1000, 2000] });
  expect(await send([lost("ENOTFOUND")], brief)).toMatchObject({ tries: 3, waits: [1000, 2000] });
  expect(await send([lost("ETIMEDOUT")], brief)).toMatchObject({ tries: 1 });
  for (const code of ["AuthorizationPermissionMismatch", "ForbiddenByRbac"])
    expect(await send([answer(403, { code })], brief)).toMatchObject({ tries: 1 });
  const throttled = answer(429, { headers: { "retry-after": "40" } });
  expect(await send([throttled, throttled, ok], { brief: true, random: () => 0 })).toMatchObject({ waits: [40_000, 40_000], outcome: ok });
});

test.each(["SELF_SIGNED_CERT_IN_CHAIN", "ERR_TLS_CERT_ALTNAME_INVALID"])("%s is never retried", async (code) => {
  expect(await send([lost(code), ok])).toMatchObject({ tries: 1, outcome: { code } });
});

test("an abort while waiting ends the request with the abort's reason", async () => {
  const controller = new AbortController();
  const clock = notedClock();
  const policy = retryPolicy({ clock, random: () => 0, register: async () => true, note: () => controller.abort(new Error("enough")) });
  const request = { ...requestOf("PUT"), abortSignal: controller.signal };
  await expect(policy.sendRequest(request, async () => answer(500))).rejects.toThrow("enough");
});

test("when nobody needs the response any more, a refusal is not retried, and a wait ends", async () => {
  const ending = new AbortController();
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    ending.abort(new Error("ending"));
  };
  const policy = retryPolicy({ clock: notedClock(), random: () => 0, register: async () => true, note, ending: ending.signal });
  for (const abortSignal of [undefined, new AbortController().signal]) {
    const request = { ...requestOf("GET"), ...(abortSignal && { abortSignal }) };
    await expect(policy.sendRequest(request, async () => answer(500))).rejects.toThrow("ending");
    expect(await policy.sendRequest(request, async () => ok)).toBe(ok);
  }
  expect(notes).toHaveLength(1);
});

describe("an unregistered provider", () => {
  const refusal = answer(409, { code: "MissingSubscriptionRegistration" });

  test("is registered, and the request is retried immediately", async () => {
    expect(await send([refusal, ok])).toMatchObject({ tries: 2, waits: [], outcome: ok });
  });

  test("is registered only once: a second rejection is final", async () => {
    expect(await send([refusal])).toMatchObject({ tries: 2, outcome: refusal });
  });

  test("fails the request if the caller may not register it", async () => {
    expect(await send([refusal, ok], { register: async () => false })).toMatchObject({ tries: 1, outcome: refusal });
  });
});

test("a lost sign-in inside a request is not retried again for the request", async () => {
  const lostSignIn = new RestError("lost", {
    code: "ENOTFOUND",
    request: { ...requestOf("PUT"), url: "https://login.microsoftonline.com/token" },
  });
  expect((await send([lostSignIn])).tries).toBe(1);
});

describe("a write that must not be sent twice", () => {
  const vault = "https://demo.vault.azure.net";
  const writes = [
    ["the creation of a certificate", "POST", `${vault}/certificates/demo-cpo-cert/create?api-version=7.6`],
    ["a secret", "PUT", `${vault}/secrets/demo-cpo?api-version=7.6`],
    ["the recovery of a secret", "POST", `${vault}/deletedsecrets/demo-cpo/recover?api-version=7.6`],
    ["the recovery of a certificate", "POST", `${vault}/deletedcertificates/demo-cpo-cert/recover?api-version=7.6`],
    ["the restoration of an application", "POST", "https://graph.microsoft.com/v1.0/directory/deletedItems/0b1d/restore"],
    ["the keys of an application", "PATCH", "https://graph.microsoft.com/v1.0/applications/0b1d0000-0000-4000-8000-000000000001"],
  ] as const;
  const others = [
    ["the read of a secret", "GET", `${vault}/secrets/demo-cpo?api-version=7.6`],
    ["the read of a creation", "GET", `${vault}/certificates/demo-cpo-cert/pending?api-version=7.6`],
    ["an application by its unique name", "PATCH", "https://graph.microsoft.com/v1.0/applications(uniqueName='aro-hcp.x')"],
    ["a blob", "PUT", "https://demo.blob.core.windows.net/secrets/openid/v1/jwks"],
  ] as const;
  const uncertain = [
    ["a lost connection", lost("ECONNRESET")],
    ["a timeout", lost("ETIMEDOUT")],
    ["408", answer(408)],
    ["409 of another operation", answer(409, { code: "AnotherOperationInProgress" })],
    ["429", answer(429)],
    ["500", answer(500)],
    ["a page of a gateway", answer(502, { body: "<html>" })],
  ] as const;

  /** One client, so that what the retries spend adds up. */
  const client = () => {
    const clock = notedClock();
    const policy = retryPolicy({ clock, random: () => 1, register: async () => true, note: () => undefined });
    const sent = async (method: "GET" | "POST" | "PUT" | "PATCH", url: string, answers: readonly (PipelineResponse | Error)[]) => {
      let tries = 0;
      const outcome = await policy
        .sendRequest(requestOf(method, url), async () => {
          const given = answers[Math.min(tries++, answers.length - 1)] ?? ok;
          if (given instanceof Error) throw given;
          return given;
        })
        .catch((error: unknown) => error as Error);
      return { tries, outcome };
    };
    return { clock, sent };
  };

  test.each(writes.flatMap(([what, method, url]) => uncertain.map(([fault, first]) => [what, fault, method, url, first] as const)))(
    "%s is handed back after %s and a wait",
    async (_what, _fault, method, url, first) => {
      const { clock, sent } = client();
      const { tries, outcome } = await sent(method, url, [first, ok]);
      expect(outcome).toBeInstanceOf(Uncertain);
      expect({ tries, waits: clock.waits.length }).toEqual({ tries: 1, waits: 1 });
    },
  );

  test.each(others)("%s is sent again", async (_what, method, url) => {
    expect(await client().sent(method, url, [lost("ECONNRESET"), ok])).toEqual({ tries: 2, outcome: ok });
  });

  test("the waits of all its tries together double and have the usual limit, and start again after a success", async () => {
    const [, method, url] = writes[1];
    const { clock, sent } = client();
    let last: unknown;
    for (let tries = 0; tries < 100 && !(last instanceof RestError); tries++)
      last = (await sent(method, url, [lost("ECONNRESET")])).outcome;
    expect(last).toMatchObject({ code: "ECONNRESET" });
    expect(clock.waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(sum(clock.waits)).toBeLessThanOrEqual(lostConnection.totalMs);
    expect((await sent(method, url, [answer(500)])).outcome).toBeInstanceOf(Uncertain);
    expect((await sent(method, url, [ok])).outcome).toBe(ok);
    await sent(method, url, [answer(500)]);
    expect(clock.waits.slice(-2)).toEqual([1000, 1000]);
  });
});
