/** A sample of the storm test: the first ten seeds. `npm run test:storm` runs others, each command in a process of its own. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareStormTest, type StormTest } from "../../tools/storm-test.js";
import { cli } from "../harness/cli.js";

let storm: StormTest;
beforeAll(async () => {
  storm = await prepareStormTest((args, env) => cli(args, { env }));
});
afterAll(() => storm.close());

const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

test.concurrent.each(seeds)("create, create again and destroy succeed while one of five requests fails, seed %i", async (seed) => {
  const { problems } = await storm.try(seed);
  expect(problems, `to repeat: npm run test:storm -- --seeds ${String(seed)}`).toEqual([]);
});
