/** The infrastructure, broken one way at a time: exactly that check fails, and passes once its advice is followed. */
import { describe, expect, test } from "vitest";
import { infraCheckIds } from "../../src/verify/infra/checks.js";
import { checkLines, everyLine, firstLine } from "./advice.js";
import { findings, rowOf } from "./healthy-state.js";
import { dns } from "./infra-dns-rows.js";
import { broughtNetwork, resourceGroups } from "./infra-group-rows.js";
import { missingResources } from "./infra-missing-rows.js";
import { networks } from "./infra-network-rows.js";
import { alteredResources } from "./infra-resource-rows.js";
import { roles } from "./infra-role-rows.js";
import { advised, type Row, type Scenario } from "./infra-rows.js";
import { preparedState, type InfraState } from "./infra-state.js";

const scenarios: readonly Scenario[] = [missingResources, alteredResources, dns, networks, resourceGroups, broughtNetwork, roles];

const made = ({ title, flags, prepare }: Scenario): Promise<InfraState> =>
  preparedState(`infra: ${title}`.replace(/\W+/g, "-"), flags, prepare);

const named = (rows: readonly Row[]) => rows.map((row) => [`${row.check} of ${row.subject}: ${row.evidence.source}`, row] as const);

describe.each(scenarios.map((scenario) => [scenario.title, scenario] as const))("%s", (_title, scenario) => {
  test("nothing is found while nothing is broken", async () => {
    expect(findings(await (await made(scenario)).verify())).toEqual([]);
  });

  test.each(named(scenario.rows))("%s", async (_name, { check, subject, state: outcome = "failed", evidence, next, make, mend }) => {
    const state = await made(scenario);
    await make(state);
    const results = await state.verify();
    expect(findings(results)).toEqual([`${check}/${subject} ${outcome}`]);
    const row = rowOf(results, check, subject);
    expect(row.evidence).toMatch(evidence);
    expect(row.next).toMatch(next);
    checkLines(results);
    if (mend === "first") await firstLine(advised(state), row);
    else if (mend === "every") await everyLine(advised(state), row);
    else await mend(state, row);
    expect(findings(await state.verify()), "after it was mended").toEqual([]);
  });
});

test("there is a row for each check, or a test in infra-given.test.ts", () => {
  const elsewhere = ["network-ranges", "roles-defined"];
  const checks = scenarios.flatMap(({ rows }) => rows.map(({ check }) => check));
  expect([...new Set([...checks, ...elsewhere])].sort()).toEqual([...infraCheckIds].sort());
});
