/** `--output-report` and `--output-timings`: one page and one document for every command that runs steps or checks, however it ends. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { portalPage } from "../../src/run/run-page.js";
import type { Timings } from "../../src/files/timings.js";
import { wholeFlags } from "../../tools/demo-cluster.js";
import { startCli } from "../harness/cli.js";
import { demo, demoDomain, realTime, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { create, destroy, exits, refuses } from "../cli/expectations.js";

const pageOf = (azure: TestEmulator) => readFile(azure.path("report.html"), "utf8");
const timingsIn = async (azure: TestEmulator) => JSON.parse(await readFile(azure.path("timings.json"), "utf8")) as Timings;
const files = (azure: TestEmulator) => ["--output-report", azure.path("report.html"), "--output-timings", azure.path("timings.json")];

/** The headings of a page, and its verdict. */
function outline(page: string): string[] {
  return [...page.matchAll(/<h[12][^>]*>([^<]*)<|<p class="verdict \w+">([^<]*)</g)].map(
    ([, heading, verdict]) => heading ?? verdict ?? "",
  );
}

test("a create has a page with its timeline, its resources and the flow, and a document with the waits; neither has a secret", async () => {
  // In Azure's time: a page shows no shorter waits.
  const azure = await testEmulator({ env: realTime });
  const throttled = {
    path: "/virtualNetworks/",
    method: "PUT",
    times: 1,
    answer: { status: 429, headers: { "retry-after": "1" }, body: {} },
  };
  const all = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes"];
  const { stderr } = exits(await azure.cli([...all, ...files(azure)], { faults: [throttled] }), 0);
  // The docs name the time that a run names.
  const usual = /, usually about (\w+)$/m.exec(stderr)?.[1] ?? "no time";
  for (const name of ["first-cluster", "questions", "pipelines", "progress"]) {
    expect(await readFile(`docs/${name}.md`, "utf8")).toContain(`about ${usual}`);
  }
  const page = await pageOf(azure);
  expect((await stat(azure.path("report.html"))).mode & 0o077).toBe(0);
  const sections = ["Next", "From the secret to Azure, as this run left it", "Timeline", "Resources", "Files"];
  expect(outline(page)).toEqual(["create all demo-x7k2", expect.stringMatching(/^create all demo-x7k2 is done in /), ...sections]);
  expect(page).toMatch(/<dt>cloud<\/dt><dd>local \(the built-in emulator\)<\/dd>.*<dt>identity set<\/dt><dd>demo</);
  expect(page).toMatch(
    /demo-cpo, ok; control-plane-operator, managed-azure-cpo, skip: not checked; cpo, [0-9a-f-]{36}, ok; Contributor, ok; resource group demo-demo-x7k2 \(managed\)[^;]*, ok\./,
  );
  expect(page).toContain(`<code>${azure.path("demo/infra.json")}</code>`);
  expect(page).toMatch(/<dt>command<\/dt><dd>aro-hcp create all .*--yes --output-report /);
  expect(page).toMatch(/throttling requests/);

  const timings = await timingsIn(azure);
  const schema = JSON.parse(await readFile("schemas/timings.json", "utf8")) as object;
  expect(new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).validate(schema, timings)).toBe(true);
  expect(timings).toMatchObject({ type: "timings", ok: true, command: "create all" });
  expect(timings.steps).toHaveLength(89);
  const network = timings.steps.find(({ id }) => id === "vnet") ?? timings.steps.find(({ title }) => title.startsWith("virtual network "));
  const { startedMs = 0, endedMs = 0, waits = [] } = network ?? {};
  expect(waits.map(({ reason }) => reason)).toContainEqual(expect.stringContaining("throttling requests"));
  for (const wait of waits) {
    expect([startedMs, wait.startedMs, wait.endedMs, endedMs]).toEqual(
      [startedMs, wait.startedMs, wait.endedMs, endedMs].toSorted((a, b) => a - b),
    );
  }
  const ids = new Set(timings.steps.map(({ id }) => id));
  expect(timings.criticalPath.length).toBeGreaterThan(1);
  expect(timings.criticalPath.filter((id) => !ids.has(id))).toEqual([]);
  expect(timings.elapsedMs).toBeGreaterThanOrEqual(timings.runStartedMs ?? Infinity);
  expect(page + JSON.stringify(timings)).not.toMatch(/BEGIN|eyJ/);

  exits(await azure.cli([...all, "--output-report", azure.path("report.html")]), 0);
  const again = await pageOf(azure);
  expect(outline(again)).not.toContain("Timeline");
  expect(again).toMatch(/demo-cpo, ok; .*; cpo, [0-9a-f-]{36}, ok; /);
});

test("a create that fails has a page with the failure, once, and the parts of the flow that are missing", async () => {
  const azure = await testEmulator();
  const denied = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no <right> to write" } } };
  const faults = [{ path: "/roleAssignments/", method: "PUT", times: 99, answer: denied }];
  const all = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes", ...files(azure)];
  const { code } = await azure.cli(all, { faults });
  expect(code).toBe(5);
  const page = await pageOf(azure);
  expect(outline(page)).toEqual([
    ...["create all demo-x7k2", "create all demo-x7k2 did not complete", "To do"],
    ...["From the secret to Azure, as this run left it", "Timeline", "Resources"],
  ]);
  expect(page.match(/<article/g)).toHaveLength(1);
  expect(page).toContain("no &lt;right&gt; to write");
  expect(page).toMatch(/of 89 steps; the same command continues with the other \d+/);
  expect(page).toMatch(/<title>Contributor, FAIL: role assignment Contributor for cpo on /);
  expect(page).toMatch(/<title>demo-cpo, skip: certificate demo-cpo-cert key of application demo-cpo credential secret demo-cpo</);
  expect(await timingsIn(azure)).toMatchObject({ ok: false });
});

test("a create that is interrupted has a page with what it made as made, with each known name, and the rest as skipped", async () => {
  const azure = await testEmulator();
  const busy = { status: 429, body: { error: { code: "TooManyRequests", message: "wait" } } };
  const never = (path: string, method: string) => ({ path, method, times: 100_000, answer: busy });
  const faults = azure.path("faults.json");
  await writeFile(
    faults,
    JSON.stringify([
      never("/certificates/demo-cpo-cert/create", "POST"),
      never("applications.*[.]disk(?:'|%27)", "PATCH"),
      never("/networkSecurityGroups/", "PUT"),
    ]),
  );
  const env = { HOME: azure.path("."), ARO_HCP_LOCAL_DIR: azure.directory, ARO_HCP_LOCAL_FAULTS: faults };
  const all = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes", ...files(azure)];
  const running = startCli(all, { env });
  for (const made of ["service principal of application demo-cpo", "certificate demo-disk-cert", "credential secret demo-file"]) {
    await expect.poll(() => running.stderr(), { timeout: 60_000 }).toMatch(new RegExp(`created .*${made}`));
  }
  running.signal("SIGINT");
  exits(await running.ended, 130);
  const page = await pageOf(azure);
  expect(page).toMatch(/<title>cpo, [0-9a-f-]{36}, ok</);
  expect(page).toContain("<title>demo-disk, warn: key of application demo-disk credential secret demo-disk<");
  expect(page).toMatch(/<title>demo-cpo, (?:warn|skip): /);
  expect(page).toMatch(
    /<title>resource group demo-demo-x7k2 \(managed\)[^<]*resource group demo-demo-x7k2-nsg \(security group\)[^<]*, ok</,
  );
  expect(page).not.toMatch(/<title>resource group \(/);
});

test("a plan, a sign-in that fails and a destroy have a page too", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["--dry-run", ...files(azure)]), 0);
  expect(outline(await pageOf(azure))).toEqual(["create infra demo-x7k2", "This is a plan: nothing was changed", "Plan"]);
  expect(await timingsIn(azure)).toMatchObject({ ok: true, steps: [], criticalPath: [] });

  const rejected = { status: 401, body: { error: "invalid_client", error_description: "AADSTS7000222: expired" } };
  const { code } = await create(azure, ["--yes", ...files(azure)], { faults: [{ path: "/oauth2/", times: 99, answer: rejected }] });
  expect(code).toBe(4);
  const failed = await pageOf(azure);
  expect(outline(failed)).toEqual(["create infra demo-x7k2", "create infra failed", "To do"]);
  expect(failed).toContain("AADSTS7000222");

  exits(await create(azure, ["--yes"]), 0);
  exits(await destroy(azure, files(azure)), 0);
  const page = await pageOf(azure);
  expect(outline(page)).toEqual(["destroy infra demo-x7k2", expect.stringMatching(/is done/), "Timeline", "Resources"]);
  expect(page).toMatch(/virtual networks <span class="soft">1 removed</);
  expect((await timingsIn(azure)).steps.every(({ act }) => act === "remove")).toBe(true);
});

test("doctor and verify infra have a page with what they found, and with what passed folded", async () => {
  const azure = await testEmulator();
  const report = ["--output-report", azure.path("report.html")];
  const { stdout } = await azure.cli(["doctor", ...wholeFlags, ...report]);
  const page = await pageOf(azure);
  const passed = /(\d+) passed/.exec(stripVTControlCharacters(stdout))?.[1] ?? "none";
  expect(outline(page)[0]).toBe("doctor demo-x7k2");
  expect(page).toContain(`<summary>${passed} checks passed</summary>`);
  exits(await create(azure, ["--yes"]), 0);
  exits(await azure.cli(["verify", "infra", ...demo, ...demoDomain, ...report]), 0);
  expect(outline(await pageOf(azure))).toEqual([
    "Infrastructure of demo (demo-x7k2)",
    expect.stringMatching(/^(All checks passed|No check failed)/),
    "Checks",
  ]);
});

test("only an earlier file of its kind is replaced, and no two outputs share a file", async () => {
  const azure = await testEmulator();
  const mine = azure.path("mine");
  await writeFile(mine, "mine");
  for (const flag of ["--output-report", "--output-timings"]) {
    await refuses(azure, create(azure, ["--yes", flag, mine]), 2, "it is a file that this command did not write");
    const all = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), flag, azure.path("demo/infra.json")];
    await refuses(azure, azure.cli(all), 2, /is also infra.json of --output-dir/);
  }
  const one = azure.path("one");
  for (const flag of ["--output-report", "--output-timings"]) {
    await refuses(azure, create(azure, ["--output-file", one, flag, one]), 2, /also the path of --output-file/);
    const arc = ["create", "arc", "--cloud", "local", "--name", "demo", "--resource-group-name", "arc", "--output-dir", azure.path("arc")];
    await refuses(
      azure,
      azure.cli([...arc, flag, azure.path("arc/arc-onboarding-key.pem")]),
      2,
      /is also arc-onboarding-key.pem of --output-dir/,
    );
    const zone = ["create", "dns-zone", "--cloud", "local", "--base-domain", "b.hcp.example.com", "--dns-zone-rg-name", "b-dns"];
    const principal = [...zone, "--external-dns-identity", "service-principal"];
    await refuses(azure, azure.cli([...principal, flag, "external-dns-b.hcp.example.com.json"]), 2, /also the path of --external-dns-cred/);
    await refuses(
      azure,
      azure.cli([...principal, "--external-dns-credentials-file", one, flag, one]),
      2,
      /also the path of --external-dns-cred/,
    );
  }
  await refuses(azure, create(azure, ["--output-report", one, "--output-timings", one]), 2, /also the path of --output-report/);
  expect(await readFile(mine, "utf8")).toBe("mine");
});

test("a link leads to the resource in the portal of its cloud, for a part to the whole, and for a role assignment to its scope", () => {
  const group = "/subscriptions/s/resourceGroups/g";
  const network = `${group}/providers/Microsoft.Network/virtualNetworks/v`;
  const assignment = (scope: string) => `${scope}/providers/Microsoft.Authorization/roleAssignments/a`;
  const page = (id: string) => portalPage("https://portal.azure.us", "t", id);
  expect([group, network, `${network}/subnets/default`, assignment(group), assignment(network), "not-in-azure"].map(page)).toEqual([
    `https://portal.azure.us/#@t/resource${group}`,
    `https://portal.azure.us/#@t/resource${network}`,
    `https://portal.azure.us/#@t/resource${network}`,
    `https://portal.azure.us/#@t/resource${group}/users`,
    `https://portal.azure.us/#@t/resource${network}/users`,
    undefined,
  ]);
  expect(portalPage(undefined, "t", group)).toBeUndefined();
});
