/** Identical commands of management and service clusters that run at once agree. */
import { expect, test } from "vitest";
import { clusterRaces } from "../../tools/race-scenarios.js";
import { raceProblems } from "../harness/race.js";

test.each(clusterRaces)("$name: the commands agree", async (race) => {
  expect(await raceProblems(race)).toEqual([]);
});
