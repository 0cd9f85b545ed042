import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createEventsFile } from "../../src/render/events-file.js";
import { together } from "../../src/render/renderer.js";
import { fakeScreen } from "./fakes.js";
import { runEvents } from "./run-events.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const eventsPath = (): string => path.join(temporaryDirectory().path, "events.ndjson");

const header = { command: "create infra", version: "0.1.0", subject: "demo-x7k2" };
const today = () => new Date("2026-11-20T12:00:00Z");
const events = runEvents.filter((event) => typeof event !== "number");

function parsed(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the events file", () => {
  it("has one object per line: first a header with the version, then events with type and time", () => {
    const file = eventsPath();
    const writer = createEventsFile({ path: file, result: fakeScreen().screen, today, renderAdvice: plainAdvice, header });
    events.forEach(writer.emit);
    writer.stop();
    const lines = parsed(readFileSync(file, "utf8"));
    const at = "2026-11-20T12:00:00.000Z";
    expect(lines[0]).toEqual({ schemaVersion: 1, eventsVersion: 1, type: "stream.started", ...header, startedAt: at, at });
    expect(lines[1]).toEqual({ at, type: "run.started", command: "create infra", subject: "demo-x7k2", infraId: "demo-x7k2", steps: 6 });
    expect(lines.slice(1).map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    expect(lines.every(({ at }) => at === "2026-11-20T12:00:00.000Z")).toBe(true);
    expect(lines.slice(1).some((line) => "eventsVersion" in line)).toBe(false);
  });

  it("contains the fields of a failure, without its cause or stack", () => {
    const { screen, text } = fakeScreen();
    const writer = createEventsFile({ path: "-", result: screen, today, renderAdvice: plainAdvice, header });
    events.forEach(writer.emit);
    writer.stop();
    expect(parsed(text()).find(({ type }) => type === "step.failed")?.["failure"]).toMatchObject({
      code: "ARO-AZURE-001",
      message: "the load balancer was not created",
      because: "Azure refused it",
      next: ["request more quota", "rerun the command"],
      azure: { status: 409, code: "QuotaExceeded", message: "Too many.", requestId: "6f1c", at: "2026-11-20T12:04:31Z" },
    });
    expect(text()).not.toContain("secret-in-the-cause");
  });

  it("contains each event before the next one, so that no event is lost if the process is killed", () => {
    const file = eventsPath();
    const writer = createEventsFile({ path: file, result: fakeScreen().screen, today, renderAdvice: plainAdvice, header });
    events.forEach((event, index) => {
      writer.emit(event);
      expect(parsed(readFileSync(file, "utf8"))).toHaveLength(index + 2);
    });
    writer.stop();
  });

  it("is readable by its owner only, and a later run is appended", () => {
    const file = eventsPath();
    for (let run = 0; run < 2; run += 1) {
      const writer = createEventsFile({ path: file, result: fakeScreen().screen, today, renderAdvice: plainAdvice, header });
      events.forEach(writer.emit);
      writer.stop();
      writer.stop();
      events.forEach(writer.emit);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parsed(readFileSync(file, "utf8"))).toHaveLength(2 * (events.length + 1));
  });

  it("that cannot be written is reported before the first event", () => {
    expect(() =>
      createEventsFile({
        path: path.join(temporaryDirectory().path, "no", "such"),
        result: fakeScreen().screen,
        today,
        renderAdvice: plainAdvice,
        header,
      }),
    ).toThrow(expect.objectContaining({ code: "ARO-FILE-004", message: expect.stringContaining("ENOENT") as string }) as Error);
  });

  it.skipIf(process.platform !== "linux")("on a full device is reported before the first event", () => {
    expect(() => createEventsFile({ path: "/dev/full", result: fakeScreen().screen, today, renderAdvice: plainAdvice, header })).toThrow(
      expect.objectContaining({ code: "ARO-FILE-004", message: expect.stringContaining("ENOSPC") as string }) as Error,
    );
  });

  it.each(["", "\n"])("begins on its own line after a last line that ends with %j", (end) => {
    const file = eventsPath();
    writeFileSync(file, `{"type":"stream.started"}\n{"at":"torn"${end}`);
    createEventsFile({ path: file, result: fakeScreen().screen, today, renderAdvice: plainAdvice, header }).stop();
    const [, first, second, ...others] = readFileSync(file, "utf8").split("\n");
    expect(first).toBe('{"at":"torn"');
    expect(JSON.parse(second ?? "")).toMatchObject({ type: "stream.started" });
    expect(others).toEqual([""]);
  });

  it.each([
    ["a document", '{\n  "infraID": "demo-x7k2"\n}\n'],
    ["a document on one line", '{"infraID":"demo-x7k2"}'],
    ["text", "notes\n"],
    ["an empty line", "\n"],
    ["an event without a header", '{"type":"run.started"}\n'],
    ["a long line", `{"type":"stream.started","more":"${"x".repeat(64 * 1024)}"}\n`],
  ])("is not appended to %s", (_title, content) => {
    const file = eventsPath();
    writeFileSync(file, content);
    expect(() => createEventsFile({ path: file, result: fakeScreen().screen, today, renderAdvice: plainAdvice, header })).toThrow(
      expect.objectContaining({ code: "ARO-FILE-004", message: `cannot append events to ${file}: it is not an events file` }) as Error,
    );
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("is written in addition to another renderer", () => {
    const [one, other] = [fakeScreen(), fakeScreen()];
    const both = together(
      [one, other].map(({ screen }) => createEventsFile({ path: "-", result: screen, today, renderAdvice: plainAdvice, header })),
    );
    events.forEach(both.emit);
    both.stop();
    expect(one.text()).toBe(other.text());
    expect(parsed(one.text())).toHaveLength(events.length + 1);
  });
});
