/** Tokens shared by all clients: fetched once, renewed early, discarded when rejected. */
import type { AccessToken, TokenCredential } from "@azure/core-auth";
import { expect, test } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { shareTokens } from "../../src/azure/shared-credential.js";

const hour = 3_600_000;
/** Of a run that does not end. */
const running = new AbortController().signal;
const scope = "https://management.azure.com/.default";

/** Entra as a counter: every token it issues is different. */
function entra() {
  const state = { now: 0, fetched: 0, opened: 0, failing: undefined as Error | undefined };
  const open = (): TokenCredential => {
    state.opened += 1;
    return {
      async getToken(scopes): Promise<AccessToken> {
        state.fetched += 1;
        const { fetched } = state;
        await Promise.resolve();
        if (state.failing) throw state.failing;
        return { token: `${String(scopes)} ${String(fetched)}`, expiresOnTimestamp: state.now + hour };
      },
    };
  };
  return { state, credential: shareTokens(open, { clock: { now: () => new Date(state.now) }, signal: running }) };
}

test("parallel callers share one fetch, and later callers use its token", async () => {
  const { state, credential } = entra();
  const tokens = await Promise.all([scope, [scope], scope].map((each) => credential.getToken(each)));
  tokens.push(await credential.getToken(scope));
  expect(new Set(tokens.map((token) => token?.token)).size).toBe(1);
  expect(state.fetched).toBe(1);
});

test("another scope and another tenant have tokens of their own", async () => {
  const { state, credential } = entra();
  await credential.getToken(scope);
  await credential.getToken("https://graph.microsoft.com/.default");
  await credential.getToken(scope, { tenantId: "other" });
  expect(state.fetched).toBe(3);
});

test("a token is renewed five minutes before it expires, once for all callers", async () => {
  const { state, credential } = entra();
  await credential.getToken(scope);
  state.now = hour - 5 * 60_000 - 1;
  await credential.getToken(scope);
  expect(state.fetched).toBe(1);
  state.now += 1;
  await Promise.all([1, 2, 3].map(() => credential.getToken(scope)));
  expect(state.fetched).toBe(2);
});

test("a failed renewal has no effect while the token is valid", async () => {
  const { state, credential } = entra();
  const first = await credential.getToken(scope);
  state.failing = new Error("Entra is unavailable");
  state.now = hour - 1;
  expect(await credential.getToken(scope)).toEqual(first);
  state.now = hour;
  await expect(credential.getToken(scope)).rejects.toThrow("Entra is unavailable");
});

test("a failed fetch fails for all waiting callers, and the next caller retries it", async () => {
  const { state, credential } = entra();
  state.failing = new Error("no");
  const results = await Promise.allSettled([1, 2, 3].map(() => credential.getToken(scope)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(state.fetched).toBe(1);
  state.failing = undefined;
  expect(await credential.getToken(scope)).not.toBeNull();
});

test("a rejected token is discarded with the source that would return it again; a newer token is kept", async () => {
  const { state, credential } = entra();
  const old = await credential.getToken(scope);
  credential.forget(old?.token ?? "");
  const fresh = await credential.getToken(scope);
  expect(fresh).not.toEqual(old);
  expect(state.opened).toBe(2);
  // A late response to another request with the old token.
  credential.forget(old?.token ?? "");
  expect(await credential.getToken(scope)).toEqual(fresh);
  expect(state).toMatchObject({ fetched: 2, opened: 2 });
});

test("a claims challenge is answered with a new token, which all callers then use", async () => {
  const { state, credential } = entra();
  await credential.getToken(scope);
  const claimed = await credential.getToken(scope, { claims: "{}" });
  expect(await credential.getToken(scope)).toEqual(claimed);
  expect(state.fetched).toBe(2);
});

test("an aborted caller stops waiting, and the others still get their token", async () => {
  let give: (token: AccessToken) => void = () => undefined;
  const given = new Promise<AccessToken>((resolve) => (give = resolve));
  const shared = shareTokens(() => ({ getToken: () => given }), { clock: systemClock, signal: running });
  const controller = new AbortController();
  const impatient = shared.getToken("scope", { abortSignal: controller.signal });
  const patient = shared.getToken("scope");
  controller.abort();
  await expect(impatient).rejects.toMatchObject({ name: "AbortError" });
  give({ token: "t", expiresOnTimestamp: Date.now() + 3_600_000 });
  await expect(patient).resolves.toMatchObject({ token: "t" });
});

test("the end of the run ends the shared fetch and everyone who waits for it, even if the credential ignores the signal", async () => {
  const run = new AbortController();
  let passed: unknown;
  const ignoring: TokenCredential = {
    getToken(_scopes, options) {
      passed = options?.abortSignal;
      return new Promise(() => undefined);
    },
  };
  const shared = shareTokens(() => ignoring, { clock: systemClock, signal: run.signal });
  const waiting = [shared.getToken(scope), shared.getToken(scope, { claims: "{}" })];
  run.abort();
  for (const each of waiting) await expect(each).rejects.toMatchObject({ name: "AbortError" });
  expect(passed).toBe(run.signal);
});
