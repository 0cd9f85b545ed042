/** Folders that take long to create and that many tests copy. The first test process that needs one creates it for the whole test run. */
import { existsSync } from "node:fs";
import { mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { outlivesTest } from "./key-pool.js";

const underway = new Map<string, Promise<string>>();

/** Returns the path of the folder, which callers copy but do not change. `make` fills the empty folder. */
export function madeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const folder = underway.get(name) ?? making(name, make);
  underway.set(name, folder);
  return folder;
}

async function making(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const home = inject("madeOnce");
  const folder = join(home, name);
  if (existsSync(folder)) return folder;
  const draft = await mkdtemp(join(home, `${name}-`));
  await outlivesTest.run(true, () => make(draft));
  await rename(draft, folder).catch((error: unknown) => {
    // Another process created the same folder meanwhile.
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
