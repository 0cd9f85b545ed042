/** The pages that a reader follows from top to bottom: each block works as printed, in order, and prints what the page shows. */
import { test } from "vitest";
import { cloneOfRepository } from "./clone.js";
import { readPage } from "./reading.js";

test("README.md: from a clone to a cluster that is created, verified, rotated and destroyed", async () => {
  const clone = await cloneOfRepository();
  await readPage(clone, clone.read("README.md"));
});
