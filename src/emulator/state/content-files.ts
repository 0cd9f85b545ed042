/**
 * Content that is too large for the state document: one file each, written before the commit that first names it and never changed.
 *
 * A name is never used twice. A file that existed before a commit and that the committed state does not name is garbage.
 * Its writer worked on an older state: it can no longer commit, and writes a new file when it runs again.
 */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDirectory } from "./directory.js";
import { isErrno } from "./file-writing.js";

export interface ContentFiles {
  /** Writes a new file and returns its name. */
  write(content: Buffer): string;
  /** @throws ContentMissing where the file is gone. */
  read(name: string, start: number, length: number): Buffer;
}

/** The clean-up, which only the store may do. */
export interface OwnedContentFiles extends ContentFiles {
  names(): readonly string[];
  /** Removes those of `names` that `document` does not contain. */
  removeUnnamed(names: readonly string[], document: string): void;
}

const ownName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A commit of another process removed the file, or somebody else did. */
export class ContentMissing extends Error {}

export function contentFiles(directory: string): OwnedContentFiles {
  return {
    write(content) {
      const name = randomUUID();
      createDirectory(directory);
      writeFileSync(join(directory, name), content, { mode: 0o600, flag: "wx" });
      return name;
    },
    read: (name, start, length) => readRange(join(directory, name), start, length),
    names() {
      try {
        // Files of others have other names.
        return readdirSync(directory).filter((name) => ownName.test(name));
      } catch (error) {
        if (isErrno(error, "ENOENT")) return [];
        throw error;
      }
    },
    removeUnnamed(names, document) {
      for (const name of names) if (!document.includes(name)) rmSync(join(directory, name), { force: true });
    },
  };
}

function readRange(file: string, start: number, length: number): Buffer {
  const content = Buffer.alloc(length);
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    throw isErrno(error, "ENOENT") ? new ContentMissing(`the file ${file} is missing`, { cause: error }) : error;
  }
  try {
    for (let done = 0; done < length;) {
      const count = readSync(descriptor, content, done, length - done, start + done);
      if (count === 0) throw new ContentMissing(`the file ${file} is shorter than the state says`);
      done += count;
    }
    return content;
  } finally {
    closeSync(descriptor);
  }
}
