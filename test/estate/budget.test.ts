/** `budget`: what a create takes of each limit, and how many more clusters fit until the first of them is reached. */
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { changeState } from "../harness/state-changes.js";
import { demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";

interface Limit {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  readonly takes: { readonly sharedSet: number; readonly ownSet: number };
}

interface Budget {
  readonly location?: string;
  readonly withSharedSet: { readonly clusters: number; readonly boundBy: string };
  readonly withOwnSet: { readonly clusters: number; readonly boundBy: string };
  readonly limits: readonly Limit[];
}

async function budget(azure: TestEmulator, args: readonly string[] = ["--location", "eastus"]): Promise<Budget> {
  const { stdout } = exits(await azure.cli(["budget", "--cloud", "local", "--output", "json", ...args]), 0);
  const [first] = (JSON.parse(stdout) as { readonly budgets: readonly Budget[] }).budgets;
  if (first === undefined) throw new Error("no budget");
  return first;
}

async function create(azure: TestEmulator, name: string): Promise<void> {
  const flags = ["--name", name, "--infra-id", `${name}-x7k2`, "--identities-name", "shared", ...demoDomain, "--dns-zone-rg-name", "dns"];
  exits(await azure.cli(["create", "all", "--cloud", "local", ...flags, "--output-dir", azure.path(name)]), 0);
}

/** How much of each limit is used, by its name. */
function used({ limits }: Budget): Readonly<Record<string, number>> {
  return Object.fromEntries(limits.map((one) => [one.name, one.used]));
}

test("a create takes of each limit what its budget says: the first one with its set, the second one with that set", async () => {
  const azure = await testEmulator();
  // No create makes nodes.
  const withoutNodes = ["--location", "eastus", "--node-pool-replicas", "0"];
  const before = await budget(azure, withoutNodes);
  await create(azure, "blue");
  const first = await budget(azure, withoutNodes);
  await create(azure, "green");
  const second = await budget(azure, withoutNodes);
  const expected = (earlier: Budget, kind: "sharedSet" | "ownSet") =>
    Object.fromEntries(earlier.limits.map(({ name, used: at, takes }) => [name, at + takes[kind]]));
  expect(used(first)).toEqual(expected(before, "ownSet"));
  // The ingress role of the set on the group of the zone exists already: a budget counts it for each cluster.
  const { "role assignments": roles = 0, ...others } = expected(first, "sharedSet");
  expect(used(second)).toEqual({ ...others, "role assignments": roles - 1 });
  expect(first.limits.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["role assignments", "resource groups", "PublicIPAddresses"]),
  );
});

test("the limit that is reached first binds, and a full one leaves no room", async () => {
  const azure = await testEmulator();
  const cores = await budget(azure, ["--location", "eastus", "--node-pool-replicas", "3"]);
  // 100 cores in the region, 4 for a node.
  expect(cores.withSharedSet).toEqual({ clusters: 8, boundBy: "cores" });
  await azure.seed({ knobs: { coreQuotas: { standardDSv5Family: 20 } } });
  expect((await budget(azure)).withOwnSet).toEqual({ clusters: 2, boundBy: "standardDSv5Family" });
  await azure.seed({ knobs: { roleAssignmentLimit: 50, coreQuotas: {} } });
  const roles = await budget(azure);
  const { used: at = 0, takes } = roles.limits.find(({ name }) => name === "role assignments") ?? {};
  expect(roles.withSharedSet).toEqual({ clusters: Math.floor((50 - at) / (takes?.sharedSet ?? 1)), boundBy: "role assignments" });
  await azure.seed({ knobs: { publicIpLimit: 0 } });
  const { withSharedSet, withOwnSet } = await budget(azure);
  expect(withSharedSet).toMatchObject({ clusters: 0 });
  expect(withSharedSet.boundBy).toMatch(/PublicI[Pp]Addresses$/);
  expect(withOwnSet.clusters).toBe(0);
});

test("a limit whose use cannot be read is unknown, not free", async () => {
  const azure = await testEmulator();
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no right" } } };
  const faults = [{ method: "GET", path: "/roleAssignmentsUsageMetrics$", times: 9, answer }];
  const { stdout, stderr } = exits(await azure.cli(["budget", "--cloud", "local"], { faults }), 8);
  expect(stderr).toContain("role assignments");
  expect(stderr).toContain("ARO-AUTHZ-001");
  expect(stdout).not.toContain("role assignments");
});

test("the size of the directory counts for sets of their own, and its reader needs a right of its own", async () => {
  const azure = await testEmulator();
  const read = async () => {
    const { stdout } = exits(await azure.cli(["budget", "--cloud", "local", "--output", "json"]), 0);
    return JSON.parse(stdout) as { readonly unknown: readonly object[]; readonly budgets: readonly Budget[] };
  };
  const text = async () => exits(await azure.cli(["budget", "--cloud", "local"]), 0).stdout.replaceAll(/\s+/g, " ");
  expect((await read()).unknown).toEqual([{ what: "the use of directory objects", why: expect.stringContaining("failed: ") as string }]);
  expect(await text()).toContain("the use of directory objects is unknown:");
  await changeState(azure, ({ applications }) => {
    applications[wellKnown.clientId]?.graphPermissions.push("Directory.Read.All");
  });
  expect(await read()).toMatchObject({ unknown: [] });
  const { used = 0 } = (await read()).budgets[0]?.limits.find(({ name }) => name === "directory objects") ?? {};
  await azure.seed({ knobs: { directorySize: used + 2 * 19 + 18 } });
  expect((await read()).budgets[0]?.withOwnSet).toEqual({ clusters: 2, boundBy: "directory objects" });
  expect((await read()).budgets[0]?.withSharedSet.boundBy).toBe("role assignments");
  expect(await text()).not.toContain("is unknown");
});

test("people see a table, and a subscription without clusters has its own limits alone", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await azure.cli(["budget", "--cloud", "local"]), 0);
  expect(stdout).toMatch(/all +role assignments +\d+ of 4000/);
  expect(stdout).toMatch(/\d+ more clusters fit on existing sets, limited by role assignments/);
  expect(stdout).not.toContain("eastus");
});
