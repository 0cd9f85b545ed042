/** How much is done at once. */
import type { Check } from "./check.js";

/** More at once than Azure's write bucket (200, refilled by 10 a second) would help nobody. */
const maxConcurrency = 64;

export const checkConcurrency: Check = ({ values, problem }) => {
  const { concurrency } = values;
  if (concurrency !== undefined && (concurrency < 1 || concurrency > maxConcurrency)) {
    problem("concurrency", `${concurrency} is not between 1 and ${maxConcurrency}`);
  }
};
