/**
 * Content that is too large for the state: one file each, written before the commit that first names it and never changed.
 *
 * A name is never used twice. The process whose commit names a file no more removes it, and a transaction without a commit removes what it
 * wrote. What a kill leaves is found when an epoch is sealed: a file that existed before the seal and that the sealed state does not name
 * is garbage. Its writer worked on an older state: it can no longer commit, and writes a new file when it runs again.
 */
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prefix } from "./content-names.js";
import { createDirectory, isErrno } from "./files.js";
import { namesIn } from "./epochs.js";

export interface ContentFiles {
  /** Writes a new file and returns its name. */
  write(content: Buffer): string;
  /** @throws ContentMissing where the file is gone. */
  read(name: string, start: number, length: number): Buffer;
}

/** What only the store may do: it keeps content and cleans up. */
export interface OwnedContentFiles extends ContentFiles {
  /** Undefined where the file is gone. */
  readWhole(name: string): Buffer | undefined;
  names(): readonly string[];
  /** The names of what was written since the last call. */
  takeWritten(): readonly string[];
  remove(names: readonly string[]): void;
}

/** A commit of another process removed the file, or somebody else did. */
export class ContentMissing extends Error {}

export function contentFiles(directory: string): OwnedContentFiles {
  let written: string[] = [];
  return {
    write(content) {
      const name = `${prefix}${randomUUID()}`;
      createDirectory(directory);
      writeFileSync(join(directory, name), content, { mode: 0o600, flag: "wx" });
      written.push(name);
      return name;
    },
    read: (name, start, length) => readRange(join(directory, name), start, length),
    readWhole(name) {
      try {
        return readFileSync(join(directory, name));
      } catch (error) {
        if (isErrno(error, "ENOENT")) return undefined;
        throw error;
      }
    },
    // Files of others have other names.
    names: () => namesIn(directory).filter((name) => name.startsWith(prefix)),
    takeWritten() {
      const taken = written;
      written = [];
      return taken;
    },
    remove(names) {
      for (const name of names) rmSync(join(directory, name), { force: true });
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
