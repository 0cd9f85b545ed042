/** When dist is current. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { hashOfInputs } from "../../tools/bundle/inputs.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const { path: root } = temporaryDirectory(afterAll);

test("a changed, new or moved source or a changed lock file makes dist outdated; other files do not", () => {
  for (const file of ["package.json", "package-lock.json", "tools/bundle"]) cpSync(file, path.join(root, file), { recursive: true });
  mkdirSync(path.join(root, "src"));
  const write = (file: string, text: string) => {
    writeFileSync(path.join(root, file), text);
    return hashOfInputs(root);
  };
  const hashes = [
    write("src/a.ts", "1"),
    write("src/a.ts", "2"),
    write("src/b.ts", "2"),
    write("tools/bundle/build.ts", ""),
    write("package-lock.json", "{}"),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(write("README.md", "text")).toBe(hashes.at(-1));
});
