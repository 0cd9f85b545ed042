/** A directory for the files of one test file, deleted afterwards. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

export interface TemporaryDirectory {
  readonly path: string;
  /** Writes a file into it and returns its path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
}

export function temporaryDirectory(): TemporaryDirectory {
  const directory = mkdtempSync(path.join(tmpdir(), "aro-hcp-test-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return {
    path: directory,
    write(name, content, mode = 0o600) {
      const file = path.join(directory, name);
      writeFileSync(file, content, { mode });
      return file;
    },
  };
}
