/** A damaged directory of the emulator: every command ends at once and names the file, and `local reset` fixes it without deleting files of others. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLocalServer } from "../emulator/local-server.js";
import { systemClock } from "../../src/emulator/common/clock.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "../cli/expectations.js";

interface Damage {
  readonly make: (directory: string) => Promise<unknown>;
  readonly message: RegExp;
  /** `local status` and `local seed` need only the state. */
  readonly onlyClients?: true;
  /** A command answers its own requests without a certificate. */
  readonly onlyServe?: true;
}

const epoch = async (directory: string) => {
  const names = await readdir(join(directory, "state"));
  return join(directory, "state", names.find((name) => name.startsWith("epoch-")) ?? "");
};
const stateFile = async (directory: string) => join(await epoch(directory), "base.json");
const withState = (text: (whole: string) => string) => async (directory: string) => {
  const file = await stateFile(directory);
  await writeFile(file, text(await readFile(file, "utf8")));
};
const change = (make: (state: Record<string, unknown>) => void) =>
  withState((whole) => {
    const state = JSON.parse(whole) as Record<string, unknown>;
    make(state);
    return JSON.stringify(state);
  });
const credentials = (text: string) => (directory: string) => writeFile(join(directory, "azure-creds.json"), text);

const damages: Readonly<Record<string, Damage>> = {
  "a truncated state": { make: withState((whole) => whole.slice(0, 100)), message: /base\.json is damaged: it is not a JSON object/ },
  "an empty state": { make: withState(() => ""), message: /base\.json is damaged: it is empty/ },
  "null as state": { make: withState(() => "null"), message: /is damaged: it is not a JSON object/ },
  "a list as state": { make: withState(() => "[]"), message: /is damaged: it is not a JSON object/ },
  "text as state": { make: withState(() => "notes"), message: /is damaged: it is not a JSON object/ },
  "a state without version": { make: withState(() => "{}"), message: /is damaged: it has no version/ },
  "a state of a later version": {
    make: change((state) => (state["version"] = 9)),
    message: /has version 9, but this program reads version 5/,
  },
  "a state without resources": { make: change((state) => delete state["resources"]), message: /is damaged: "resources" is missing/ },
  "no epoch": {
    make: async (directory) => rm(await epoch(directory), { recursive: true }),
    message: /state is damaged: no folder epoch-… has the current state/,
  },
  "no base of the epoch": { make: async (directory) => rm(await stateFile(directory)), message: /base\.json cannot be read: ENOENT/ },
  "a commit that is cut off": {
    make: async (directory) => writeFile(join(await epoch(directory), "delta-1.json"), '{"changes":['),
    message: /delta-1\.json is damaged: it is not a list of changes/,
  },
  "an empty folder": {
    make: async (directory) => {
      await rm(join(directory, "state"), { recursive: true });
      await mkdir(join(directory, "state"));
    },
    message: /no folder epoch-…/,
  },
  "truncated credentials": {
    make: credentials('{ "clientId": "c11e'),
    message: /azure-creds\.json are damaged: .* JSON/,
    onlyClients: true,
  },
  "empty credentials": { make: credentials(""), message: /azure-creds\.json are damaged: .* JSON/, onlyClients: true },
  "null as credentials": { make: credentials("null"), message: /azure-creds\.json are damaged: .* JSON/, onlyClients: true },
  "credentials without a secret": { make: credentials("{}"), message: /azure-creds\.json are damaged: the file has no/, onlyClients: true },
  "no credentials": {
    make: (directory) => rm(join(directory, "azure-creds.json")),
    message: /azure-creds\.json are damaged: the file is missing/,
    onlyClients: true,
  },
  "a damaged authority": {
    make: (directory) => writeFile(join(directory, "authority.pem"), "-----BEGIN"),
    message: /authority\.pem is damaged/,
    onlyServe: true,
  },
  "a damaged serving.json": {
    make: (directory) => writeFile(join(directory, "serving.json"), '{"pid":'),
    message: /serving\.json cannot be read/,
    onlyClients: true,
  },
};

const broken = (collection: string, entry: object | null) =>
  change((state) => ((state[collection] as Record<string, unknown>)["broken"] = entry));
const folder = (name: string) => async (directory: string) => {
  await rm(join(directory, name), { recursive: true, force: true });
  await mkdir(join(directory, name));
};
const file = (path: (directory: string) => string | Promise<string>) => async (directory: string) => {
  const place = await path(directory);
  await rm(place, { recursive: true });
  await writeFile(place, "notes");
};
const serving = (content: object | null) => (directory: string) => writeFile(join(directory, "serving.json"), JSON.stringify(content));
const served = { pid: 1, port: 2, proxyPort: 3, timeScale: 1, settings: {} };

const otherDamages: Readonly<Record<string, Damage>> = {
  "a file in place of the state": { make: file((directory) => join(directory, "state")), message: /state is damaged: it is not a folder/ },
  "a file in place of the epoch": { make: file(epoch), message: /no folder epoch-…/ },
  "a folder in place of the base": {
    make: async (directory) => {
      const base = await stateFile(directory);
      await rm(base);
      await mkdir(base);
    },
    message: /base\.json cannot be read: EISDIR/,
  },
  "an incomplete resource": { make: broken("resources", {}), message: /damaged: "broken" in "resources" is incomplete/ },
  "an incomplete operation": { make: broken("operations", null), message: /"broken" in "operations" is incomplete/ },
  "an incomplete role assignment": { make: broken("roleAssignments", null), message: /"broken" in "roleAssignments" is incomplete/ },
  "an incomplete application": { make: broken("applications", {}), message: /"broken" in "applications" is incomplete/ },
  "null as subscription": { make: change((state) => (state["subscriptions"] = [null])), message: /"0" in "subscriptions" is incomplete/ },
  "a list of vaults": { make: change((state) => (state["vaults"] = [1])), message: /"0" in "vaults" is incomplete/ },
  "a folder in place of the credentials": {
    make: folder("azure-creds.json"),
    message: /azure-creds\.json are damaged: the file cannot be read/,
    onlyClients: true,
  },
  "a folder in place of serving.json": { make: folder("serving.json"), message: /serving\.json cannot be read/, onlyClients: true },
  "null as serving.json": { make: serving(null), message: /serving\.json is damaged/, onlyClients: true },
  "a serving.json without settings": {
    make: serving({ ...served, settings: null }),
    message: /serving\.json is damaged/,
    onlyClients: true,
  },
  "a serving.json with no port of this computer": {
    make: serving({ ...served, port: 99_999 }),
    message: /serving\.json is damaged/,
    onlyClients: true,
  },
  ...Object.fromEntries(
    ["authority.pem", "server.pem", "ca.pem"].map((name) => [
      `a folder in place of ${name}`,
      { make: folder(name), message: new RegExp(`${name} cannot be read: EISDIR`), onlyServe: true },
    ]),
  ),
};

const infra = ["create", "infra", ...clusterFlags, ...domainFlags, "--dry-run"];
const commands = (seed: string): readonly (readonly string[])[] => [
  infra,
  ["show", "infra", ...clusterFlags],
  ["local", "serve"],
  ["local", "status"],
  ["local", "seed", seed],
];

const theirs = ["notes.txt", "state/notes.txt", "state/content/notes.txt"];

/** Those that exist. */
async function theirsIn(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  return theirs.filter((name) => names.includes(name));
}

async function damaged({ make }: Damage): Promise<TestEmulator> {
  const azure = await testEmulator();
  // The state, certificates and credentials exist.
  exits(await azure.cli(["create", "infra", ...clusterFlags, ...domainFlags, "--yes"]), 0);
  await make(azure.directory);
  const isFolder = (await stat(join(azure.directory, "state"))).isDirectory();
  if (isFolder) await mkdir(join(azure.directory, "state", "content"), { recursive: true });
  for (const name of theirs) if (isFolder || !name.includes("/")) await writeFile(join(azure.directory, name), "important\n");
  return azure;
}

test.each(Object.entries({ ...damages, ...otherDamages }))(
  "with %s, each command ends at once, and local reset fixes it",
  async (_what, damage) => {
    const azure = await damaged(damage);
    const seed = azure.path("seed.json");
    await writeFile(seed, '{"knobs":{"pageSize":2}}');
    for (const command of commands(seed)) {
      const isServe = command[1] === "serve";
      if (damage.onlyServe ? !isServe : damage.onlyClients && command[0] === "local" && !isServe) continue;
      const { stderr } = exits(await azure.cli(command), 1);
      const text = stderr.replaceAll(/\s+/g, " ");
      expect(text, command.join(" ")).toMatch(damage.message);
      expect(text, command.join(" ")).toContain("aro-hcp local reset");
      expect(text).toContain("ARO-LOCAL-001");
    }
    const before = await theirsIn(azure.directory);
    exits(await azure.cli(["local", "reset"]), 0);
    for (const name of before) expect(await readFile(join(azure.directory, name), "utf8")).toBe("important\n");
    exits(await azure.cli(infra), 0);
    exits(await azure.cli(["local", "seed", seed]), 0);
    expect(exits(await azure.cli(["local", "status"]), 0).stdout).toContain("2 resources");
    // A server in this process starts on it, and a command uses it.
    const server = await openLocalServer({ directory: azure.directory });
    expect(await server.token()).not.toBe("");
  },
);

test("what a reset moves aside gets a free name", async () => {
  const azure = await testEmulator();
  for (const text of ["the first", "the second", "the third"]) {
    exits(await azure.cli(["local", "reset"]), 0);
    await writeFile(join(azure.directory, "azure-creds.json"), text);
  }
  exits(await azure.cli(["local", "reset"]), 0);
  const names = (await readdir(azure.directory)).filter((name) => name.includes("damaged")).sort();
  expect(names).toEqual(["", "-2", "-3"].map((end) => `azure-creds.json.damaged${end}`));
  const texts = await Promise.all(names.map((name) => readFile(join(azure.directory, name), "utf8")));
  expect(texts).toEqual(["the first", "the second", "the third"]);
});

test("a damage that is found only by a request is an answer that clients do not repeat", async () => {
  const server = await openLocalServer();
  const token = await server.token();
  await withState(() => "")(server.directory);
  const names = await readdir(await epoch(server.directory));
  const delta = `delta-${String(names.filter((name) => name.startsWith("delta-")).length + 1)}.json`;
  const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourcegroups/broken";
  await writeFile(join(await epoch(server.directory), delta), JSON.stringify({ changes: [{ at: ["resources", group], value: {} }] }));
  const reply = await server.call("management.azure.com", `${group}?api-version=2025-04-01`, { token });
  expect(reply).toMatchObject({ status: 501, body: { error: { code: "EmulatorFault" } } });
});

test("a damage under a running server is an error at once, and a reset fixes the state that it serves", async () => {
  const azure = await testEmulator();
  await azure.serve(systemClock);
  await withState((whole) => whole.slice(0, 50))(azure.directory);
  await rm(await epoch(azure.directory), { recursive: true });
  const { stderr } = exits(await azure.cli(infra), 1);
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/state is damaged: no folder epoch-… .*aro-hcp local reset/);
  exits(await azure.cli(["local", "reset"]), 0);
  exits(await azure.cli(infra), 0);
});

test("a request to a damaged state is answered with a status that clients do not repeat", async () => {
  const server = await openLocalServer();
  const token = await server.token();
  await withState(() => "null")(server.directory);
  // The open store has read this version already.
  const copy = await openLocalServer({ directory: server.directory }).catch((error: unknown) => error);
  expect(copy).toMatchObject({ name: "EmulatorStateError" });
  await rm(await epoch(server.directory), { recursive: true });
  const reply = await server.call("management.azure.com", "/subscriptions?api-version=2022-12-01", { token });
  expect(reply).toMatchObject({ status: 501, body: { error: { code: "EmulatorStateDamaged" } } });
  expect(JSON.stringify(reply.body)).toContain("aro-hcp local reset");
});
