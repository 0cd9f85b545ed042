/** Runs test files in the given order, until a deadline. */
import { BaseSequencer, createVitest, type TestSpecification } from "vitest/node";

export interface TestRun {
  readonly failed: boolean;
  /** The number of files whose tests have all run. */
  readonly finished: number;
}

export async function runTests(files: readonly string[], untilMs: number): Promise<TestRun> {
  class InOrder extends BaseSequencer {
    override sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) => files.findIndex((file) => moduleId.endsWith(`/${file}`));
      return Promise.resolve(specifications.toSorted((a, b) => place(a) - place(b)));
    }
  }
  const vitest = await createVitest("test", {
    watch: false,
    reporters: ["minimal"],
    // Types and lint run beside them.
    maxWorkers: 2,
    sequence: { sequencer: InOrder },
  });
  const timer = setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), untilMs - performance.now());
  try {
    const { testModules, unhandledErrors } = await vitest.start([...files]);
    const states = testModules.map((module) => module.state());
    return {
      failed: states.includes("failed") || unhandledErrors.length > 0,
      finished: states.filter((state) => state === "passed" || state === "failed").length,
    };
  } finally {
    clearTimeout(timer);
    await vitest.close();
  }
}
