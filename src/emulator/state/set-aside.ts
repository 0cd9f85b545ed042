/** Takes away what is damaged, and never what somebody may want back. */
import { lstatSync, renameSync, rmSync } from "node:fs";

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
