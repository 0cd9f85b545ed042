/** The files of the emulator's directory: names, atomic writes, and damaged ones moved aside. */
import { join, dirname } from "node:path";
import {
  existsSync,
  mkdirSync,
  lstatSync,
  renameSync,
  rmSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  linkSync,
  writeFileSync,
} from "node:fs";
import { EmulatorStateError } from "../common/emulator-error.js";
import { randomUUID } from "node:crypto";

/** PEM of the authority that clients must trust. */
export const caFileOf = (directory: string): string => join(directory, "ca.pem");

/** hypershift's `azure-creds.json`. */
export const credentialsFileOf = (directory: string): string => join(directory, "azure-creds.json");

/** Says which process serves the directory, as long as it does. */
export const servingFileOf = (directory: string): string => join(directory, "serving.json");

/** Creates a directory with its missing parents. Node's own `recursive` never returns for a path below /proc: ENOENT there does not mean a missing parent. */
export function createDirectory(directory: string): void {
  if (existsSync(directory)) return;
  if (dirname(directory) !== directory) createDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process created it meanwhile.
    if (!isErrno(error, "EEXIST")) throw error;
  }
}

/** Takes away what is damaged, and never what somebody may want back. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Renames it to a name that is free: `NAME.damaged`, or with a number behind it. */
export function setAside(path: string): void {
  let free = `${path}.damaged`;
  for (let number = 2; isThere(free); number++) free = `${path}.damaged-${String(number)}`;
  renameSync(path, free);
}

/** Removes a file. A folder is none of the emulator's, so it is set aside. */
export function removeOwn(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) setAside(file);
  else rmSync(file, { force: true });
}

/** @throws EmulatorStateError for the file of another user, and the error of the file system if it cannot be read */
export function readOwnFile(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const { uid } = fstatSync(descriptor);
    // Windows has no user IDs.
    const own = process.getuid?.();
    if (own !== undefined && uid !== own) {
      throw new EmulatorStateError(`${file} belongs to another user (user ID ${uid}, not ${own}): somebody else may know its secrets`);
    }
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces `file`; a reader sees the old or the new content, never a mix. */
export function replaceFile(file: string, content: string, mode: number): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { mode, flag: "wx" });
  renameSync(temporary, file);
}

/** Creates `file` unless it exists. Returns false if it did: link(2) lets only one of several processes win. */
export function createFileOnce(file: string, content: string, mode: number): boolean {
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeFileSync(temporary, content, { mode, flag: "wx" });
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Removes the file, but not a successor that another process has just written: `isMeant` gets the content. */
export function takeAway(file: string, isMeant: (text: string) => boolean): void {
  const away = `${file}.${randomUUID()}.tmp`;
  try {
    renameSync(file, away);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return;
    throw error;
  }
  const text = readFileSync(away, "utf8");
  if (!isMeant(text)) createFileOnce(file, text, 0o600);
  rmSync(away);
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
