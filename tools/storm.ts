/** The storm test: create, create again and destroy while one of five requests fails, for a range of seeds. */
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { forEach } from "./for-each.js";
import { prepareStormTest, storms, type StormTest } from "./storm-test.js";
import { warmCli } from "./warm-cli.js";

const usage = `npm run test:storm -- [--command "create all"] [--seeds 1..100] [--jobs COUNT]
The commands are ${Object.keys(storms).join(", ")}; without --command, all of them.
Each seed draws the faults of its runs. A single seed repeats one of them: --seeds 17`;

/** @throws Error that shows the usage */
function parseSeeds(text: string): readonly number[] {
  const [, first, last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  const count = Number(last) - Number(first) + 1;
  if (!(count > 0)) throw new Error(usage);
  return Array.from({ length: count }, (_, index) => Number(first) + index);
}

/** Returns the arguments that repeat each seed that failed. */
async function storm(name: string, test: StormTest, seeds: readonly number[], jobs: number): Promise<string[]> {
  const failed: string[] = [];
  let done = 0;
  try {
    await forEach(seeds, jobs, async (seed) => {
      const began = performance.now();
      const { problems, runs } = await test.try(seed);
      const took = `${runs.join(" + ")} runs, ${String(Math.round((performance.now() - began) / 1000))} s`;
      done += 1;
      if (problems.length > 0) failed.push(`--command "${name}" --seeds ${String(seed)}`);
      const verdict = problems.length > 0 ? `FAILED\n${problems.join("\n")}` : "ok";
      console.log(`[${name}, ${String(done)}/${String(seeds.length)}, ${took}] seed ${String(seed)}: ${verdict}`);
    });
  } finally {
    await test.close();
  }
  return failed;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      command: { type: "string", multiple: true, default: Object.keys(storms) },
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
  const named = Object.entries(storms).filter(([name]) => values.command.includes(name));
  if (named.length < values.command.length) throw new Error(usage);
  const failed: string[] = [];
  const warm = warmCli();
  try {
    for (const [name, commands] of named)
      failed.push(...(await storm(name, await prepareStormTest(warm.run, commands), seeds, Number(values.jobs))));
  } finally {
    warm.close();
  }
  const all = seeds.length * named.length;
  console.log(`\n${String(all - failed.length)} of ${plural(all, "storm")} passed`);
  for (const repeat of failed) console.log(`To repeat: npm run test:storm -- ${repeat}`);
  if (failed.length > 0) process.exitCode = 1;
}

await main();
