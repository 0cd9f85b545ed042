/** How tests run. Processes, not threads: tests start and kill processes, and change their own environment. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // CI has two cores, and tests start processes of their own.
    maxWorkers: 2,
    // Generous: a loaded machine is no failure, and nothing here waits for the clock.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
