/** Runs that create or rotate certificates of one identity set at once agree on the newest one. */
import { cp } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { CertificatePolicy } from "@azure/keyvault-certificates";
import { systemClock as realClock } from "../../../src/azure/clock.js";
import { systemClock, type EmulatorClock } from "../../../src/emulator/common/clock.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { madeOnce } from "../../harness/made-once.js";
import { realTime, testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { exits } from "../../cli/expectations.js";
import { createSet, credentialsOf, rotate } from "./identity-sets.js";

/** A run that a fault rule holds back for 300 s goes on when the other one has ended, for which it has 12 s. */
const slowScale = { ARO_HCP_LOCAL_TIME_SCALE: "25" } as const;
const held = { delay: 300 } as const;
const heldMs = 300_000 / 25;

const ofTheSet = ["--key-vault-name", "demo-kv"] as const;
const ofIngress = [...ofTheSet, "--component", "ingress", "--timeout", "301s"] as const;

/** A complete set, created more than a second ago. */
async function preparedSet(): Promise<TestEmulator> {
  const prepared = await madeOnce("certificate-races", async (directory) => {
    const azure = await testEmulator();
    exits(await createSet(azure, ofTheSet), 0);
    // Azure's dates are whole seconds: a certificate of the second in which a run begins could be of another run beside it.
    await setTimeout(1_000);
    await cp(azure.directory, directory, { recursive: true });
  });
  return testEmulator({ prepared, env: slowScale });
}

/** Two rotations; a rule holds one of them back until the other has ended. */
async function rotateTwice(azure: TestEmulator, faults: readonly unknown[]): Promise<void> {
  let end: () => void = () => undefined;
  const hasEnded = new Promise<void>((resolve) => (end = resolve));
  const sleep: EmulatorClock["sleep"] = (ms, signal) => (ms < heldMs ? systemClock.sleep(ms, signal) : hasEnded);
  await azure.serve({ ...systemClock, sleep }, { faults });
  const rotations = [rotate(azure, ofIngress), rotate(azure, ofIngress)];
  void Promise.race(rotations).finally(end);
  for (const result of await Promise.all(rotations)) exits(result, 0);
}

test("a certificate that another run created at the same time is superseded: the newest one is on the application and in the secret", async () => {
  const azure = await testEmulator();
  // The first run's request arrives when the second run has already finished its own certificates.
  const path = "/certificates/[^/]+/create$";
  await azure.serve(systemClock, { faults: [{ method: "POST", path, times: 8, delay: 400 }] });
  for (const result of await Promise.all([createSet(azure), createSet(azure)])) exits(result, 0);
  expect(Object.values(await credentialsOf(azure))).toEqual(Array(8).fill(expect.objectContaining({ keys: 1 })));
  const made = await azure.snapshot();
  exits(await createSet(azure), 0);
  expect(await azure.snapshot()).toEqual(made);
});

test("of three runs that each create a certificate, an older one does not bring back the key of the other", async () => {
  const azure = await testEmulator();
  const create = { method: "POST", path: "/certificates/[^/]+/create$", times: 8 };
  const keys = { method: "PATCH", path: "/applications/[^/]+$", times: 8 };
  const faults = [
    // The third run's certificates come first, then those of the second.
    { ...create, delay: 200 },
    { ...create, nth: 9, delay: 100 },
    // When the first run has the newest ones, the third puts its keys on the applications, and then the second.
    { ...keys, delay: 450 },
    { ...keys, nth: 9, delay: 400 },
    // The third finds the newest certificates and the second's keys only when the second is about to take these off.
    { method: "PUT", path: "/secrets/", nth: 9, times: 8, delay: 100 },
    { ...keys, nth: 25, times: 16, delay: 200 },
  ];
  await azure.serve(systemClock, { faults });
  for (const result of await Promise.all([createSet(azure), createSet(azure), createSet(azure)])) exits(result, 0);
  expect(Object.values(await credentialsOf(azure))).toEqual(Array(8).fill(expect.objectContaining({ keys: 1 })));
});

test("a run that switches to the newer certificate of another run still does so if the new secret is not accepted at once", async () => {
  const azure = await testEmulator();
  const secret = { method: "PUT", path: "/secrets/", times: 8 };
  const faults = [
    { method: "POST", path: "/certificates/[^/]+/create$", times: 8, delay: 200 },
    // The run with the older certificates writes its secrets after the other one.
    { ...secret, delay: 600 },
    { ...secret, nth: 17, reset: true },
  ];
  await azure.serve(systemClock, { faults });
  for (const result of await Promise.all([createSet(azure), createSet(azure)])) exits(result, 0);
  const made = await azure.snapshot();
  exits(await createSet(azure), 0);
  expect(await azure.snapshot()).toEqual(made);
});

test("a run that plans while another one creates the first version of a certificate waits for it", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, ofTheSet), 0);
  const made = await azure.snapshot();
  const path = "/certificates/demo-cpo-cert";
  const pending = { id: `https://demo-kv.vault.azure.net${path}/pending`, status: "inProgress" };
  const faults = [
    { method: "GET", path: `${path}/?$`, answer: { status: 404, body: { error: { code: "CertificateNotFound", message: "-" } } } },
    { method: "GET", path: `${path}/pending$`, answer: { status: 200, body: pending } },
  ];
  const again = await createSet(azure, ofTheSet, { faults });
  exits(again, 0);
  expect(again.stderr).toContain("certificate demo-cpo-cert: an operation is in flight: inProgress");
  expect(await azure.snapshot()).toEqual(made);
});

// The plans of both runs read each of these first, the certificate and the secret twice. The next read is held back until the other run has ended.
test.each([
  ["before it looks whether a version is being created", "/certificates/demo-ingress-cert/pending$", 3],
  ["before it lists the versions", "/certificates/demo-ingress-cert/versions$", 3],
  ["before it reads the certificate", "/certificates/demo-ingress-cert$", 5],
  ["before it reads the certificate for the last time", "/certificates/demo-ingress-cert$", 7],
  ["before it reads the secret", "/secrets/demo-ingress$", 5],
])("a rotation uses the version that another rotation creates %s", async (_title, path, nth) => {
  const azure = await preparedSet();
  await rotateTwice(azure, [{ method: "GET", path, nth, ...held }]);
  expect((await credentialsOf(azure))["ingress"]).toEqual({ keys: 2, certificates: 2, secrets: 2 });
});

test("a rotation whose request comes after another rotation supersedes its version: both agree on the newest one, and only the old key stays beside it", async () => {
  const azure = await preparedSet();
  await rotateTwice(azure, [{ method: "POST", path: "/certificates/demo-ingress-cert/create$", ...held }]);
  expect((await credentialsOf(azure))["ingress"]).toMatchObject({ keys: 2, certificates: 3 });
  const made = await azure.snapshot();
  exits(await rotate(azure, ofIngress), 0);
  expect(await azure.snapshot()).toEqual(made);
});

test("the key of an earlier version stays for the overlap, also if two rotations create theirs in the same second", async () => {
  const azure = await testEmulator({ env: slowScale });
  const now = new Date();
  const azureClock = { ...systemClock, now: () => now };
  const clock = { ...realClock, now: () => now };
  const first = await azure.serve(azureClock);
  exits(await createSet(azure, [], { clock }), 0);
  await first.close();
  const faults = [
    // The second version comes after the first one, whose run then finds it when it has written the secret.
    { method: "POST", path: "/certificates/demo-ingress-cert/create$", delay: 50 },
    { method: "PUT", path: "/secrets/demo-ingress$", delay: 100 },
  ];
  await azure.serve(azureClock, { faults });
  const flags = ["--component", "ingress", "--timeout", "301s"];
  for (const result of await Promise.all([rotate(azure, flags, { clock }), rotate(azure, flags, { clock })])) exits(result, 0);
  expect((await credentialsOf(azure))["ingress"]).toMatchObject({ keys: 2, certificates: 3 });
});

test("a create that writes the secret while a rotation creates a certificate switches to it, and the old key stays for the overlap", async () => {
  const azure = await preparedSet();
  const { secrets } = await (await connectedAzure(azure.directory)).vaultContent("demo-kv");
  const { properties } = await secrets.getSecret("demo-ingress");
  await secrets.updateSecretProperties("demo-ingress", properties.version ?? "", { contentType: "text/plain" });
  const faults = [
    { method: "POST", path: "/certificates/demo-ingress-cert/create$", delay: 50 },
    { method: "PUT", path: "/secrets/demo-ingress$", delay: 200 },
  ];
  await azure.serve(systemClock, { faults });
  for (const result of await Promise.all([createSet(azure, ofTheSet), rotate(azure, ofIngress)])) exits(result, 0);
  expect((await credentialsOf(azure))["ingress"]).toMatchObject({ keys: 2, certificates: 2 });
});

test.each([
  ["while this run runs: its key is removed", 60_000, 1],
  ["before this run: its key stays for the overlap, also with a clock that is behind", 0, 2],
])("a certificate that another one superseded %s", async (_title, beginsMs, keys) => {
  const azure = await testEmulator({ env: realTime });
  const before = await azure.serve(systemClock);
  exits(await createSet(azure, ofTheSet), 0);
  const { certificates } = await (await connectedAzure(azure.directory)).vaultContent("demo-kv");
  const { policy, properties } = await certificates.getCertificate("demo-cpo-cert");
  const options = { tags: properties.tags ?? {}, intervalInMs: 1 };
  await (await certificates.beginCreateCertificate("demo-cpo-cert", policy as CertificatePolicy, options)).pollUntilDone();
  await before.close();
  // The first response of Azure says when the run begins. Its own clock always says that both certificates are created after that.
  const earlier = (ms: number) => new Date(realClock.now().getTime() - ms);
  const answer = { status: 500, headers: { date: earlier(beginsMs).toUTCString() }, body: { error: "server_error" } };
  await azure.serve(systemClock, { faults: [{ host: "login.microsoftonline.com", answer }] });
  const clock = { ...realClock, now: () => earlier(60_000), sleep: () => Promise.resolve() };
  exits(await createSet(azure, ofTheSet, { clock }), 0);
  expect((await credentialsOf(azure))["cpo"]).toEqual({ keys, certificates: 2, secrets: 2 });
});
