/** How the programs of other clients run: seconds a command, several at once, and whatever time they take. */
import { defineConfig } from "vitest/config";
import suite from "./vitest.config.js";

export default defineConfig({
  test: {
    ...suite.test,
    include: ["test/clients/*.client.ts"],
    reporters: ["verbose"],
    // Tests at the same time share the count of assertions.
    expect: { ...suite.test?.expect, requireAssertions: false },
    maxWorkers: 1,
    maxConcurrency: 3,
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
  },
});
