/** Before all tests: a build of the sources as they are, and the folder in which `madeOnce` keeps what it makes. After them the folder goes. */
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
