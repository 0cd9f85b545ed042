/** A sample of the storm test: the first seeds. `npm run test:storm` runs others, each command in a process of its own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareStormTest, storms, type StormTest } from "../../tools/storm-test.js";
import { cli } from "../harness/cli.js";

describe.each([
  ["create all", 10],
  ["create encryption-key with hsm", 2],
  ["create management-cluster", 4],
  ["create service-cluster", 4],
  ["create arc", 2],
  ["create arc-secrets", 2],
  ["create arc-extension", 2],
  ["destroy arc", 2],
  ["create iam", 2],
  ["create dns-zone", 2],
  ["create dns-zone with service-principal", 1],
  ["create infra with addresses", 1],
  ["create infra with routing", 1],
] as const)("%s", (name, count) => {
  let storm: StormTest;
  beforeAll(async () => {
    storm = await prepareStormTest((args, env) => cli(args, { env }), storms[name]);
  });
  afterAll(() => storm.close());

  const seeds = Array.from({ length: count }, (_, index) => index + 1);

  test.concurrent.each(seeds)("create, create again and destroy succeed while one of five requests fails, seed %i", async (seed) => {
    const { problems } = await storm.try(seed);
    expect(problems, `to repeat: npm run test:storm -- --command "${name}" --seeds ${String(seed)}`).toEqual([]);
  });
});
