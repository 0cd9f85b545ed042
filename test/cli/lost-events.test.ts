/** An events file that cannot be written: refused before the first request, or reported at the end of a run that completes. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { plainEnvironment, program } from "../../tools/cli-process.js";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { testEmulator } from "../harness/test-emulator.js";
import { create, exits } from "./expectations.js";

const onLinux = test.skipIf(process.platform !== "linux");

const set = ["--cloud", "local", "--name", "demo"];
const issuer = ["--oidc-issuer-url", "https://issuer.example.com/demo"];

onLinux.each([
  ["create infra", [...clusterFlags, ...domainFlags, "--yes"]],
  ["create all", [...clusterFlags, ...domainFlags, "--dns-zone-rg-name", "dns", "--output-dir", "@out", "--yes"]],
  ["create identities", [...set, "--resource-group-name", "common", ...issuer, "--yes"]],
  ["destroy infra", [...clusterFlags, "--yes"]],
  ["destroy all", [...clusterFlags, "--yes"]],
  ["verify infra", [...clusterFlags, ...domainFlags]],
  ["doctor", [...clusterFlags, ...domainFlags]],
])("%s: a full device is refused before any request", async (command, args) => {
  const azure = await testEmulator();
  const given = [...command.split(" "), ...args.map((arg) => arg.replace("@out", azure.path("out")))];
  const { stderr } = exits(await azure.cli([...given, "--output-events", "/dev/full"]), 2);
  expect(stderr.replace(/\s+/g, " ")).toMatch(/cannot write \/dev\/full: no space left on device \(ENOSPC\) \[ARO-FILE-004\]/);
  expect(await azure.traffic()).toEqual([]);
});

test.each([
  ["a create", ["--yes"]],
  ["a dry run", ["--dry-run"]],
])("%s refuses a file that is not an events file, and leaves it", async (_title, flags) => {
  const azure = await testEmulator();
  const file = azure.path("infra.json");
  await writeFile(file, '{ "infraID": "demo-x7k2" }\n');
  const { stderr } = exits(await create(azure, [...flags, "--output-events", file]), 2);
  expect(stderr.replace(/\s+/g, " ")).toMatch(/it is not an events file \[ARO-FILE-004\].* next .*path of a new file/);
  expect(await readFile(file, "utf8")).toBe('{ "infraID": "demo-x7k2" }\n');
  expect(await azure.traffic()).toEqual([]);
});

onLinux("a pipe that no program reads is refused, and the command does not wait for one", async () => {
  const azure = await testEmulator();
  const pipe = azure.path("pipe");
  execFileSync("mkfifo", [pipe]);
  const { stderr } = exits(await create(azure, ["--yes", "--output-events", pipe]), 2);
  expect(stderr.replace(/\s+/g, " ")).toContain("no program reads this pipe (ENXIO)");
  expect(await azure.traffic()).toEqual([]);
});

onLinux("a reader that stops reading does not stop the run", async () => {
  const azure = await testEmulator();
  const pipe = azure.path("pipe");
  execFileSync("mkfifo", [pipe]);
  // A pipe that is full before the first event.
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  const block = Buffer.alloc(4096);
  const fill = (): void => void writeSync(writer, block);
  expect(() => {
    for (;;) fill();
  }).toThrow("EAGAIN");
  readSync(reader, block);
  const { stderr } = exits(await create(azure, ["--yes", "--output-events", pipe]), 1);
  for (const end of [reader, writer]) closeSync(end);
  expect(stderr.replace(/\s+/g, " ")).toMatch(/some events could not be written to .*EAGAIN/);
  expect(stderr).toContain("is done");
});

onLinux("a disk without room for the output file is refused before any request", async () => {
  const azure = await testEmulator();
  const args = [program, "create", "infra", ...clusterFlags, ...domainFlags, "--yes", "--output-file", azure.path("infra.json")];
  const child = spawn("bash", ["-c", 'ulimit -f 8; exec "$@"', "bash", process.execPath, ...args], {
    env: { ...plainEnvironment(azure.path(".")), ARO_HCP_LOCAL_DIR: azure.directory },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(code, stderr).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toMatch(/cannot write .*infra\.json: file too large \(EFBIG\) \[ARO-FILE-004\]/);
});

onLinux("a reader that closes its pipe early changes nothing, as on standard output", async () => {
  const azure = await testEmulator();
  const pipe = azure.path("pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = spawn("head", ["-1", pipe], { stdio: ["ignore", "pipe", "ignore"] });
  const read = new Promise<string>((resolve) => reader.stdout.on("data", (chunk: Buffer) => resolve(chunk.toString())));
  const { stderr } = exits(await create(azure, ["--yes", "--output-events", pipe]), 0);
  expect(stderr).not.toContain("EPIPE");
  expect(JSON.parse(await read)).toMatchObject({ type: "stream.started" });
});

onLinux("a file that cannot grow is reported at the end, and the run completes", async () => {
  const azure = await testEmulator();
  const events = azure.path("events");
  const kib = 1024;
  // Room for the header and some events.
  await writeFile(events, `{"type":"stream.started"}\n${"x".repeat(kib * 1024 - 1500)}\n`);
  const args = [program, "create", "infra", ...clusterFlags, ...domainFlags, "--yes", "--output-events", events];
  const child = spawn("bash", ["-c", `ulimit -f ${String(kib)}; exec "$@"`, "bash", process.execPath, ...args], {
    env: { ...plainEnvironment(azure.path(".")), ARO_HCP_LOCAL_DIR: azure.directory },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/some events could not be written to\s+\S+:\s+file\s+too\s+large\s+\(EFBIG\)\s+\[ARO-RUN-006\]/);
  expect(stderr).toContain("is done");
  expect((await readFile(events, "utf8")).split("\n")[2]).toContain("stream.started");

  exits(await create(azure, ["--yes", "--output-events", events]), 0);
  const lines = (await readFile(events, "utf8")).trimEnd().split("\n");
  expect(lines.filter((line) => line.startsWith('{"schemaVersion"'))).toHaveLength(2);
});
