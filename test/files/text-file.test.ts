import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeDirectory, readText, readTextIfThere, withDirectory } from "../../src/files/text-file.js";
import { writeText, writeTextOnce } from "../../src/files/write.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const { path: root } = temporaryDirectory(afterAll);

test("of many parallel writers of one file, one succeeds with a whole file, and all others return false", async () => {
  const directory = join(root, "once");
  const path = join(directory, "new", "key");
  const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(5000));
  const wrote = await Promise.all(texts.map((text) => writeTextOnce(path, text, 0o600)));
  expect(wrote.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, "utf8")).toBe(texts[wrote.indexOf(true)]);
  expect(await readdir(join(directory, "new"))).toEqual(["key"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a file is written with its mode, whatever its previous mode", async () => {
  const path = join(root, "key");
  await writeFile(path, "old", { mode: 0o600 });
  await writeText({ path, otherOwner: () => undefined }, "new", 0o644);
  expect(await readText(path)).toEqual({ text: "new", mode: 0o644 });
});

test("a missing file is undefined or a failure, as requested; a large file and a directory are failures", async () => {
  const directory = join(root, "others");
  await makeDirectory(directory, []);
  expect(await readTextIfThere(join(directory, "none"))).toBeUndefined();
  await expect(readText(join(directory, "none"))).rejects.toMatchObject({ code: "ARO-FILE-001" });
  await writeFile(join(directory, "large"), "x".repeat(100_000));
  await expect(readText(join(directory, "large"))).rejects.toMatchObject({ code: "ARO-FILE-002" });
  await mkdir(join(directory, "folder"));
  await expect(readText(join(directory, "folder"))).rejects.toMatchObject({ code: "ARO-FILE-002" });
  await expect(makeDirectory(join(directory, "large"), [])).rejects.toMatchObject({ code: "ARO-FILE-004" });
});

test.skipIf(process.platform !== "linux")("a directory below /proc is rejected, not retried forever", async () => {
  for (const path of ["/proc/x", "/proc/x/y"]) {
    await expect(makeDirectory(path, [])).rejects.toMatchObject({ code: "ARO-FILE-004", message: expect.stringContaining(path) as string });
    await expect(writeTextOnce(join(path, "key"), "", 0o600)).rejects.toMatchObject({ code: "ARO-RUN-006" });
  }
});

test("a directory in which a file cannot be written is rejected, and stays empty", async () => {
  const directory = join(root, "taken");
  await mkdir(join(directory, "jwks"), { recursive: true });
  await expect(makeDirectory(directory, ["fine", "jwks"])).rejects.toMatchObject({
    code: "ARO-FILE-004",
    message: /jwks: it is a directory/,
  });
  expect(await readdir(directory)).toEqual(["jwks"]);
});

test("an empty directory that this run created is removed, but not one that has taken its place", async () => {
  const directory = join(root, "created", "inner");
  await withDirectory(directory, [], () => Promise.resolve());
  expect(await readdir(root)).not.toContain("created");
  await withDirectory(directory, [], async () => {
    await rename(directory, join(root, "moved"));
    await mkdir(directory);
  });
  expect(await readdir(join(root, "created"))).toEqual(["inner"]);
});
