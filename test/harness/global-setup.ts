/** Before all tests, builds the current sources and creates the folder of `madeOnce`. After them, removes the folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildIfStale } from "../../tools/bundle/build.js";

declare module "vitest" {
  export interface ProvidedContext {
    madeOnce: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfStale();
  const home = await mkdtemp(join(tmpdir(), "aro-hcp-made-once-"));
  project.provide("madeOnce", home);
  return () => rm(home, { recursive: true, force: true });
}
