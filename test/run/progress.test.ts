/** What a person sees while a command works, when it fails and when it is done: on terminals of several widths, in a CI log, and without redrawing. */
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { demo, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { setFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { visibleLines } from "../render/fakes.js";
import { exits } from "../cli/expectations.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { directoryFiles } from "../../src/domain/directory-files.js";
import { afterCreateAll } from "../../src/all/create-all.js";
import type { Settings } from "../../src/settings/settings.js";

const createAll = (azure: TestEmulator, ...flags: string[]) => [
  "create",
  "all",
  ...wholeFlags,
  "--output-dir",
  azure.path("demo"),
  "--yes",
  ...flags,
];

/** The frames of the live view, with the lines that have scrolled up. Output between two frames belongs to the next one. */
function framesOf(stderr: string): string[][] {
  const parts = stderr.split("\u001b[?2026l");
  return parts.map((_, index) => visibleLines(parts.slice(0, index + 1).join("\u001b[?2026l")));
}

const variables = { LANG: "C.UTF-8", TERM: "xterm", NO_COLOR: "1" };

const identities = ["create", "identities", ...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--yes"];

describe.each([80, 120])("on a terminal of %i columns", (columns) => {
  test("a create has a line for each section that is done, and below it what runs, why it waits, what is left and for how long", async () => {
    const azure = await testEmulator();
    // Long enough to be seen: certificates take 6 s of Azure's time.
    const env = { ...variables, ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "10" };
    const denied = { status: 403, body: { error: { code: "Forbidden", message: "no", innererror: { code: "ForbiddenByRbac" } } } };
    const running = await azure.startCli(identities, {
      env,
      faults: [{ method: "GET", path: "^/certificates", answer: denied, times: 2 }],
      size: { columns, rows: 40 },
    });
    const frames = framesOf(exits(await running.ended, 0).stderr);
    const shown = frames.flat();
    expect(shown).toContainEqual(expect.stringMatching(/^● creating +\d+s {2}certificates \d\/8, [3-8] running/));
    expect(shown).toContainEqual(expect.stringMatching(/^waiting {12}.*keys 0\/8/));
    expect(shown).toContainEqual(expect.stringMatching(/^[█░]{16} \d+\/\d+ steps, \d+s, about \d+s left$/));
    // Neither a title nor the reason of a wait is cut off.
    expect(shown.join("\n")).not.toContain("…");
    const wait = "waiting for the role assignments to take effect in the vault, which takes up to 10 minutes";
    expect(frames.some((frame) => frame.join(" ").replace(/\s+/g, " ").includes(wait))).toBe(true);
    const last = frames.at(-1) ?? [];
    const done = last.filter((line) => line.startsWith("✓ created")).map((line) => line.slice(19));
    expect(done).toEqual(expect.arrayContaining(["applications (8)", "certificates (8)", "credential secrets (8)", "keys (8)"]));
    expect(done.filter((line) => line.includes("certificate"))).toHaveLength(1);
    const summary = last.findIndex((line) => line.includes("is done"));
    expect(Math.max(...last.slice(0, summary).map(({ length }) => length))).toBeLessThanOrEqual(columns);
  });
});

test("with --full-plan, each step has a line when it is done", async () => {
  const azure = await testEmulator();
  const running = await azure.startCli([...identities, "--full-plan"], { env: variables });
  const last = framesOf(exits(await running.ended, 0).stderr).at(-1) ?? [];
  expect(last.filter((line) => /^✓ created .* certificate demo-.*-cert$/.test(line))).toHaveLength(8);
});

test("with --plain, a terminal gets ASCII lines that are never redrawn, and a question that a line answers", async () => {
  const azure = await testEmulator();
  const args = ["create", "infra", ...demo, "--base-domain", "hcp.example.com", "--plain"];
  const running = await azure.startCli(args, { env: { LANG: "C.UTF-8", TERM: "xterm" } });
  await running.shows("(y/N) ");
  running.type("y\n");
  const { stderr } = exits(await running.ended, 0);
  // Colors remain; nothing else moves the cursor.
  const lines = stripVTControlCharacters(stderr);
  expect(stderr.replace(/\u001b\[\d+m/g, "")).toBe(lines);
  expect(lines).toMatch(/^[\n -~]*$/);
  expect(lines).toMatch(/Make these changes in subscription Azure emulator\? \(y\/N\) /);
  expect(lines).toMatch(/^\[ +\d+s\] created  resource group demo-demo-x7k2 /m);
});

test("with --plain, any other line declines", async () => {
  const azure = await testEmulator();
  const running = await azure.startCli(["create", "infra", ...demo, "--base-domain", "hcp.example.com", "--plain"]);
  await running.shows("(y/N) ");
  running.type("\n");
  expect(exits(await running.ended, 10).stderr).toContain("declined; nothing was changed");
});

const forbidden = {
  status: 403,
  body: {
    error: { code: "AuthorizationFailed", message: "The client 'x' has no authorization to perform action 'roleAssignments/write'." },
  },
};

describe("24 role assignments that fail for one reason", () => {
  const faults = [{ method: "PUT", path: "/roleAssignments/", answer: forbidden, times: 1000 }];

  test("have the reason once in the progress, one line for what is skipped, and one block", async () => {
    const azure = await testEmulator();
    const { stderr } = exits(await azure.cli(createAll(azure), { faults }), 5);
    expect(stderr.match(/has no authorization/g)).toHaveLength(2);
    expect(stderr.match(/failed +role assignment .*, for the same reason \[ARO-AUTHZ-002\]/g)).toHaveLength(23);
    expect(stderr.match(/skipped +26 steps, because of role assignment .* and 1 more$/gm)).toHaveLength(1);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(stderr).toMatch(/^error: role assignment .* failed, and 23 more for the same reason {2}\[ARO-AUTHZ-002\]$/m);
    expect(stderr).toMatch(/^ {2}done +39 of 89 steps; the same command continues with the other 50$/m);
  });

  test("are one line of their section on a terminal", async () => {
    const azure = await testEmulator();
    const running = await azure.startCli(createAll(azure), { faults, env: variables });
    const { stderr } = exits(await running.ended, 5);
    const last = (framesOf(stderr).at(-1) ?? []).join("\n");
    expect(last.match(/^✗ failed/gm)).toHaveLength(2);
    expect(last).toMatch(/^✗ failed +\S+ +role assignments \(24\)$/m);
    expect(last).toMatch(/^✓ created +\S+ +Key Vault \(2\): 1 created, 1 skipped$/m);
    expect(last.match(/^- skipped/gm)).toHaveLength(1);
  });
});

test("groups of a CI log are on standard error only: a JSON result is still one document on standard output", async () => {
  const azure = await testEmulator();
  const { stdout, stderr } = exits(await azure.cli(createAll(azure, "--output", "json"), { env: { GITHUB_ACTIONS: "true" } }), 0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  expect(stderr.match(/^::group::.*$/gm)).toEqual(
    ["::group::plan: 87 to create, 2 used", "::group::create all demo-x7k2: 89 steps"].map(
      (start) => expect.stringContaining(start) as string,
    ),
  );
  expect(stderr.match(/^::endgroup::$/gm)).toHaveLength(2);
});

describe("when create all is done", () => {
  test("it says what each file is for, and its next commands work as printed", async () => {
    const azure = await testEmulator();
    const { stderr, stdout } = exits(await azure.cli(createAll(azure, "--enable-kms")), 0);
    const names = [...stderr.matchAll(/^ {2}(?:written| {7}) +\S+\/demo\/(\S+) {2,}\S.*$/gm)].map(([, name]) => name);
    expect(names).toEqual([
      ...["infra.json", "identities.json", "managed-identities.json", "data-plane-identities.json", "encryption-key.json"],
      ...["openid-configuration", "jwks", "serviceaccount-signer.private", "serviceaccount-signer.public"],
    ]);
    const commands = [...stderr.matchAll(/^ {2}next .*`aro-hcp (.*)`$/gm)].map(([, command = ""]) => command);
    expect(commands.map((command) => command.split(" --")[0])).toEqual(["verify all", "render hosted-cluster", "destroy all"]);
    expect(stdout).toMatch(/^https:\/\/\S+\n$/);
    expect(stderr).not.toContain("hypershift create cluster");
    for (const command of commands.filter((line) => line.startsWith("verify"))) exits(await azure.cli(command.split(" ")), 0);
    const destroy = commands.at(-1) ?? "";
    exits(await azure.cli([...destroy.split(" "), "--purge", "--yes"]), 0);
    expect(exits(await azure.cli([...destroy.split(" "), "--dry-run"]), 0).stderr).toContain("nothing to do");
  });

  test("a terminal says what the address in the last line is", async () => {
    const azure = await testEmulator();
    const running = await azure.startCli(createAll(azure), { env: variables });
    expect(stripVTControlCharacters(exits(await running.ended, 0).stdout)).toMatch(/^issuer https:\/\/\S+\s*$/);
  });

  test("on Azure, it also has the line for the hypershift CLI", () => {
    const settings = { name: "demo", infraId: "demo-x7k2", baseDomain: "example.com", outputDir: "demo", cloud: "AzurePublicCloud" };
    const next = afterCreateAll({
      settings: settings as Settings<"create all">,
      paths: directoryFiles,
      issuerUrl: "https://issuer.example.com/demo",
      encryptionKeyId: "https://vault.example.com/keys/etcd/1",
    });
    expect(next.map(plainAdvice).find((line) => line.includes("hypershift"))).toMatchInlineSnapshot(
      `"or create the cluster: \`hypershift create cluster azure --name demo --base-domain example.com --infra-file infra.json --managed-identities-file managed-identities.json --data-plane-identities-file data-plane-identities.json --sa-token-issuer-private-key-path serviceaccount-signer.private --oidc-issuer-url https://issuer.example.com/demo --encryption-key-id https://vault.example.com/keys/etcd/1 --azure-creds <azure-creds.json> --pull-secret <pull-secret.json> --release-image <release-image>\`"`,
    );
  });
});
