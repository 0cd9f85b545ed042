/** Lost and false responses to writes that add a version: the program looks before it writes again, so one version is left of each. */
import { expect, test } from "vitest";
import { exits } from "../cli/expectations.js";
import { createSet, credentialsOf, destroySet, rotate } from "../identities/cli/identity-sets.js";
import { changeState } from "../harness/state-changes.js";
import { testEmulator } from "../harness/test-emulator.js";
import { fast } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

/** Each write takes effect first. One for each of the eight components. */
const lostAnswers: readonly object[] = [
  { reset: true },
  { cut: "reset" },
  { cut: "fin", gzip: true },
  { answer: recorded.internalServerError },
  { answer: recorded.badGateway },
  { answer: recorded.requestTimeout },
  { answer: recorded.anotherOperationInProgress },
  { answer: { status: 200, headers: { "content-type": "application/json" }, body: {} } },
];

const writes = [
  ["creations of certificates", { method: "POST", path: "/certificates/[^/]+/create$" }],
  ["writes of secrets", { method: "PUT", path: "^/secrets/[^/]+$" }],
  ["writes of applications' keys", { method: "PATCH", path: "^/v1.0/applications/[^/(]+$" }],
] as const;

/** Certificates that take no time, and certificates that are still being created when the response is lost. */
const speeds = [
  ["none", { ARO_HCP_LOCAL_TIME_SCALE: "1000" }],
  ["recorded", { ARO_HCP_LOCAL_TIME_SCALE: "100", ARO_HCP_LOCAL_LATENCY: "recorded" }],
] as const;

const cases = speeds.flatMap(([latency, env]) => writes.map(([what, match]) => [what, latency, match, env] as const));
const each = Array.from({ length: 8 }, () => ({ keys: 1, certificates: 1, secrets: 1 }));

test.each(cases)("lost and false responses to %s leave one version of each (durations: %s)", async (_what, _latency, match, env) => {
  const azure = await testEmulator();
  const faults = lostAnswers.map((effect, index) => ({ ...match, ...effect, nth: index + 1, when: "after" }));
  exits(await createSet(azure, [], { env, faults }), 0);
  expect(Object.values(await credentialsOf(azure))).toEqual(each);
});

test("a lost response to the creation in a rotation leaves one new version, which the run reports as its own", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const env = { ARO_HCP_LOCAL_TIME_SCALE: "20", ARO_HCP_LOCAL_LATENCY: "recorded" };
  const faults = [{ method: "POST", path: "/create$", when: "after", reset: true }];
  const { stderr } = exits(await rotate(azure, ["--component", "cpo"], { env, faults }), 0);
  expect(stderr).toContain("waiting for the version that is already being created");
  expect(stderr).not.toContain("was not rotated");
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 2, certificates: 2, secrets: 2 } });
});

test("a creation that was never received is sent again", async () => {
  const azure = await testEmulator();
  const faults = [{ method: "POST", path: "/create$", reset: true, times: 6 }];
  exits(await createSet(azure, [], { env: fast, faults }), 0);
  expect(Object.values(await credentialsOf(azure))).toEqual(each);
});

test("after a lost response to a recovery, the recovered object is found", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const made = await azure.snapshot();
  await changeState(azure, (state) => {
    const { certificates = {}, secrets = {} } = Object.values(state.vaults ?? {})[0] ?? {};
    for (const each of [certificates["demo-file-cert"], secrets["demo-file-cert"], secrets["demo-disk"]])
      if (each) each.deleted = { at: 1, busyUntil: 1 };
  });
  const faults = ["^/deletedcertificates/", "^/deletedsecrets/"].map((path) => ({ method: "POST", path, when: "after", reset: true }));
  exits(await createSet(azure, [], { env: fast, faults }), 0);
  expect(await azure.snapshot()).toEqual(made);
  // The applications stay deleted, while their names are taken.
  exits(await destroySet(azure), 0);
  const lost = [{ method: "POST", path: "/restore$", when: "after", reset: true }];
  exits(await createSet(azure, [], { env: fast, faults: lost }), 0);
  expect(Object.values(await credentialsOf(azure))).toEqual(each);
});
