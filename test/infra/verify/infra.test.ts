/** For every check of `verify infra`: a fault makes only this check fail, and it passes after its advice is followed as printed. */
import { describe, expect, test } from "vitest";
import { infraCheckIds } from "../../../src/infra/verify/checks.js";
import { checkLines, everyLine, firstLine } from "../../verify/advice.js";
import { findings, rowOf } from "../../verify/healthy-state.js";
import { dns } from "./infra-dns-rows.js";
import { existingNetwork, resourceGroups } from "./infra-group-rows.js";
import { missingResources } from "./infra-missing-rows.js";
import { networks } from "./infra-network-rows.js";
import { alteredResources } from "./infra-resource-rows.js";
import { roles } from "./infra-role-rows.js";
import { advised, type Row, type Scenario } from "./infra-rows.js";
import { preparedState, type InfraState } from "./infra-state.js";

const scenarios: readonly Scenario[] = [missingResources, alteredResources, dns, networks, resourceGroups, existingNetwork, roles];

const stateOf = ({ title, flags, prepare }: Scenario): Promise<InfraState> =>
  preparedState(`infra: ${title}`.replace(/\W+/g, "-"), flags, prepare);

const named = (rows: readonly Row[]) => rows.map((row) => [`${row.check} reports ${row.fault}: ${row.subject}`, row] as const);

describe.each(scenarios.map((scenario) => [scenario.title, scenario] as const))("%s", (_title, scenario) => {
  test("every check passes before the fault", async () => {
    expect(findings(await (await stateOf(scenario)).verify())).toEqual([]);
  });

  test.each(named(scenario.rows))("%s", async (_name, { check, subject, state: outcome = "failed", evidence, next, breaks, fix }) => {
    const state = await stateOf(scenario);
    await breaks(state);
    const results = await state.verify();
    expect(findings(results)).toEqual([`${check}/${subject} ${outcome}`]);
    const row = rowOf(results, check, subject);
    expect(row.evidence).toMatch(evidence);
    expect(row.next).toMatch(next);
    checkLines(results);
    if (fix === "first") await firstLine(advised(state), row);
    else if (fix === "every") await everyLine(advised(state), row);
    else await fix(state, row);
    expect(findings(await state.verify()), "after the advice was followed").toEqual([]);
  });
});

test("every check has a row here, or a test in infra-given.test.ts or identity-files.test.ts", () => {
  const elsewhere = ["file-set", "network-ranges", "roles-defined"];
  const checks = scenarios.flatMap(({ rows }) => rows.map(({ check }) => check));
  expect([...new Set([...checks, ...elsewhere])].sort()).toEqual([...infraCheckIds].sort());
});
