/** `verify infra` as a command: its exit codes, its two formats, its requests. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { demo, demoDomain, testEmulator, writes, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, groups, ids } from "../cli/demo-cluster.js";
import { create, exits } from "../cli/expectations.js";
import { roleFlags } from "../identities/cli/identities.js";
import { deleteResources } from "../harness/state-changes.js";

const verify = (azure: TestEmulator, flags: readonly string[]) => azure.cli(["verify", "infra", "--cloud", "local", ...flags]);

interface Document {
  readonly ok: boolean;
  readonly command: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly { readonly check: string; readonly subject: string; readonly state: string; readonly next?: string }[];
}

test("exits with 0 if all checks pass, 3 with a warning, 6 with a failure, 2 for an unknown check; read-only", async () => {
  const azure = await testEmulator();
  const roles = await roleFlags(azure);
  const file = azure.path("infra.json");
  exits(await create(azure, [...roles, "--output-file", file]), 0);
  await azure.traffic();

  const identities = roles.slice(0, 4);
  const healthy = exits(await verify(azure, ["--infra-file", file, ...identities]), 0).stdout;
  expect(healthy).toMatch(/^ok +virtual network demo-demo-x7k2 +17 ok$/m);
  expect(healthy).toMatch(/^ok +role assignments +21 ok$/m);
  expect(healthy).toMatch(/\n\d+ passed, 1 skipped\n$/);
  const traffic = (await azure.traffic()).filter(({ url }) => !url.includes("/oauth2/"));
  expect(writes(traffic)).toEqual([]);
  expect(traffic.length).toBeLessThanOrEqual(30);

  const elsewhere = azure.path("elsewhere.json");
  const text = await readFile(file, "utf8");
  await writeFile(elsewhere, text.replace(/("tenantID": ")7e7a/, "$10000"));
  expect(exits(await verify(azure, ["--infra-file", elsewhere]), 2).stderr).toMatch(
    /elsewhere\.json belongs to tenant 00000000-.*signed in to tenant 7e7a.*[\s\S]*`az login --tenant 00000000-/,
  );

  const lock = `${groupId(groups.managed)}/providers/Microsoft.Authorization/locks/keep`;
  await azure.seed({ resources: { [lock]: { properties: { level: "ReadOnly" } } } });
  const warned = exits(await verify(azure, [...demo.slice(2), ...demoDomain, "--only", "no-locks", "-o", "json"]), 3).stdout;
  expect(JSON.parse(warned)).toMatchObject({
    ok: true,
    command: "verify infra",
    counts: { passed: 0, warning: 1, failed: 0, skipped: 0 },
    results: [{ check: "no-locks", subject: "cluster demo-x7k2", state: "warning" }],
  });

  await deleteResources(azure, ids.loadBalancer);
  const broken = exits(await verify(azure, [...demo.slice(2), ...demoDomain, ...identities, "--only", "balancer-parts", "-o", "json"]), 6);
  const { ok, results } = JSON.parse(broken.stdout) as Document;
  expect(ok).toBe(false);
  expect(results.map(({ check, state }) => `${check} ${state}`)).toEqual(["resource-exists failed", "balancer-parts skipped"]);
  // The advised command is run as printed, with its connection flags.
  const [, line = ""] =
    /`aro-hcp (create infra --cloud local .*--managed-identities-file .* --assign-identity-roles)` creates what is missing/.exec(
      results[0]?.next ?? "",
    ) ?? [];
  await deleteResources(azure, lock);
  exits(await azure.cli(line.split(" ")), 0);
  exits(await verify(azure, ["--infra-file", file, ...identities]), 0);

  const unknown = exits(await verify(azure, ["--infra-file", file, "--only", "no-lock"]), 2).stderr;
  expect(unknown).toMatch(/--only +"no-lock" is not one of \d+ choices; did you mean no-locks/);
  expect(exits(await verify(azure, ["--name", "demo", "--cluster-cidr", "pods"]), 2).stderr).toMatch(
    /--infra-id +is required without --infra-file or --input-dir[\s\S]*"pods" is not a CIDR range/,
  );
});
