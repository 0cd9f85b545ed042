/** The gate of all file changes, where a simulation can end a run and then read the files. */
import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs/promises";
import writeAtomic from "write-file-atomic";

export interface DiskGate {
  /** Awaited before each change; never resolves for a run that has ended. */
  before(): Promise<void>;
  /** Called after each change. */
  after(): void;
}

const gates = new AsyncLocalStorage<DiskGate>();

/** All changes that `work` makes pass the gate. */
export function throughGate<T>(gate: DiskGate, work: () => T): T {
  return gates.run(gate, work);
}

/** The same function, behind the gate. */
function gated<Args extends readonly unknown[], T>(change: (...args: Args) => Promise<T>): (...args: Args) => Promise<T> {
  return async (...args) => {
    const gate = gates.getStore();
    await gate?.before();
    try {
      return await change(...args);
    } finally {
      gate?.after();
    }
  };
}

type FileOptions = { readonly mode: number; readonly flag?: "wx" };

export const chmod = gated((path: string, mode: number) => fs.chmod(path, mode));
export const link = gated((existing: string, path: string) => fs.link(existing, path));
export const mkdir = gated((path: string, options: { readonly mode: number }) => fs.mkdir(path, options));
export const mkdtemp = gated((prefix: string) => fs.mkdtemp(prefix));
export const rm = gated((path: string, options: { readonly force: true; readonly recursive?: true }) => fs.rm(path, options));
export const rmdir = gated((path: string) => fs.rmdir(path));
export const writeFile = gated((path: string, content: Buffer, options: FileOptions) => fs.writeFile(path, content, options));
/** The file has its old content or the new one, whenever the process ends. */
export const writeFileAtomic = gated((path: string, text: string, options: FileOptions) => writeAtomic(path, text, options));
