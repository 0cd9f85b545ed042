/** A fleet: one file, members that are created, verified and destroyed at once, shards and their merged results. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { wellKnown } from "../../src/emulator/index.js";
import { createFleetArgs, fleetOf as fleetOfSet, seedOf } from "../../tools/demo-fleet.js";
import { exits, writesSince } from "../cli/expectations.js";
import { testEmulator, type CliOptions, type TestEmulator } from "../harness/test-emulator.js";

const names = ["blue", "green", "red", "cyan", "pink", "gold"] as const;
const common = { baseDomain: wellKnown.dnsZone, dnsZoneRgName: wellKnown.dnsGroup, location: "eastus" };
const clusters = names.map((name) => ({ name, infraId: `${name}-x7`, identitiesName: "shared" }));

interface Fleet {
  readonly azure: TestEmulator;
  readonly directory: string;
  run(verb: string, args?: readonly string[], options?: CliOptions): ReturnType<TestEmulator["cli"]>;
}

async function fleetOf(content: object): Promise<Fleet> {
  const azure = await testEmulator();
  const file = azure.path("fleet.yaml");
  writeFileSync(file, JSON.stringify(content, undefined, 1));
  const directory = azure.path("fleet");
  return {
    azure,
    directory,
    run: (verb, args = [], options = {}) => {
      const place = verb === "show" ? ["--results-dir", directory] : ["--cloud", "local", "--output-dir", directory];
      return azure.cli([verb, "fleet", "--fleet-file", file, ...place, ...args], options);
    },
  };
}

interface Shown {
  readonly exitCode: number;
  readonly members: readonly { readonly name: string; readonly state: string; readonly shard?: string; readonly try?: number }[];
}

async function shown(fleet: Fleet, code: number, args: readonly string[] = []): Promise<Shown> {
  return JSON.parse(exits(await fleet.run("show", ["--output", "json", ...args]), code).stdout) as Shown;
}

test("shards create each cluster once; another machine converges; what was not run is not done", { timeout: 120_000 }, async () => {
  const fleet = await fleetOf({ common, sets: [{ name: "shared" }], clusters });
  const early = exits(await fleet.run("create", ["--shard", "1/2"]), 2);
  expect(early.stderr).toContain("the identity set shared is not created yet");
  expect(await writesSince(fleet.azure)).toEqual([]);

  const run = ["--run-id", "night"];
  exits(await fleet.run("create", [...run, "shared"]), 0);
  exits(await fleet.run("create", [...run, "--shard", "1/2"]), 0);
  const half = await shown(fleet, 8, run);
  const missing = half.members.filter(({ state }) => state === "not-run").map(({ name }) => name);
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.length).toBeLessThan(names.length);

  exits(await fleet.run("create", [...run, "--shard", "2/2"]), 0);
  const whole = await shown(fleet, 0, run);
  expect(whole.members.map(({ name }) => name)).toEqual(["shared", ...names]);
  expect(whole.members.filter(({ shard }) => shard === "2/2").map(({ name }) => name)).toEqual(missing);

  await fleet.azure.traffic();
  const elsewhere = fleet.azure.path("elsewhere");
  mkdirSync(join(elsewhere, "shared"), { recursive: true });
  cpSync(join(fleet.directory, "shared", "identities.json"), join(elsewhere, "shared", "identities.json"));
  exits(await fleet.run("create", [...run, "--shard", "2/2", "--output-dir", elsewhere]), 0);
  expect(await writesSince(fleet.azure)).toEqual([]);
  exits(await fleet.run("create", [...run, "--shard", "2/2", "--output-dir", elsewhere]), 0);
  const merged = await shown(fleet, 0, [...run, "--results-dir", elsewhere]);
  expect(merged.members.find(({ name }) => name === missing[0])).toMatchObject({ try: 2, shard: "2/2" });

  const verified = exits(await fleet.run("verify", ["--output", "junit"]), 0);
  expect(verified.stdout.match(/<testsuite /g)?.length).toBe(names.length + 1);
  expect(exits(await fleet.run("destroy"), 10).stderr).toContain("1 identity set, 6 clusters");
  exits(await fleet.run("destroy", ["--yes"]), 0);
});

test("a cluster that fails stops no other, and what needs a failed set is not tried", { timeout: 120_000 }, async () => {
  const own = { name: "own", infraId: "own-x7" };
  const fleet = await fleetOf({ common, sets: [{ name: "shared" }], clusters: [own, ...clusters.slice(0, 2)] });
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no permission" } } };
  const refused = { method: "PUT", path: "/resourcegroups/shared-common$", times: 1000, answer };
  const { stdout } = await fleet.run("create", ["--output", "json"], { faults: [refused] });
  const { members } = JSON.parse(stdout) as { readonly members: readonly { readonly name: string; readonly exitCode: number }[] };
  expect(members.map(({ name, exitCode }) => [name, exitCode === 0])).toEqual([
    ["shared", false],
    ["own", true],
    ["blue", false],
    ["green", false],
  ]);
  exits(await fleet.run("create"), 0);
});

test(
  "the signing key of a set is on one machine: a create on another one is refused, and changes nothing",
  { timeout: 120_000 },
  async () => {
    const fleet = await fleetOf({ common, sets: [{ name: "shared" }], clusters: clusters.slice(0, 1) });
    exits(await fleet.run("create"), 0);
    await fleet.azure.traffic();
    const { stderr } = exits(await fleet.run("create", ["--yes", "--output-dir", fleet.azure.path("other")]), 5);
    expect(stderr).toContain("ARO-OIDC-005");
    expect(await writesSince(fleet.azure)).toEqual([]);
  },
);

test("every mistake in the file is refused with its line, before any request", async () => {
  const fleet = await fleetOf({
    common: { ...common, outputDir: "x", vnetCid: "10.0.0.0/8" },
    clusters: [
      { name: "blue", infraId: "x7k2", identitiesName: "absent" },
      { name: "Blue", infraId: "x7k2", preset: "dev" },
    ],
  });
  const { stderr } = exits(await fleet.run("create"), 2);
  for (const line of [
    /:6 +"outputDir" is set/,
    /:7 +"vnetCid" is not/,
    /:13 .*set that is not in sets/,
    /:16 +name of Blue/,
    /:17 +infraId of Blue/,
  ])
    expect(stderr).toMatch(line);
  expect(stderr).toMatch(/:18 +"preset" is not a setting of clusters/);
  expect(await fleet.azure.traffic()).toEqual([]);
  expect(existsSync(fleet.directory)).toBe(false);
});

test("a value that a command does not accept is refused with its line, whichever members are selected", async () => {
  const fleet = await fleetOf({ common, clusters: [{ name: "blue", infraId: "b1", vnetCidr: "300.0.0.0/8" }, { name: "green" }] });
  const { stderr } = exits(await fleet.run("create", ["green"]), 2);
  expect(stderr).toMatch(/fleet\.yaml:11 .*300\.0\.0\.0\/8/);
  expect(stderr).toMatch(/--infra-id +is required.*of green/);
});

test("a dry run writes no file, and names what each member would change", async () => {
  const fleet = await fleetOf({ common, sets: [{ name: "shared" }], clusters: clusters.slice(0, 2) });
  const { stdout } = exits(await fleet.run("create", ["--dry-run", "--output", "json"]), 0);
  const { members } = JSON.parse(stdout) as { readonly members: readonly { readonly name: string; readonly changes: number }[] };
  expect(members.map(({ name, changes }) => [name, changes > 0])).toEqual([
    ["shared", true],
    ["blue", true],
    ["green", true],
  ]);
  expect(existsSync(fleet.directory)).toBe(false);
  expect(await writesSince(fleet.azure)).toEqual([]);
});

test("the job summary and the report are those of the fleet, with each member that failed", { timeout: 120_000 }, async () => {
  const fleet = await fleetOf({ common, clusters: [{ name: "own", infraId: "own-x7" }] });
  const summary = fleet.azure.path("summary.md");
  const report = fleet.azure.path("report.html");
  exits(await fleet.run("create", ["--output-report", report], { env: { GITHUB_STEP_SUMMARY: summary } }), 0);
  expect(readFileSync(summary, "utf8").match(/^### /gm)?.length).toBe(1);
  expect(readFileSync(report, "utf8")).toContain("cluster own");
});

test("a fleet is spread over several principals, which a rerun keeps", { timeout: 120_000 }, async () => {
  const azure = await testEmulator();
  const measured = fleetOfSet(4, 1, 2);
  await azure.seed(seedOf(measured));
  mkdirSync(azure.path("output"));
  const args = createFleetArgs(measured, azure.path("."));
  exits(await azure.cli(args), 0);
  const signedIn = (await azure.traffic())
    .filter(({ url }) => url.includes("/oauth2/"))
    .map(({ requestBody }) => JSON.stringify(requestBody));
  for (const { appId } of measured.principals) expect(signedIn.filter((body) => body.includes(appId)).length).toBeGreaterThanOrEqual(2);
  exits(await azure.cli(args), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("a list of principals with one twice, without its secret, or beside other credentials is refused", async () => {
  const fleet = await fleetOf({ common, clusters: clusters.slice(0, 1) });
  const creds = { subscriptionId: wellKnown.subscriptionId, tenantId: wellKnown.tenantId, clientId: wellKnown.clientId, clientSecret: "a" };
  const write = (name: string, content: unknown) => {
    writeFileSync(fleet.azure.path(name), JSON.stringify(content), { mode: 0o600 });
    return fleet.azure.path(name);
  };
  const [one, , other] = [
    write("one.json", creds),
    write("two.json", creds),
    write("chain.json", { ...creds, clientId: undefined, clientSecret: undefined }),
  ];
  const list = write("principals.json", ["one.json", "two.json", "chain.json"]);
  const { stderr } = exits(await fleet.run("create", ["--principals-file", list]), 2);
  expect(stderr).toContain("two.json is of the same service principal as");
  expect(stderr).toContain(`${other} has no clientId and clientSecret`);
  expect(exits(await fleet.run("create", ["--principals-file", list, "--azure-creds", one]), 2).stderr).toContain("cannot be combined");
  expect(await fleet.azure.traffic()).toEqual([]);
});

test("a shard that is killed goes on elsewhere, and two machines with one shard make nothing twice", { timeout: 240_000 }, async () => {
  const azure = await testEmulator();
  const file = azure.path("fleet.yaml");
  writeFileSync(file, JSON.stringify({ common, sets: [{ name: "shared" }], clusters }));
  await azure.serve(systemClock);
  const machine = (name: string) => {
    const directory = azure.path(name);
    mkdirSync(join(directory, "shared"), { recursive: true });
    if (name !== "first") cpSync(azure.path(join("first", "shared", "identities.json")), join(directory, "shared", "identities.json"));
    return ["create", "fleet", "--cloud", "local", "--fleet-file", file, "--output-dir", directory, "--run-id", "night"];
  };
  exits(await azure.cli([...machine("first"), "shared"]), 0);
  await azure.traffic();
  const killed = await azure.start([...machine("first"), "--shard", "1/2"]);
  await azure.recorded((exchanges) => exchanges.some(({ method, url }) => method === "PUT" && /\/virtualNetworks\//i.test(url)));
  killed.process.kill("SIGKILL");
  await killed.ended;
  const [again, ...both] = await Promise.all([
    azure.spawn([...machine("second"), "--shard", "1/2"]),
    azure.spawn([...machine("third"), "--shard", "2/2"]),
    azure.spawn([...machine("fourth"), "--shard", "2/2"]),
  ]);
  for (const ended of [again, ...both]) exits(ended, 0);

  const directories = ["first", "second", "third", "fourth"].flatMap((name) => ["--results-dir", azure.path(name)]);
  const { stdout } = exits(
    await azure.cli(["show", "fleet", "--fleet-file", file, ...directories, "--run-id", "night", "--output", "json"]),
    0,
  );
  const { members } = JSON.parse(stdout) as Shown;
  expect(members.map(({ name, state }) => `${name} ${state}`)).toEqual(["shared", ...names].map((name) => `${name} done`));
  await azure.traffic();
  const whole = machine("second");
  exits(await azure.cli(whole.with(whole.indexOf("--output-dir") + 1, azure.path("first"))), 0);
  expect(await writesSince(azure)).toEqual([]);
  const { resources } = await azure.snapshot();
  const count = (type: RegExp) => Object.keys(resources).filter((id) => type.test(id)).length;
  expect([count(/\/virtualnetworks\/[^/]+$/i), count(/\/privatednszones\/[^/]+$/i), count(/\/loadbalancers\/[^/]+$/i)]).toEqual([6, 6, 6]);
});

test("clusters that do not fit the limits of the subscription are refused before any write; those that exist do not count", async () => {
  const fleet = await fleetOf({ common, sets: [{ name: "shared" }], clusters: clusters.slice(0, 3) });
  exits(await fleet.run("create", ["shared", "blue"]), 0);
  const { roleAssignments } = await fleet.azure.snapshot();
  const used = Object.keys(roleAssignments).length;
  await fleet.azure.seed({ knobs: { roleAssignmentLimit: used + 30 } });
  await fleet.azure.traffic();
  const { stderr } = exits(await fleet.run("create"), 5);
  expect(stderr).toMatch(new RegExp(`2 new clusters would add \\d+ to the ${used} of ${used + 30} role assignments`));
  expect(exits(await fleet.run("create", ["--dry-run"]), 5).stderr).toContain("ARO-SUB-002");
  expect(await writesSince(fleet.azure)).toEqual([]);
  exits(await fleet.run("create", ["blue", "green"]), 0);
  await fleet.azure.seed({ knobs: { roleAssignmentLimit: 1 } });
  exits(await fleet.run("create", ["blue", "green"]), 0);
});

test("the limits are those of the cloud and the subscription that the file names", async () => {
  const subscriptionId = "5b5c0000-0000-4000-8000-00000000dead";
  const fleet = await fleetOf({
    common: { ...common, cloud: "local", subscription: subscriptionId },
    clusters: [{ name: "own", infraId: "own-x7" }],
  });
  await fleet.azure.seed({ knobs: { roleAssignmentLimit: 1 } });
  const { stderr } = await fleet.azure.cli([
    "create",
    "fleet",
    "--fleet-file",
    fleet.azure.path("fleet.yaml"),
    "--output-dir",
    fleet.directory,
  ]);
  expect(stderr).toContain(`subscription ${subscriptionId} was not found`);
  const { code } = await fleet.run("create", ["--subscription", wellKnown.subscriptionId]);
  expect(code).toBe(5);
});
