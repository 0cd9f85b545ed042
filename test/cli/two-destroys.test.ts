/** Destroys at the same time as another command: each ends truthfully. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { linesIn } from "../harness/own-line.js";
import { shellWords } from "../harness/shell-words.js";
import { deleteResources } from "../harness/state-changes.js";
import { demoDomain, testEmulator, type Exchange, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, groups } from "./demo-cluster.js";
import { create, destroy, exits } from "./expectations.js";
import { principalIdOf, roleFlags } from "../identities/cli/identities.js";
import { assignmentName } from "../infra/role-names.js";

const next = ["--cloud", "local", "--name", "next", "--infra-id", "next-a1b2"] as const;
const ingressRole = "0336e1d3-7a87-462b-b6db-342b63f7802c";
const slow = { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "100" } as const;

const isRemoval = ({ method }: Exchange) => method === "DELETE";

/** Two clusters of one set: the first one made the common assignment on the zone's group. */
async function withTwoClusters(): Promise<{ azure: TestEmulator; before: Awaited<ReturnType<TestEmulator["snapshot"]>> }> {
  const azure = await testEmulator();
  const roles = await roleFlags(azure);
  const before = await azure.snapshot();
  exits(await create(azure, roles), 0);
  exits(await azure.cli(["create", "infra", ...next, ...demoDomain, ...roles]), 0);
  await azure.traffic();
  return { azure, before };
}

describe("of two clusters with one set, destroyed at once", () => {
  test("both are done, and at most the common assignment is left, which a rerun deletes", async () => {
    const { azure, before } = await withTwoClusters();
    const both = await Promise.all([destroy(azure, [], { env: slow }), azure.cli(["destroy", "infra", ...next, "--yes"], { env: slow })]);
    for (const { stderr } of both.map((one) => exits(one, 0))) expect(stderr).toContain("is done");
    const { roleAssignments, resources } = await azure.snapshot();
    expect(resources).toEqual(before.resources);
    const common = assignmentName("demo-x7k2", "ingress", groupId("dns"));
    const added = Object.keys(roleAssignments).filter((key) => !(key in before.roleAssignments));
    expect(added.filter((key) => !key.endsWith(common))).toEqual([]);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("the first one does not fail on what it kept for the second one, which is gone at the end, and says how to delete it", async () => {
    const { azure, before } = await withTwoClusters();
    const running = destroy(azure, [], { env: slow });
    await azure.recorded((exchanges) => exchanges.some(isRemoval));
    exits(await azure.cli(["destroy", "infra", ...next, "--yes"]), 0);
    const { stderr } = exits(await running, 0);
    expect(stderr).toMatch(/next +role assignment .* on resource group dns was kept, but is no longer needed: rerun/);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("of two clusters on one set, the first one says how to delete the set that it kept for the second one", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const of = (name: string) => ["--cloud", "local", "--name", name, "--infra-id", `${name}-a1b2`];
  for (const name of ["blue", "green"]) {
    const files = ["--dns-zone-rg-name", "dns", "--output-dir", azure.path(name)];
    exits(await azure.cli(["create", "all", ...of(name), "--identities-name", "shared", ...demoDomain, ...files]), 0);
  }
  await azure.traffic();
  // Neither names the set, which their records have.
  const running = azure.cli(["destroy", "all", ...of("blue"), "--purge", "--yes"], { env: slow });
  await azure.recorded((exchanges) => exchanges.some(isRemoval));
  exits(await azure.cli(["destroy", "infra", ...of("green"), "--yes"]), 0);
  const { stderr } = exits(await running, 0);
  const [line = ""] = linesIn(stderr.replaceAll(/\s+/g, " ")).filter((one) => one.includes("destroy all"));
  expect(line).toContain("--identities-name shared --purge");
  exits(await azure.cli([...shellWords(line).slice(1), "--yes"]), 0);
  expect((await azure.snapshot()).resources).toEqual(before.resources);
});

test("a destroy beside which something of the cluster is created does not say that it is done", async () => {
  const azure = await testEmulator();
  const roles = await roleFlags(azure);
  exits(await create(azure, roles), 0);
  await azure.traffic();
  const events = azure.path("events.ndjson");
  const running = destroy(azure, ["--output-events", events], { env: slow });
  await azure.recorded((exchanges) => exchanges.some(isRemoval));
  const scope = groupId("dns");
  const name = assignmentName("demo-x7k2", "cpo", scope);
  await azure.seed({ roleAssignments: [{ scope, name, role: ingressRole, principalId: principalIdOf("controlPlaneOperator") }] });
  const { stderr } = exits(await running, 1);
  expect(stderr).toContain("destroy infra demo-x7k2 did not complete");
  expect(stderr).not.toContain("is done");
  expect(stderr).toContain("ARO-DELETE-003");
  const last = (await readFile(events, "utf8")).trimEnd().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ type: "run.finished", ok: false });
  await deleteResources(azure, groupId(groups.managed));
});

test("if the last read fails, the destroy reports it and does not say that it is done", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const refused = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no longer" } } };
  // The first read is for the plan.
  const faults = [{ method: "GET", path: "/providers/Microsoft.Authorization/roleAssignments$", nth: 2, times: 100, answer: refused }];
  const { stderr } = exits(await destroy(azure, [], { faults }), 5);
  expect(stderr).toContain("did not complete");
  expect(stderr).not.toContain("is done");
  exits(await destroy(azure), 0);
});

test("two destroys of one set at once leave nothing", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const set = ["--cloud", "local", "--name", "demo", "--resource-group-name", "common"];
  exits(await azure.cli(["create", "identities", ...set, "--oidc-issuer-url", "https://issuer.example.com/demo"]), 0);
  const run = () => azure.cli(["destroy", "identities", ...set, "--yes", "--purge"], { env: slow });
  for (const result of await Promise.all([run(), run()])) expect(exits(result, 0).stderr).toContain("is done");
  expect(await azure.snapshot()).toEqual(before);
});

test("a create beside a destroy does not say that it is done with what the destroy has deleted", async () => {
  const azure = await testEmulator();
  const running = create(azure, [], { env: slow });
  await azure.recorded((exchanges) => exchanges.some(({ method, url }) => method === "PUT" && /\/virtualNetworkLinks\//.test(url)));
  await deleteResources(azure, groupId(groups.nsg));
  const { stderr } = exits(await running, 1);
  expect(stderr).toContain("did not complete");
  expect(stderr).toContain("ARO-OWN-005");
  expect(stderr).toContain(groupId(groups.nsg));
  exits(await create(azure), 0);
});
