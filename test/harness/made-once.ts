/** Folders that take long to make and that many tests copy: made once for a whole run of the tests, by the test process that needs one first. */
import { existsSync } from "node:fs";
import { mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";

const underway = new Map<string, Promise<string>>();

/** The path of the folder, to be copied and left as it is. `make` fills an empty one. */
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
  await make(draft);
  await rename(draft, folder).catch((error: unknown) => {
    // Another process was as quick; both made the same.
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
