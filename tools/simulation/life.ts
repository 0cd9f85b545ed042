/**
 * A life: a create, the same create again, and the destroy, while one of five requests fails. The result must be that of an undisturbed run. Here,
 * it runs in this process, in virtual time.
 */
import type { FaultRule } from "../../src/emulator/core/fault-rules.js";
import { stormFaults } from "./faults.js";
import type { Life } from "./lives.js";
import { Place, type Outcome } from "./place.js";
import { underFaults, withoutFaults, type Undisturbed } from "./storm.js";

export interface LifeOptions {
  readonly seed: number;
  /** The faults that happen, as `Outcome.faults` names them: all of the seed by default. */
  readonly faults?: readonly string[] | undefined;
  /** See `ScheduleOptions`. */
  readonly freeChoices?: number | undefined;
}

export async function undisturbedLife(life: Life): Promise<Undisturbed> {
  const place = new Place({ seed: "undisturbed", latency: "none" });
  try {
    return await withoutFaults(place, life);
  } finally {
    place.close();
  }
}

export async function live(life: Life, wanted: Undisturbed, { seed, faults, freeChoices }: LifeOptions): Promise<Outcome> {
  const place = new Place({
    seed: String(seed),
    latency: seed % 2 === 0 ? "none" : "recorded",
    ...(freeChoices !== undefined && { freeChoices }),
  });
  const only = faults && new Set(faults);
  const runs: { readonly run: string; readonly rules: readonly FaultRule[] }[] = [];
  try {
    const problems = await underFaults(place, life, wanted, (run) => {
      const number = runs.length + 1;
      const rules = stormFaults(String(seed), run).filter(({ request }) => only?.has(faultName(number, request)) ?? true);
      runs.push({ run, rules });
      return rules;
    });
    const struck = runs.flatMap(({ run, rules }, index) =>
      rules.filter(({ request = 0 }) => request <= place.requestsOf(run)).map(({ request }) => faultName(index + 1, request)),
    );
    return place.outcome(problems, [...new Set(struck)]);
  } finally {
    place.close();
  }
}

/** The number of the run, and that of its request. */
const faultName = (run: number, request = 0): string => `${String(run)}.${String(request)}`;
