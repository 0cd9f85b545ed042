/** `audit` and `sweep` on a full subscription: exactly what is proved to be left over goes, and only if everything that decides was read. */
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { testEmulator, writes, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";
import { wellKnown } from "../../src/emulator/index.js";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { fullSubscription, givenInfraIds } from "./full-subscription.js";

const given = ["--infra-ids", givenInfraIds.join(",")];

async function full(): Promise<TestEmulator & { readonly estate: ReturnType<typeof fullSubscription> }> {
  const azure = await testEmulator();
  const estate = fullSubscription(new Date());
  await azure.seed(estate.seed);
  return { ...azure, estate };
}

interface Candidate {
  readonly kind: string;
  readonly id: string;
  readonly verdict: string;
  readonly objections: readonly string[];
}

async function audit(azure: TestEmulator, args: readonly string[] = given, options: CliOptions = {}) {
  const { code, stdout } = await azure.cli(["audit", "role-assignments", "--cloud", "local", "--output", "json", ...args], options);
  return { code, ...(JSON.parse(stdout) as { candidates: readonly Candidate[]; unread: readonly object[] }) };
}

function sweep(azure: TestEmulator, args: readonly string[] = given, options: CliOptions = {}) {
  return azure.cli(["sweep", "role-assignments", "--cloud", "local", "--yes", "--max", "1000", ...args], options);
}

/** The names of the assignments that are there. */
async function left(azure: TestEmulator): Promise<ReadonlySet<string>> {
  const { roleAssignments } = (await azure.snapshot()) as unknown as {
    readonly roleAssignments: Readonly<Record<string, { readonly name: string }>>;
  };
  return new Set(Object.values(roleAssignments).map(({ name }) => name.toLowerCase()));
}

const verdicts = (candidates: readonly Candidate[], verdict: string) => candidates.filter((one) => one.verdict === verdict).length;
/** What an answer of Microsoft Graph has. */
const fromGraph = { "request-id": "00000000-0000-4000-8000-000000000001" };
const journal = (azure: TestEmulator) => azure.path("journal.ndjson");

describe("of 4,000 role assignments", () => {
  test("an audit proves 530, and says of all others why not", async () => {
    const azure = await full();
    const { code, candidates, unread } = await audit(azure);
    expect({ code, unread }).toEqual({ code: 0, unread: [] });
    expect(verdicts(candidates, "sweep")).toBe(530);
    const because = (text: string) => candidates.filter(({ objections }) => objections.some((one) => one.includes(text))).length;
    expect(because("a lock forbids it")).toBe(24);
    expect(because("a deny assignment forbids it")).toBe(6);
    expect(because("younger than 24 hours")).toBe(20);
    expect(because("can be restored")).toBe(64);
    expect(because("its principal exists")).toBe(44);
    expect(because("of another tenant")).toBe(14);
    expect(candidates.length).toBe(530 + 24 + 6 + 20 + 64 + 44 + 14 + 36 + 470 + 30);
    // Without the infra IDs of clusters that left nothing else, only the others are proved.
    expect(verdicts((await audit(azure, [])).candidates, "sweep")).toBe(330);
  });

  test("a budget says that none fits, and how many would after a sweep", async () => {
    const azure = await full();
    // No create makes nodes.
    const budget = ["budget", "--cloud", "local", "--node-pool-replicas", "0", ...given];
    const { budgets } = JSON.parse((await azure.cli([...budget, "--output", "json"])).stdout) as { readonly budgets: readonly object[] };
    const sharedSet = (clusters: number) => ({ clusters, boundBy: "role assignments" });
    expect(budgets).toMatchObject([
      {
        withSharedSet: sharedSet(0),
        afterSweep: { frees: [{ name: "role assignments", count: 530 }], withSharedSet: sharedSet(25), withOwnSet: sharedSet(22) },
      },
    ]);
    const text = (await azure.cli(budget, { env: { NO_COLOR: "1" } })).stdout.replaceAll(/\s+/g, " ");
    expect(text).toContain(
      "eastus, after a sweep, which frees 530 role assignments: 25 more clusters fit on existing sets, limited by role assignments;",
    );
  });

  test("a sweep removes these 530, in a journal that only its owner reads, and an undo restores them", async () => {
    const azure = await full();
    const before = await left(azure);
    const { code, stderr } = await sweep(azure, [...given, "--output-journal", journal(azure)]);
    expect(stderr).toContain("looking again in 3 minutes");
    expect(code).toBe(0);
    const gone = new Set([...azure.estate.ofApplications, ...azure.estate.ofIdentities].map(({ name }) => name.toLowerCase()));
    expect(await left(azure)).toEqual(new Set([...before].filter((name) => !gone.has(name))));
    const lines = (await readFile(journal(azure), "utf8")).trimEnd().split("\n");
    expect(lines.length).toBe(530);
    expect((await stat(journal(azure))).mode & 0o777).toBe(0o600);
    const undone = await azure.cli(["sweep", "--undo-file", journal(azure), "--cloud", "local", "--yes"]);
    expect(undone.code).toBe(0);
    expect(await left(azure)).toEqual(before);
  });

  test("a cap ends it, and the next one goes on", async () => {
    const azure = await full();
    const before = await left(azure);
    const first = await azure.cli(["sweep", "--cloud", "local", "--yes", "--max", "200", ...given, "--output-journal", azure.path("1")]);
    expect(first.stderr).toContain("of 530 leftovers, 200 are removed");
    expect(before.size - (await left(azure)).size).toBe(200);
    await sweep(azure, [...given, "--output-journal", azure.path("2")]);
    expect(before.size - (await left(azure)).size).toBe(530);
    expect((await sweep(azure)).stderr).toContain("nothing is proved to be left over");
  });
});

describe("while a sweep runs", () => {
  test("what is gone already is done, and a principal that is there again keeps its role", async () => {
    const azure = await full();
    const before = await left(azure);
    const [first] = azure.estate.ofApplications;
    const error = { code: "RoleAssignmentNotFound", message: "gone" };
    const gone = { path: `roleAssignments/${first?.name ?? ""}$`, method: "GET", answer: { status: 404, body: { error } } };
    // Each look asks twice; the fifth time is right before a deletion.
    const rows = [...azure.estate.ofApplications, ...azure.estate.ofIdentities];
    const ids = [wellKnown.clientPrincipalId, ...rows.map(({ principalId }) => principalId)];
    const value = ids.map((id) => ({ "@odata.type": "#microsoft.graph.servicePrincipal", id }));
    const alive = { path: "directoryObjects/getByIds$", nth: 5, answer: { status: 200, headers: fromGraph, body: { value } } };
    const { code, stderr } = await sweep(azure, [...given, "--output-journal", journal(azure)], { faults: [gone, alive] });
    expect(code).toBe(5);
    expect(stderr).toContain("was kept: its principal exists");
    // One was gone, as the program saw it, and one came back.
    expect(before.size - (await left(azure)).size).toBe(528);
    expect((await readFile(journal(azure), "utf8")).trimEnd().split("\n")).toHaveLength(528);
  });

  test("a kill in the middle leaves a journal of all that is gone, and the next sweep goes on", async () => {
    const azure = await full();
    const before = await left(azure);
    const faults = [{ method: "DELETE", path: "roleAssignments", nth: 201, kill: true }];
    await azure.cli(["sweep", "--cloud", "local", "--yes", "--max", "1000", ...given, "--output-journal", azure.path("1")], { faults });
    const middle = before.size - (await left(azure)).size;
    expect(middle).toBeGreaterThan(150);
    await sweep(azure, [...given, "--output-journal", azure.path("2")]);
    expect(before.size - (await left(azure)).size).toBe(530);
    const ids = await Promise.all(
      ["1", "2"].map(async (name) =>
        (await readFile(azure.path(name), "utf8"))
          .trimEnd()
          .split("\n")
          .map((line) => (JSON.parse(line) as { id: string }).id),
      ),
    );
    expect(new Set(ids.flat()).size).toBe(530);
  });
});

describe("an undo refuses", () => {
  const entry = {
    ...{
      schemaVersion: 1,
      at: "2026-03-01T12:00:00Z",
      kind: "role-assignments",
      title: "role assignment",
      madeBy: "its name",
      unused: "its principal",
      owner: "x7k2",
    },
  };

  async function undone(body: object, mode = 0o600) {
    const azure = await testEmulator();
    await writeFile(journal(azure), `${JSON.stringify({ ...entry, id: "/x", body })}\n`);
    await chmod(journal(azure), mode);
    const { code, stderr } = await azure.cli(["sweep", "--undo", journal(azure), "--cloud", "local", "--yes"]);
    return { code, stderr, writes: writes(await azure.traffic()) };
  }

  const scope = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
  const name = "7d1f0c3e-0000-4000-8000-000000000001";
  const assignment = { id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`, name, scope, principalId: name };
  const owner = `${scope}/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635`;

  test("a role that no tool for clusters assigns, whatever its name", async () => {
    const named = { ...assignment, name: roleAssignmentName("x7k2", "ingress", scope) };
    const contributor = {
      ...named,
      roleDefinitionId: owner.replace("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "b24988ac-6180-42a0-ab88-20f7382dd24c"),
    };
    for (const body of [{ ...assignment, roleDefinitionId: owner }, { ...named, roleDefinitionId: owner }, contributor, {}]) {
      const { code, stderr, writes: written } = await undone(body);
      expect({ code, written }).toEqual({ code: 5, written: [] });
      expect(stderr).toContain("no tool for hosted clusters assigns it");
    }
  });

  test("a journal that others may write", async () => {
    const { code, stderr, writes: written } = await undone({}, 0o666);
    expect({ code, written }).toEqual({ code: 2, written: [] });
    expect(stderr).toContain("somebody else");
  });
});

describe("nothing is removed", () => {
  const denied = {
    status: 403,
    body: { error: { code: "Authorization_RequestDenied", message: "Insufficient privileges to complete the operation." } },
  };

  test.each([
    ["without rights in the directory", { path: "directoryObjects/getByIds$", times: 9, answer: denied }],
    ["if the bin cannot be read", { path: "directory/deletedItems/microsoft.graph.servicePrincipal$", times: 9, answer: denied }],
    [
      "if an answer of the directory lacks what exists",
      { path: "directoryObjects/getByIds$", times: 9, answer: { status: 200, body: { value: [] } } },
    ],
  ])("%s", async (_, fault) => {
    const azure = await full();
    const before = await left(azure);
    const { code, stderr } = await sweep(azure, given, { faults: [fault] });
    expect({ code, stderr }).toMatchObject({ code: 8 });
    expect(await left(azure)).toEqual(before);
    const { code: audited, candidates } = await audit(azure, given, { faults: [fault] });
    expect(audited).toBe(8);
    expect(verdicts(candidates, "sweep")).toBe(0);
  });

  test("with a cap below 1", async () => {
    const { code, stderr } = await (await testEmulator()).cli(["sweep", "--cloud", "local", "--yes", "--max", "0"]);
    expect(code).toBe(2);
    expect(stderr).toContain("0 is not at least 1");
  });

  test("with --yes and no cap", async () => {
    const azure = await testEmulator();
    const { code, stderr } = await azure.cli(["sweep", "--cloud", "local", "--yes"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--max");
  });
});
