/** How tests run. Processes, not threads: tests start and kill processes, and change their own environment. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/harness/global-setup.ts",
    setupFiles: "test/harness/key-pool.ts",
    pool: "forks",
    // The SDKs, zod and the sources are loaded once a process, not once a file: no test may leave anything in a module.
    isolate: false,
    // CI has two cores. Many tests wait for what the emulator paces, or for processes: two at a time leave a third of the processors idle.
    maxWorkers: 4,
    // These only end a test that hangs, so no test has limits of its own: a loaded machine is no failure, and nothing here waits for the clock.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A test that asserts nothing, or returns before it does, fails.
    expect: { requireAssertions: true, poll: { timeout: 300_000, interval: 10 } },
  },
});
