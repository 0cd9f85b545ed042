/** The pages that a reader follows from top to bottom: each block works as printed, in order, and prints what the page shows. */
import { test } from "vitest";
import { cloneOfRepository } from "./clone.js";
import { readPage } from "./reading.js";

/** Pages that begin with `npm link`. Of all pages, the commands of the first run as a reader's do, in processes of the built program. */
test.each(["README.md", "docs/first-run.md", "docs/pipelines.md"])("%s", async (page) => {
  const clone = await cloneOfRepository({ processes: page === "README.md" });
  await readPage(clone, clone.read(page));
});
