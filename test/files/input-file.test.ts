/** Files that are not what an input file is: refused at once, whatever reads them, and never waited for. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, closeSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { readDocument } from "../../src/files/read.js";
import { readText, readTextIfThere } from "../../src/files/text-file.js";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.js";
import { ownSurroundings } from "../harness/surroundings.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const { path: root } = temporaryDirectory(afterAll);
const at = (name: string): string => join(root, name);
const onUnix = test.skipIf(process.platform === "win32");

function pipe(name: string): string {
  execFileSync("mkfifo", [at(name)]);
  return at(name);
}

const odd: readonly (readonly [what: string, words: string, make: () => string | Promise<string>])[] = [
  ["a pipe without a writer", "is a pipe, not a regular file", () => pipe("empty")],
  [
    "a pipe with a writer",
    "is a pipe, not a regular file",
    async () => {
      const path = pipe("written");
      const writer = spawn("sh", ["-c", 'sleep 600 > "$0"', path], { stdio: "ignore" });
      onTestFinished(() => void writer.kill("SIGKILL"));
      await once(writer, "spawn");
      return path;
    },
  ],
  [
    "a link to a pipe",
    "is a pipe, not a regular file",
    () => {
      symlinkSync(pipe("linked"), at("link"));
      return at("link");
    },
  ],
  [
    "a socket",
    "is a socket, not a regular file",
    async () => {
      const server = createServer().listen(at("socket"));
      onTestFinished(() => void server.close());
      await once(server, "listening");
      return at("socket");
    },
  ],
  ["a device that never ends", "is a device, not a regular file", () => "/dev/zero"],
  ["a device that is empty", "is a device, not a regular file", () => "/dev/null"],
  [
    "a directory",
    "is a directory",
    () => {
      mkdirSync(at("folder"));
      return at("folder");
    },
  ],
  [
    "a huge file",
    "is larger than",
    () => {
      closeSync(openSync(at("huge"), "w"));
      truncateSync(at("huge"), 2 ** 40);
      return at("huge");
    },
  ],
];

onUnix.each(odd)("%s is refused", async (_what, words, make) => {
  const path = await make();
  for (const read of [readDocument, readText, readTextIfThere, (path: string) => readKubeconfig(path, ownSurroundings)]) {
    await expect(read(path)).rejects.toMatchObject({ code: "ARO-FILE-002", message: expect.stringContaining(words) as string });
  }
  // The files that a kubeconfig names are read without a limit by the client.
  for (const [part, key] of [
    ["cluster", "certificate-authority"],
    ["user", "client-certificate"],
    ["user", "client-key"],
    ["user", "token-file"],
  ] as const) {
    const config = at("kubeconfig");
    const named = { [key]: path };
    writeFileSync(
      config,
      JSON.stringify({
        "current-context": "a",
        clusters: [{ name: "a", cluster: { server: "https://a.example.com", ...(part === "cluster" && named) } }],
        contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
        users: [{ name: "a", user: part === "user" ? named : {} }],
      }),
    );
    await expect(readKubeconfig(config, ownSurroundings), key).rejects.toMatchObject({
      code: "ARO-FILE-002",
      message: expect.stringContaining(words) as string,
    });
  }
});

onUnix("a regular file is read through a link, and without a size in its directory entry", async () => {
  writeFileSync(at("plain"), "a: 1\n");
  symlinkSync(at("plain"), at("plain-link"));
  expect((await readDocument(at("plain-link"))).value).toEqual({ a: 1 });
  if (process.platform === "linux") expect((await readText("/proc/self/status")).text).toContain("Pid:");
});
