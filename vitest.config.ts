/** How tests run. Processes, not threads: tests start and kill processes, and change their own environment. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // CI has two cores, and tests start processes of their own.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
