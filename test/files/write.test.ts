import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { OutputFile } from "../../src/files/output-file.js";
import { checkWritable, writeDocument } from "../../src/files/write.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const directory = temporaryDirectory(afterAll);
const file = path.join(directory.path, "out.json");
const own = (at: string): OutputFile => ({ path: at, otherOwner: () => undefined });

test("a document is written as JSON that only its owner may read, and replaces the previous one", async () => {
  directory.write("out.json", "x".repeat(1000), 0o644);
  await writeDocument(own(file), { a: 1 });
  expect(readFileSync(file, "utf8")).toBe('{\n  "a": 1\n}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a failed write keeps the old document and leaves no draft", async () => {
  const before = readFileSync(file, "utf8");
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  await expect(writeDocument(own(file), cyclic)).rejects.toMatchObject({ code: "ARO-RUN-006" });
  await expect(writeDocument(own(path.join(directory.path, "out.json", "out.json")), {})).rejects.toMatchObject({ code: "ARO-RUN-006" });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(readdirSync(directory.path)).toEqual(["out.json"]);
});

describe("checkWritable", () => {
  test("accepts a new file in an existing directory, and an existing file", async () => {
    await expect(checkWritable(path.join(directory.path, "new.json"))).resolves.toBeUndefined();
    await expect(checkWritable(file)).resolves.toBeUndefined();
  });

  test("writes nothing during the check", async () => {
    await checkWritable(path.join(directory.path, "new.json"));
    expect(readdirSync(directory.path)).not.toContain("new.json");
  });

  test("rejects a directory, a device, a missing directory, and a path below a file", async () => {
    mkdirSync(path.join(directory.path, "dir"));
    symlinkSync("/dev/null", path.join(directory.path, "null"));
    for (const bad of ["dir", "null", "absent/out.json", "out.json/below.json"]) {
      await expect(checkWritable(path.join(directory.path, bad)), bad).rejects.toMatchObject({ code: "ARO-FILE-004" });
    }
  });

  test("rejects a name for which no draft can be created", async () => {
    await expect(checkWritable(path.join(directory.path, `${"n".repeat(245)}.json`))).rejects.toMatchObject({
      code: "ARO-FILE-004",
      message: expect.stringContaining("ENAMETOOLONG") as string,
    });
  });

  test.skipIf(process.getuid?.() === 0)("rejects a file or a directory without permission", async () => {
    const closed = path.join(directory.path, "closed");
    mkdirSync(closed, { mode: 0o500 });
    await expect(checkWritable(path.join(closed, "out.json"))).rejects.toMatchObject({ code: "ARO-FILE-004" });
    chmodSync(directory.write("readonly.json", "{}"), 0o400);
    await expect(checkWritable(path.join(directory.path, "readonly.json"))).rejects.toMatchObject({ code: "ARO-FILE-004" });
  });
});
