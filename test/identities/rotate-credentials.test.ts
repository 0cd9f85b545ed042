/** `rotate credentials` and `show identities`: a new certificate without a gap, and the warning before expiry. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { realTime, testEmulator, writes, type TestEmulator } from "../harness/test-emulator.js";
import { exits, refuses } from "../cli/expectations.js";
import { changeState } from "../harness/state-changes.js";
import { createSet, credentialsOf, rotate, setFlags } from "./cli/identity-sets.js";

const once = { keys: 1, certificates: 1, secrets: 1 };
const notBeforeOf = (value: unknown) => Date.parse((JSON.parse(String(value)) as { not_before: string }).not_before);

test("rotation creates one new version, verifies it with a token, removes the old key after the overlap, and does not change the others", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  await azure.traffic();
  exits(await rotate(azure, ["--component", "cpo", "--overlap", "2s"]), 0);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 1, certificates: 2, secrets: 2 }, disk: once });

  const sent = writes(await azure.traffic());
  const order = sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`).filter((each) => !each.includes("/versions"));
  expect(order).toEqual([
    "POST /certificates/demo-cpo-cert/create",
    expect.stringMatching(/^PATCH \/v1.0\/applications\//),
    "PUT /secrets/demo-cpo",
    expect.stringMatching(/^PATCH \/v1.0\/applications\//),
  ]);

  // A rerun within --min-age has nothing to do. After --min-age it is another rotation.
  const again = exits(await rotate(azure, ["--component", "cpo", "--overlap", "2s"]), 0);
  expect(writes(await azure.traffic())).toEqual([]);
  expect(again.stderr).toContain("cpo was not rotated: the last rotation was less than --min-age ago");
  expect(again.stdout.trimEnd().split("\n")).toHaveLength(2);
  exits(await rotate(azure, ["--component", "cpo", "--overlap", "1s", "--min-age", "1s"]), 0);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 1, certificates: 3, secrets: 3 } });
});

test("a rerun says once why nothing is rotated, and what is kept", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  exits(await rotate(azure), 0);
  const { stderr } = exits(await rotate(azure), 0);
  expect(stderr).toMatch(/= keep +old keys \(8\): their overlap has not ended/);
  expect(stderr.match(/not rotated/g)).toHaveLength(1);
  expect(stderr).toMatch(/cpo, .*image-registry were not rotated: the last rotation/);
});

test("an overlap longer than the run keeps the old key, and the first run after it removes the key", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  const first = exits(await rotate(azure, ["--component", "cpo", "--output", "json"]), 0);
  const { credentials } = JSON.parse(first.stdout) as { credentials: { component: string; oldKeyUntil?: string }[] };
  expect(credentials.map(({ component }) => component)).toEqual(["cpo"]);
  expect(credentials[0]).not.toHaveProperty("notRotated");
  expect(Date.parse(credentials[0]?.oldKeyUntil ?? "")).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 2, certificates: 2, secrets: 2 } });

  // During the overlap there is nothing to do, and nothing to prove.
  const planned = exits(await rotate(azure, ["--component", "cpo", "--dry-run", "--exit-code"]), 0);
  expect(planned.stderr).not.toMatch(/create +sign-in/);
  exits(await rotate(azure, ["--component", "cpo", "--overlap", "1s"]), 0);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 1, certificates: 2, secrets: 2 } });
});

const cpo = ["--component", "cpo"] as const;

/** Everything in the vault becomes older. */
function age(azure: TestEmulator, hours: number): Promise<void> {
  return changeState(azure, ({ vaults = {} }) => {
    for (const { certificates, secrets } of Object.values(vaults))
      for (const { versions } of [...Object.values(certificates), ...Object.values(secrets)])
        for (const { attributes } of versions) attributes.created -= hours * 3600;
  });
}

test("with the defaults, each run after the overlap creates a key and removes the one whose overlap is over, and its plan says so", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  exits(await rotate(azure, cpo), 0);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 2, certificates: 2, secrets: 2 } });
  await age(azure, 2);
  const early = exits(await rotate(azure, [...cpo, "--dry-run"]), 0);
  expect(early.stderr).toMatch(/keep +old keys of application demo-cpo:\s+[0-9A-F]{40} stays until \S+Z;\s+[0-9A-F]{40}\s+stays until/);
  for (const count of [3, 4]) {
    await age(azure, 25);
    const planned = exits(await rotate(azure, [...cpo, "--dry-run", "--full-plan"]), 0);
    expect(planned.stderr).toMatch(/create +certificate demo-cpo-cert: a new version, for the rotation/);
    expect(planned.stderr).toMatch(/create +key of application demo-cpo: for the new certificate/);
    expect(planned.stderr).toMatch(/update +credential secret demo-cpo: with the new certificate/);
    expect(planned.stderr).toMatch(/remove +old keys of application demo-cpo:\s+the overlap has ended;\s+[0-9A-F]{40} stays until \S+Z/);
    const rotated = exits(await rotate(azure, cpo), 0);
    expect(rotated.stderr).toMatch(/removed +old keys of application demo-cpo/);
    expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 2, certificates: count, secrets: count } });
  }
});

test("a rotation that was interrupted before it wrote the secret keeps the old key for a whole overlap after the secret is written", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  await age(azure, 900);
  const refused = { error: { code: "Forbidden", message: "Denied by policy." } };
  const faults = [{ method: "PUT", path: "^/secrets/demo-cpo$", answer: { status: 403, body: refused } }];
  await rotate(azure, cpo, { faults });
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 2, certificates: 2, secrets: 1 } });
  const planned = exits(await rotate(azure, [...cpo, "--dry-run"]), 0);
  expect(planned.stderr).toMatch(/keep +old keys of application demo-cpo:\s+[0-9A-F]{40} stays until/);
  exits(await rotate(azure, cpo), 0);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 2, certificates: 2, secrets: 2 } });
});

test("each rewritten secret starts strictly later than the previous one, so that pods use it", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  await azure.traffic();
  const starts: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    exits(await rotate(azure, ["--component", "disk", "--overlap", "1s", "--min-age", "1s"]), 0);
    const written = (await azure.traffic()).filter(({ method, url }) => method === "PUT" && new URL(url).pathname === "/secrets/demo-disk");
    starts.push(...written.map(({ requestBody }) => (requestBody as { attributes: { nbf: number } }).attributes.nbf));
  }
  expect(starts).toHaveLength(2);
  expect(starts[1]).toBeGreaterThan(starts[0] ?? Infinity);
  expect(notBeforeOf('{"not_before":"2026-01-31T10:00:00Z"}')).toBe(Date.UTC(2026, 0, 31, 10));
});

test("a certificate that Entra does not know yet is waited for", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  const unknown = {
    status: 401,
    body: { error: "invalid_client", error_description: "AADSTS700027: The certificate is not registered on application." },
  };
  // The first three are tokens of the caller for ARM, Graph and the vault.
  const faults = [{ method: "POST", host: "login.microsoftonline.com", nth: 4, answer: unknown, times: 1 }];
  const { stderr } = exits(await rotate(azure, ["--component", "cpo", "--overlap", "1s"], { faults }), 0);
  expect(stderr).toContain("waiting until Entra accepts the new certificate (AADSTS700027)");
});

test("without the set, rotation reports what to create first, and writes nothing", async () => {
  const azure = await testEmulator({ env: realTime });
  await refuses(azure, rotate(azure), 5, /Key Vault .* does not exist/, /check --identities-name, --persistent-resource-group-name/);
});

test("with a clock ten minutes behind Azure's, rotation refuses, and writes nothing", async () => {
  const azure = await testEmulator({ env: realTime });
  exits(await createSet(azure), 0);
  await azure.serve({ ...systemClock, now: () => new Date(Date.now() + 600_000) });
  await refuses(azure, rotate(azure, cpo), 5, "[ARO-CHECK-001]", /the clock is \d+ s behind Azure's/);
});

test("show lists every identity with its expiry, and exits with 3 if one expires soon", async () => {
  const azure = await testEmulator({ env: realTime });
  const show = (flags: readonly string[] = []) => azure.cli(["show", "identities", ...setFlags, ...flags]);
  const nothing = exits(await show(["--output", "json"]), 2);
  expect(JSON.parse(nothing.stdout)).toMatchObject({ ok: false });

  exits(await createSet(azure, ["--validity-months", "1"]), 0);
  const shown = exits(await show(["--output", "json", "--warn-days", "7"]), 0);
  const document = JSON.parse(shown.stdout) as {
    controlPlane: { state: string; daysLeft: number }[];
    dataPlane: { clientId?: string }[];
  };
  for (const { state, daysLeft } of document.controlPlane) {
    expect(state).toBe("valid");
    expect(daysLeft).toBeGreaterThan(26);
    expect(daysLeft).toBeLessThan(32);
  }
  expect(document.dataPlane.every(({ clientId }) => clientId !== undefined)).toBe(true);
  const warned = exits(await show(["--warn-days", "60"]), 3);
  expect(warned.stdout).toContain("expires soon");
  expect(warned.stdout.match(/^(image-registry|azure-)\S*/gm)).toEqual([
    ...["image-registry", "image-registry-MI", "azure-disk-MI", "azure-file-MI"],
  ]);
  expect(warned.stdout).toMatch(/^cpo .* expires soon +\d{4}-\d\d-\d\d$/m);
  // The advised command can be pasted.
  const [, line = ""] = /`aro-hcp (rotate credentials --cloud local [^`]+)`/.exec(warned.stderr) ?? [];
  const planned = exits(await azure.cli([...line.split(" "), "--dry-run"]), 0);
  expect(planned.stderr).toMatch(/create +certificate demo-cpo-cert: a new version, for the rotation/);
});
