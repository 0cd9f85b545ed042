/** The output of a command: one JSON document on stdout, events as lines, text on stderr, and the exit code. */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { cli } from "../harness/cli.js";
import { demo, demoDomain, testEmulator, type CliResult } from "../harness/test-emulator.js";
import { groupId, groups, ids } from "./demo-cluster.js";
import { create, destroy, exits, writesSince } from "./expectations.js";
import { fileOf } from "../identities/cli/identities.js";

interface Document {
  readonly schemaVersion: number;
  readonly ok: boolean;
  readonly failures?: readonly { readonly code: string; readonly exit: number; readonly message: string }[];
}

function documentOf({ stdout }: CliResult): Document & Record<string, unknown> {
  return JSON.parse(stdout) as Document & Record<string, unknown>;
}

const json = ["-o", "json"];
const infra = [...demo, ...demoDomain];

test("with `--output json` every successful command prints one JSON document", async () => {
  const azure = await testEmulator();
  const good = [
    ["create", "infra", ...infra, "--dry-run", ...json],
    ["show", "infra", ...infra, "--output=json"],
    ["create", "infra", ...infra, ...json],
    ["create", "infra", ...infra, "-ojson"],
    ["destroy", "infra", ...demo, "--dry-run", ...json],
    ["destroy", "infra", ...demo, "--yes", ...json],
    ["destroy", "infra", ...demo, "--yes", "--output", "json"],
  ];
  for (const args of good) expect(documentOf(exits(await azure.cli(args), 0))).toMatchObject({ schemaVersion: 1, ok: true });
});

test("with `--output json` every failed command prints one JSON document", async () => {
  const azure = await testEmulator();
  const bad: (readonly [number, readonly string[]])[] = [
    [2, ["create", "infra", ...infra, "--no-such-flag", ...json]],
    [2, ["create", "infra", ...json]],
    [2, ["show", "infra", ...json]],
    [2, ["create", "infra", ...infra, "--vnet-cidr", "nonsense", ...json]],
    [10, ["destroy", "infra", ...demo, ...json]],
    [5, ["create", "infra", ...demo, "--base-domain", "nowhere.example", ...json]],
    [1, ["create", "infra", ...infra, "--timeout", "1ms", ...json]],
  ];
  for (const [code, args] of bad) {
    const document = documentOf(exits(await azure.cli(args), code));
    expect(document).toMatchObject({ schemaVersion: 1, ok: false });
    expect(document.failures?.[0]).toMatchObject({ code: expect.stringMatching(/^ARO-[A-Z]+-\d{3}$/) as string, exit: code });
  }
});

test("the output format can come from the environment or the file, also for failures", async () => {
  const azure = await testEmulator();
  const nowhere = ["show", "infra", ...demo, "--base-domain", "bad domain"];
  expect(documentOf(exits(await azure.cli(nowhere, { env: { ARO_HCP_OUTPUT: "json" } }), 2))).toMatchObject({ ok: false });
  const config = await fileOf(azure, "aro.yaml", "output: json\n");
  const dry = ["create", "infra", ...demo, "--base-domain", "nowhere.example", "--config", config];
  expect(documentOf(exits(await azure.cli(dry), 5))).toMatchObject({ ok: false, failures: [{ code: "ARO-DNS-001" }] });
});

test("the JSON of a failed run has the done, failed and skipped steps", async () => {
  const azure = await testEmulator();
  const body = { error: { code: "QuotaExceeded", message: "No more of these." } };
  const faults = [{ method: "PUT", path: "/publicIPAddresses/", times: 99, answer: { status: 400, body } }];
  const result = exits(await create(azure, ["-o", "json"], { faults }), 5);
  expect(documentOf(result)).toMatchObject({
    ok: false,
    command: "create infra",
    infraId: "demo-x7k2",
    infra: { resourceGroupName: groups.managed, vnetID: ids.vnet },
    failures: [{ code: "ARO-SUB-002", because: "No more of these.", done: expect.stringContaining("8 of 10 steps") as string }],
    skipped: [{ step: "load-balancer", because: ["public-ip"] }],
  });
  const { steps, elapsedMs } = documentOf(result) as unknown as {
    steps: { id: string; status: string; endedMs?: number }[];
    elapsedMs: number;
  };
  // Every step is listed, also one that never started, and times are whole milliseconds.
  expect(steps.filter(({ status }) => status !== "done")).toMatchObject([
    { id: "public-ip", status: "failed" },
    { id: "load-balancer", status: "skipped" },
  ]);
  expect(steps).toHaveLength(10);
  expect([elapsedMs, ...steps.flatMap(({ endedMs }) => endedMs ?? [])].filter((ms) => !Number.isInteger(ms))).toEqual([]);
  expect(result.stderr).toMatch(/error: public IP address demo-x7k2 failed +\[ARO-SUB-002\]/);
  expect(result.stderr).toContain("400 QuotaExceeded, request ");
});

test("text output has only the IDs on stdout, and no color if disabled or without a terminal", async () => {
  const azure = await testEmulator();
  const { stdout, stderr } = exits(await create(azure, [], { env: { NO_COLOR: "1", FORCE_COLOR: "1" } }), 0);
  expect(stdout.trimEnd().split("\n")).toEqual([
    `resourceGroupName  ${groups.managed}`,
    `publicZoneID       ${ids.publicZone}`,
    `privateZoneID      ${ids.privateZone}`,
    `vnetID             ${ids.vnet}`,
    `subnetID           ${ids.subnet}`,
    `securityGroupID    ${ids.nsg}`,
  ]);
  expect(stdout + stderr).not.toMatch(/\u001b/);
  const shown = exits(await azure.cli(["show", "infra", ...demo, ...demoDomain]), 0);
  expect(shown.stderr).toBe("");
  expect(shown.stdout).not.toMatch(/\u001b/);
  expect((await create(azure, ["--dry-run", "--color", "always"])).stderr).toMatch(/\u001b\[/);
  const gone = exits(await destroy(azure), 0);
  expect(gone.stdout).toBe("");
});

test("--output-events writes one JSON object per line: every step planned, started and done, the run started and finished", async () => {
  const azure = await testEmulator();
  const file = azure.path("events.ndjson");
  exits(await create(azure, ["--output-events", file]), 0);
  const events = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; at: string; step?: string });
  expect(events[0]).toMatchObject({
    type: "stream.started",
    schemaVersion: 1,
    eventsVersion: 1,
    command: "create infra",
    subject: "demo-x7k2",
  });
  expect(events.find(({ type }) => type === "run.started")).toMatchObject({ subject: "demo-x7k2", infraId: "demo-x7k2" });
  expect(events.map(({ at }) => at).every((at) => !Number.isNaN(Date.parse(at)))).toBe(true);
  const of = (type: string) => events.filter((event) => event.type === type).map(({ step }) => step);
  expect(of("step.planned")).toHaveLength(10);
  expect(of("step.started").toSorted()).toEqual(of("step.planned").toSorted());
  expect(of("step.done").toSorted()).toEqual(of("step.planned").toSorted());
  expect(events.at(-1)).toMatchObject({ type: "run.finished", ok: true });
  // `-` is stdout, which then has only events.
  const piped = exits(await destroy(azure, ["--output-events", "-"]), 0);
  const lines = piped.stdout.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type).at(-1)).toBe("run.finished");
});

test("--dry-run writes neither to Azure nor to files", async () => {
  const azure = await testEmulator();
  const file = azure.path("infra.json");
  const { stdout, stderr } = exits(await create(azure, ["--dry-run", "--output-file", file, ...json]), 0);
  expect(stderr).toContain("9 to create, 1 used");
  // The plan gives no reason for a missing resource.
  expect(stderr).toContain("+ create  resource groups (3): demo-demo-x7k2, demo-demo-x7k2-vnet, demo-demo-x7k2-nsg\n");
  expect(stdout).not.toContain("why");
  expect(await writesSince(azure)).toEqual([]);
  await expect(readFile(file)).rejects.toThrow("ENOENT");
});

describe("a setting comes from the flag, the environment, the file, or its default, in this order", () => {
  test("with a file in YAML or JSON", async () => {
    const azure = await testEmulator();
    const yaml = await fileOf(
      azure,
      "aro.yaml",
      [
        "cloud: local",
        "name: fromfile",
        "infraId: file-1",
        "baseDomain: hcp.example.com",
        "location: westus3",
        "resourceGroupTags: {team: file}",
      ].join("\n"),
    );
    const run = ["create", "infra", "--dry-run", "-o", "json", "--config", yaml, "--name", "fromflag"];
    const env = { ARO_HCP_NAME: "fromenv", ARO_HCP_INFRA_ID: "env-1" };
    const { steps } = documentOf(exits(await azure.cli(run, { env }), 0)) as unknown as { steps: { id: string; title: string }[] };
    expect(steps.find(({ id }) => id === "managed-group")?.title).toBe("resource group fromflag-env-1");
    const events = azure.path("e.ndjson");
    exits(await azure.cli(["create", "infra", "--config", yaml, "--output-events", events]), 0);
    expect(await azure.snapshot()).toMatchObject({
      resources: { [groupId("fromfile-file-1").toLowerCase()]: { location: "westus3", tags: { team: "file" } } },
    });

    const json = await fileOf(azure, "aro.json", { cloud: "local", name: "fromjson", infraId: "json-1", baseDomain: "hcp.example.com" });
    const again = documentOf(exits(await azure.cli(["create", "infra", "--dry-run", "-o", "json"], { env: { ARO_HCP_CONFIG: json } }), 0));
    expect(again["infraId"]).toBe("json-1");
  });
});

test("nothing that a run prints or writes contains the client secret", async () => {
  const azure = await testEmulator();
  const creds = JSON.parse(await readFile(`${azure.directory}/azure-creds.json`, "utf8")) as { clientSecret: string };
  const [file, events] = [azure.path("infra.json"), azure.path("events.ndjson")];
  const made = await create(azure, ["--debug", "--output-file", file, "--output-events", events]);
  exits(made, 0);
  const wrong = await fileOf(azure, "wrong.json", { ...creds, clientSecret: `${creds.clientSecret}x` });
  const rejected = await create(azure, ["--debug", "--azure-creds", wrong]);
  exits(rejected, 4);
  const all = [made, rejected].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const written = await Promise.all([file, events].map((path) => readFile(path, "utf8")));
  for (const text of [...all, ...written]) expect(text).not.toContain(creds.clientSecret);
  // A file that other users can read causes a notice.
  await writeFile(wrong, JSON.stringify(creds), { mode: 0o644 });
  await chmod(wrong, 0o644);
  expect((await create(azure, ["--dry-run", "--azure-creds", wrong])).stderr).toMatch(/notice: .*wrong\.json contains a secret.*chmod 600/);
});

test("an ID that does not fit beside its name in a terminal has a line of its own, and one in a pipe does not", async () => {
  const azure = await testEmulator();
  const env = { ARO_HCP_LOCAL_DIR: azure.directory, TERM: "dumb" };
  const run = async (columns?: number) => {
    const args = ["create", "infra", ...demo, ...demoDomain, "--yes"];
    return exits(await cli(args, { env, ...(columns !== undefined && { tty: { columns, rows: 40 } }) }), 0).stdout;
  };
  const id = /^vnetID {13}(\/subscriptions\/.*)$/m.exec(await run())?.[1] ?? "";
  expect(id).toContain("/virtualNetworks/demo-demo-x7k2");
  expect(await run(80)).toContain(`\nvnetID\n${id}\n`);
  expect(await run(120)).toContain(`\nvnetID\n${id}\n`);
  expect(await run(200)).toContain(`\nvnetID             ${id}\n`);
});
