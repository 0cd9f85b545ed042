/** `schema events` describes every event of real runs, and each type of event has fields that it requires. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { EngineEvent } from "../../src/engine/events.js";
import { eventSchema } from "../../src/files/event-schema.js";
import { strictValidator } from "../harness/printed-document.js";
import { demo, demoDomain, testEmulator, type CliOptions } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";

const validate = strictValidator("events");

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

/** The lines of the file, each valid. */
async function validLines(file: string): Promise<Line[]> {
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines.map((text) => {
    const line = JSON.parse(text) as Line;
    expect(validate(line), `${text}\n${JSON.stringify(validate.errors)}`).toBe(true);
    return line;
  });
}

async function recordedEvents() {
  const azure = await testEmulator();
  const file = azure.path("events.ndjson");
  const run = (args: readonly string[], code: number, options?: CliOptions) =>
    azure.cli([...args, "--output-events", file], options).then((result) => exits(result, code));
  return { azure, file, run, lines: () => validLines(file) };
}

const typesIn = (lines: readonly Line[]) => [...new Set(lines.map(({ type }) => type))].sort();
const quota = { status: 409, body: { error: { code: "QuotaExceeded", message: "Too many." } } };

test("a create that fails, a rerun and a destroy have only events of the schema", async () => {
  const { azure, file, run, lines } = await recordedEvents();
  const create = ["create", "infra", ...demo, ...demoDomain, "--yes"];
  const faults = [{ method: "PUT", path: "/publicIPAddresses/", answer: quota, times: 100 }];
  expect((await azure.cli([...create, "--output-events", file], { faults })).code).not.toBe(0);
  await run([...create, "--egress", "nat-gateway"], 0);
  await run(["destroy", "infra", ...demo, "--yes"], 0);
  const types = typesIn(await lines());
  for (const type of ["run.finished", "run.started", "step.done", "step.failed", "step.planned", "step.skipped", "step.started"]) {
    expect(types).toContain(type);
  }
});

describe("a verification", () => {
  test("has a result of every check, and ends with their counts", async () => {
    const { azure, run, lines } = await recordedEvents();
    exits(await azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes"]), 0);
    const { stdout } = await run(["verify", "infra", ...demo, "--output", "json"], 0);
    const events = await lines();
    expect(events[0]).toMatchObject({ type: "stream.started", command: "verify infra", subject: "demo-x7k2" });
    const { results, counts } = JSON.parse(stdout) as { results: unknown[]; counts: object };
    expect(events.filter(({ type }) => type === "check.result")).toHaveLength(results.length);
    expect(events.at(-1)).toMatchObject({ type: "verification.finished", ok: true, counts });
  });

  test("that fails says which check, with its evidence and advice", async () => {
    const { run, lines } = await recordedEvents();
    await run(["verify", "infra", ...demo, ...demoDomain], 6);
    const events = await lines();
    expect(events.find(({ state }) => state === "failed")).toMatchObject({
      type: "check.result",
      severity: "error",
      evidence: expect.any(String) as string,
      next: expect.stringContaining("--cloud local") as string,
    });
    expect(events.at(-1)).toMatchObject({ type: "verification.finished", ok: false });
  });

  test("by the doctor has them on standard output, in place of the result", async () => {
    const azure = await testEmulator();
    const { stdout } = exits(await azure.cli(["doctor", "infra", ...demo, ...demoDomain, "--output-events", "-"]), 0);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as Line);
    expect(lines.every((line) => validate(line))).toBe(true);
    expect(typesIn(lines)).toEqual(["check.result", "stream.started", "verification.finished"]);
  });

  test("of identities has them too", async () => {
    const { azure, file: events, lines } = await recordedEvents();
    const file = azure.path("identities.json");
    const made = ["--name", "demo", "--resource-group-name", "common", "--oidc-issuer-url", "https://issuer.example.com/demo"];
    exits(await azure.cli(["create", "identities", "--cloud", "local", ...made, "--output-file", file, "--yes"]), 0);
    await azure.cli(["verify", "identities", "--cloud", "local", "--managed-identities-file", file, "--output-events", events]);
    expect(typesIn(await lines())).toContain("check.result");
  });
});

test("the schema has every type of event, and no other", () => {
  const inSchema = eventSchema.options.map(({ shape }) => shape.type.value).filter((type) => type !== "stream.started");
  const known: Readonly<Record<EngineEvent["type"], true>> = {
    ...{ "run.started": true, "run.finished": true, "check.result": true, "verification.finished": true },
    ...{ "step.planned": true, "step.started": true, "step.note": true, "step.done": true, "step.failed": true, "step.skipped": true },
  };
  expect(inSchema.toSorted()).toEqual(Object.keys(known).toSorted());
});
