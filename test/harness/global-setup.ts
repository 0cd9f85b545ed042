/** Before all tests, builds the current sources and creates the folder of `madeOnce`. After them, removes the folder. */
import type { TestProject } from "vitest/node";
import { buildIfStale } from "../../tools/bundle/build.js";
import { createDirectory, removeDirectory } from "../../tools/temporary-directory.js";

declare module "vitest" {
  export interface ProvidedContext {
    madeOnce: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfStale();
  const home = createDirectory("made-once");
  project.provide("madeOnce", home);
  return () => removeDirectory(home);
}
