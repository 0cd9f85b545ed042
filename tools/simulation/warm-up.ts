/** Runs commands once in real time: virtual time cannot wait for modules that are loaded, and a run would reach its time limit meanwhile. */
import type { Meanwhile } from "../demo-cluster.js";
import type { Command } from "./commands.js";
import { Place } from "./place.js";

const known = new Set<string>();

/** Whether they succeed does not matter. Does nothing for what has succeeded before: a refused command has not loaded everything. */
export async function warmUp(seed: unknown, commands: readonly (Command | Meanwhile)[]): Promise<void> {
  const place = new Place({ seed: "warm-up", latency: "none", isReal: true });
  try {
    const name = ({ 0: verb, 1: noun }: readonly string[]): string => [verb, noun].join(" ");
    const fresh = commands.some((each) => typeof each === "function" && !known.has(name(each(place.directory))));
    if (!fresh) return;
    await place.seed(seed ?? {});
    for (const each of commands) {
      if (typeof each !== "function") {
        await place.seed(each.seed);
        continue;
      }
      const title = name(each(place.directory));
      const { code } = await place.run(`${title} ${String(known.size)}`, each);
      if (code === 0) known.add(title);
    }
  } finally {
    place.close();
  }
}
