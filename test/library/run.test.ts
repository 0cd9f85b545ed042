/** The library as a program uses it: settings, results, events and errors, on an emulator of its own. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/emulator/embedded.js";
import { eventSchema } from "../../src/files/event-schema.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { AroHcpError, run, type RunOptions } from "../../src/library/index.js";

const cluster = { name: "demo", infraId: "x7k2" };
const wanted = { ...cluster, baseDomain: "hcp.example.com", location: "eastus" };
let emulator: Emulator;
let options: RunOptions;

beforeAll(async () => {
  emulator = await createEmulator({ timeScale: 1000 });
  options = { environment: emulator.environment };
  return () => emulator.close();
});

afterAll(() => expect(process.exitCode).toBeUndefined());

async function errorOf(running: Promise<unknown>): Promise<AroHcpError> {
  const error: unknown = await running.catch((thrown: unknown) => thrown);
  if (error instanceof AroHcpError) return error;
  throw new Error(`expected an AroHcpError, got ${JSON.stringify(error)}`);
}

test("a plan, a create, its events and a verification are documents", async () => {
  await emulator.reset();
  expect(await run("create infra", { ...wanted, dryRun: true }, options)).toMatchObject({ ok: true, dryRun: true, changes: 9 });
  const [events, texts]: [object[], string[]] = [[], []];
  const created = await run("create infra", wanted, {
    ...options,
    onEvent: (event) => events.push(event),
    onText: (text) => texts.push(text),
  });
  expect(created).toMatchObject({ ok: true, counts: { created: 9 }, infra: { infraID: "x7k2" } });
  for (const event of events) expect(eventSchema.parse(event)).toEqual(event);
  expect(events.at(-1)).toMatchObject({ type: "run.finished", ok: true });
  expect(texts.join("")).toContain("9 to create");
  expect(await run("verify infra", cluster, options)).toMatchObject({ ok: true, counts: { failed: 0 } });
});

test("a command without a document results in its text", async () => {
  expect(await run("graph infra", wanted, options)).toMatch(/^flowchart LR/);
});

test("wrong settings are reported together, by their names, and nothing is done", async () => {
  await emulator.reset();
  const error = await errorOf(run("create infra", { name: "demo", vnetCid: "10.0.0.0/16" }, options));
  expect(error).toMatchObject({ exitCode: 2, result: undefined, failures: [{ code: "ARO-USAGE-001" }] });
  for (const part of ["infraId is required", "baseDomain", 'did you mean "vnetCidr"?']) expect(error.message).toContain(part);
  expect(error.message).not.toMatch(/--[a-z]|ARO_HCP_/);
  expect(error).not.toHaveProperty("cause");
  expect((await errorOf(run("local serve", {}, options))).message).toContain('"local serve" is not a command of the library');
  expect((await errorOf(run("create infra", { ...wanted, output: "text" }, options))).message).toContain("output is not a setting");
});

test("what a failed run has done is in its error", async () => {
  await emulator.reset();
  emulator.setFaults([{ method: "PUT", path: "/loadBalancers/", times: 99, answer: { status: 400, body: { error: { code: "Wrong" } } } }]);
  const error = await errorOf(run("create infra", wanted, options));
  expect(error).toMatchObject({ exitCode: 1, failures: [{ azure: { code: "Wrong" } }], result: { ok: false, counts: { failed: 1 } } });
});

test("a destroy needs yes, because nobody can be asked", async () => {
  await emulator.reset();
  await run("create infra", wanted, options);
  expect(await errorOf(run("destroy infra", cluster, options))).toMatchObject({ exitCode: 10, failures: [{ code: "ARO-RUN-003" }] });
  expect(await run("destroy infra", { ...cluster, yes: true }, options)).toMatchObject({ ok: true, counts: { removed: 9 } });
});

test("an aborted run ends as after Ctrl-C, and a rerun continues", async () => {
  await emulator.reset();
  const stop = new AbortController();
  const onEvent = ({ type }: Readonly<Record<string, unknown>>) => {
    if (type === "step.done") stop.abort();
  };
  const error = await errorOf(run("create infra", wanted, { ...options, signal: stop.signal, onEvent }));
  expect(error).toMatchObject({ exitCode: 130, result: { ok: false } });
  const early = await errorOf(run("create infra", wanted, { ...options, signal: AbortSignal.abort() }));
  expect(early).toMatchObject({ exitCode: 130, result: undefined });
  expect(await run("create infra", wanted, options)).toMatchObject({ ok: true });
});

test("no run starts while Node.js verifies no certificate", async () => {
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  try {
    const error = await errorOf(run("show infra", cluster, options));
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED=0 is set in this process") });
    expect(process.env["NODE_TLS_REJECT_UNAUTHORIZED"]).toBe("0");
  } finally {
    delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  }
});

test("the subscription that somebody has selected in az is not that of a program", async () => {
  const folder = temporaryDirectory();
  const id = "00000000-0000-4000-8000-000000000009";
  const selected = { id, tenantId: id.replace(/9$/, "8"), state: "Enabled", isDefault: true, environmentName: "AzureCloud" };
  folder.write("azureProfile.json", JSON.stringify({ subscriptions: [selected] }));
  const error = await errorOf(run("show infra", cluster, { environment: { AZURE_CONFIG_DIR: folder.path } }));
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("no subscription specified") });
});

test("two runs of one process do not disturb each other", async () => {
  await emulator.reset();
  const others = { ...wanted, infraId: "y8m3" };
  const both = await Promise.all([run("create infra", wanted, options), run("create infra", others, options)]);
  expect(both).toMatchObject([{ infra: { infraID: "x7k2" } }, { infra: { infraID: "y8m3" } }]);
});
