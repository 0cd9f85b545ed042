/** The job summary of GitHub: commands on the emulator append to the file, and text of others is no markup. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { exits } from "../cli/expectations.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";

const flags = [...demo, ...demoDomain];

test("each command that changes or checks something appends its result, a plan nothing, and an unwritable file is a notice", async () => {
  const azure = await testEmulator();
  const file = azure.path("summary.md");
  await writeFile(file, "earlier\n");
  const env = { GITHUB_STEP_SUMMARY: file };
  const added = async (args: readonly string[], code: number) => {
    const before = await readFile(file, "utf8");
    exits(await azure.cli(args, { env }), code);
    const after = await readFile(file, "utf8");
    expect(after.startsWith(before)).toBe(true);
    return after.slice(before.length);
  };
  expect(await added(["create", "infra", ...flags, "--dry-run"], 0)).toBe("");
  expect(await added(["create", "infra", ...flags, "--yes"], 0)).toMatch(
    /^### aro-hcp create infra\n\n\*\*create infra demo-x7k2 is done in .*\*\*\n\n\d+ created/,
  );
  expect(await added(["create", "infra", ...flags, "--yes"], 0)).toContain("kept");
  expect(await added(["show", "infra", ...flags], 0)).toBe("");
  expect(await added(["verify", "infra", ...demo], 0)).toMatch(
    /^### aro-hcp verify infra\\: infrastructure of demo \(demo-x7k2\)\n\n\*\*.*\d+ passed/s,
  );
  const unwritable = await azure.cli(["create", "infra", ...flags, "--yes"], { env: { GITHUB_STEP_SUMMARY: azure.path(".") } });
  expect(exits(unwritable, 0).stderr).toContain("notice: no job summary");
  expect(await added(["destroy", "infra", ...demo, "--yes"], 0)).toContain("removed");
});

test("a failure before a run begins is in the summary, once", async () => {
  const azure = await testEmulator();
  const file = azure.path("summary.md");
  const env = { GITHUB_STEP_SUMMARY: file };
  const added = async (args: readonly string[], code: number) => {
    await writeFile(file, "");
    exits(await azure.cli(args, { env }), code);
    return readFile(file, "utf8");
  };
  const flag = await added(["create", "infra", ...demo, "--yes"], 2);
  expect(flag).toMatch(/^### aro-hcp create infra\n\n\*\*create infra failed\*\*\n/);
  expect(flag).toMatch(/ \(ARO-USAGE-001\)\n {2}- problem: \S*base-domain.*\n {2}- next: pass/);
  expect(await added(["create", "infra", ...flags, "--yes", "--output-report", azure.path("no/where.html")], 2)).toContain("ARO-FILE-004");
  expect(await added(["creat", "infra"], 2)).toMatch(/^### aro-hcp\n[^]*ARO-USAGE-001/);
  expect(await added(["verify", "infra", ...demo], 2)).toMatch(/^### [^#]*$/);
  expect(await added(["show", "infra", "--cloud", "local", "--name", "demo"], 2)).toBe("");
});

test("a failed step has its code, its reason and what to do, and text of others is no markup", async () => {
  const azure = await testEmulator();
  const file = azure.path("summary.md");
  const env = { GITHUB_STEP_SUMMARY: file };
  const answer = { status: 400, body: { error: { code: "Wrong", message: "<img src=x> **[no](https://example.com)**\n# no" } } };
  await writeFile(azure.path("faults.json"), JSON.stringify([{ method: "PUT", path: "/loadBalancers/", times: 9, answer }]));
  exits(await azure.cli(["create", "infra", ...flags, "--yes"], { env: { ...env, ARO_HCP_LOCAL_FAULTS: azure.path("faults.json") } }), 1);
  const failed = await readFile(file, "utf8");
  expect(failed).toContain("1 failed");
  expect(failed).toContain(String.raw`\<img src=x\> \*\*\[no\]`);
  expect(failed).not.toMatch(/^# no/m);

  exits(await azure.cli(["verify", "infra", ...flags], { env }), 6);
  expect((await readFile(file, "utf8")).slice(failed.length)).toMatch(/- failed: .*load balancer.*\n {2}- next: /);
});
