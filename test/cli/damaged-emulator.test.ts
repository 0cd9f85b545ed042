/** A damaged directory of the emulator: every command ends at once and names the file, and `local reset` fixes it without deleting files of others. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLocalServer } from "../emulator/local-server.js";
import { systemClock } from "../../src/emulator/clock.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";

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
    message: /has version 9, but this program reads version 4/,
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

const infra = ["create", "infra", ...clusterFlags, ...domainFlags, "--dry-run"];
const commands = (seed: string): readonly (readonly string[])[] => [
  infra,
  ["show", "infra", ...clusterFlags],
  ["local", "serve"],
  ["local", "status"],
  ["local", "seed", seed],
];

const theirs = ["notes.txt", "state/notes.txt", "state/content/notes.txt"];

async function damaged({ make }: Damage): Promise<TestEmulator> {
  const azure = await testEmulator();
  // The state, certificates and credentials exist.
  exits(await azure.cli(["create", "infra", ...clusterFlags, ...domainFlags, "--yes"]), 0);
  await make(azure.directory);
  await mkdir(join(azure.directory, "state", "content"), { recursive: true });
  for (const name of theirs) await writeFile(join(azure.directory, name), "important\n");
  return azure;
}

test.each(Object.entries(damages))("with %s, each command ends at once, and local reset fixes it", async (_what, damage) => {
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
  exits(await azure.cli(["local", "reset"]), 0);
  for (const name of theirs) expect(await readFile(join(azure.directory, name), "utf8")).toBe("important\n");
  exits(await azure.cli(infra), 0);
  exits(await azure.cli(["local", "seed", seed]), 0);
  expect(exits(await azure.cli(["local", "status"]), 0).stdout).toContain("2 resources");
  // A server in this process starts on it, and a command uses it.
  const server = await openLocalServer({ directory: azure.directory });
  expect(await server.token()).not.toBe("");
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
