/** A directory for the files of one test, or of several. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createDirectory, removeDirectory } from "../../tools/temporary-directory.js";

export interface TemporaryDirectory {
  readonly path: string;
  /** Writes a file into it and returns its path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
}

/** Removed when the test ends. Pass `afterAll` if several tests share it. */
export function temporaryDirectory(atEnd: (clean: () => Promise<void>) => void = onTestFinished): TemporaryDirectory {
  const directory = createDirectory("test");
  atEnd(() => removeDirectory(directory));
  return {
    path: directory,
    write(name, content, mode = 0o600) {
      const file = path.join(directory, name);
      writeFileSync(file, content, { mode });
      return file;
    },
  };
}
