/** The tests that mutants of the engine and of decisions run: those of plain values, and what runs in memory in moments. */
import { defineConfig } from "vitest/config";
import { warmThread } from "./tools/mutation/warm-thread.js";
import suite from "./vitest.config.js";

export default defineConfig({
  plugins: [
    {
      name: "warm-thread",
      // Stryker chooses a pool whose threads end with each mutant.
      configureVitest: ({ project }) => void Object.assign(project.config, { pool: warmThread.name, poolRunner: warmThread }),
    },
  ],
  test: {
    ...suite.test,
    include: [
      "test/{engine,domain,steps}/*.test.ts",
      "test/azure/merged-unproven.test.ts",
      "test/*/{domain,steps}/*.test.ts",
      "test/removal/{dns-records,emptied-group,existing-groups,inventory,merged,order,recoverable,second-owner,vaults}.test.ts",
      "test/*/removal/{aks,all,identities,issuer,node-group-contents,replaced-roles}.test.ts",
    ],
  },
});
