/** The directory of a test that makes many attempts: prepared once, with a directory of its own for each attempt. */
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import type { CrashSetting } from "./crash-workspace.js";
import { writeDemoFiles } from "./demo-cluster.js";
import { shareKeys } from "./made-keys.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

export interface TestRoot {
  readonly directory: string;
  readonly setting: CrashSetting;
  /** Passes a new directory to `work`, and removes it afterwards. */
  attempt<T>(work: (directory: string) => Promise<T>): Promise<T>;
  /** Removes everything. */
  close(): Promise<void>;
}

/** `prepare` builds the test, which closes the root. If it fails, the root is closed. */
export async function withTestRoot<T>(purpose: string, run: CrashSetting["run"], prepare: (root: TestRoot) => Promise<T>): Promise<T> {
  const directory = createDirectory(purpose);
  const close = () => removeDirectory(directory);
  try {
    return await prepare({
      directory,
      setting: { files: writeDemoFiles(directory), environment: await shareKeys(directory), run },
      async attempt(work) {
        const own = await mkdtemp(path.join(directory, "attempt-"));
        return work(own).finally(() => removeDirectory(own));
      },
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}
