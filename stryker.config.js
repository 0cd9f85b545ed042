/** How Stryker changes the sources and runs the tests: `tools/mutation.ts` names the sources. */

export default {
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner", "./tools/mutation/left-out.js"],
  ignorers: ["left-out"],
  // Types of the SDKs require the operator where Azure always sends a value.
  mutator: { excludedMutations: ["OptionalChaining"] },
  coverageAnalysis: "perTest",
  // What only runs while a module loads is a table: types and other tests check it.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 20_000,
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: "reports/mutation.json" },
  incrementalFile: "reports/mutation-incremental.json",
  ignorePatterns: ["dist", "docs", "examples", "man", "reports", ".build"],
  allowConsoleColors: false,
};
