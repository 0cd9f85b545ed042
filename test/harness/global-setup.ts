/** Before all tests: the folder in which `madeOnce` keeps what it makes. After them it goes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    madeOnce: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "aro-hcp-made-once-"));
  project.provide("madeOnce", home);
  return () => rm(home, { recursive: true, force: true });
}
