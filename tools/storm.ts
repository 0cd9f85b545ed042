/** The storm test: create, create again and destroy while one of five requests fails, for a range of seeds. */
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { forEach } from "./for-each.js";
import { prepareStormTest } from "./storm-test.js";
import { warmCli } from "./warm-cli.js";

const usage = `npm run test:storm -- [--seeds 1..100] [--jobs COUNT]
Each seed draws the faults of its runs. A single seed repeats one of them: --seeds 17`;

/** @throws Error that shows the usage */
function parseSeeds(text: string): readonly number[] {
  const [, first, last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count > 0)) throw new Error(usage);
  return Array.from({ length: count }, (_, index) => Number(first) + index);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1..100" },
      jobs: { type: "string", default: "2" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const seeds = parseSeeds(values.seeds);
  const warm = warmCli();
  const storm = await prepareStormTest(warm.run);
  const failed: number[] = [];
  let done = 0;
  try {
    await forEach(seeds, Number(values.jobs), async (seed) => {
      const began = performance.now();
      const { problems, runs } = await storm.try(seed);
      const took = `${runs.join(" + ")} runs, ${String(Math.round((performance.now() - began) / 1000))} s`;
      done += 1;
      if (problems.length > 0) failed.push(seed);
      const verdict = problems.length > 0 ? `FAILED\n${problems.join("\n")}` : "ok";
      console.log(`[${String(done)}/${String(seeds.length)}, ${took}] seed ${String(seed)}: ${verdict}`);
    });
  } finally {
    warm.close();
    await storm.close();
  }
  console.log(`\n${String(seeds.length - failed.length)} of ${plural(seeds.length, "seed")} passed`);
  for (const seed of failed) console.log(`To repeat: npm run test:storm -- --seeds ${String(seed)}`);
  if (failed.length > 0) process.exitCode = 1;
}

await main();
