/** Tests of identity checks: each row makes only its check fail, and the check passes after its advice is followed as printed. */
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { RenderedResult as Result } from "../../../src/run/verification.js";
import { checkLines, everyLine } from "../../verify/advice.js";
import { findings, healthyState, originalState, rowOf } from "../../verify/healthy-state.js";
import type { Row } from "./identity-rows.js";

export function testRows(rows: readonly Row[]): void {
  test.each(rows.map((row) => [`${row.row} reports ${row.fault}`, row] as const))("%s", async (_name, row) => {
    const { daysAgo = 0, also = [], leaves = [] } = row;
    const state = await healthyState({}, originalState(daysAgo));
    await row.breaks?.(state);
    const given = (await row.given?.(state)) ?? {};

    const results = await state.verify(given);
    const outcome = row.warning === true ? "warning" : "failed";
    const compared = daysAgo === 0 ? results : results.filter(({ subject }) => subject === subjectOf(row.row));
    const expected = [row, ...also].map((each) => `${each.row} ${outcome}`).sort();
    const found = findings(compared);
    // The evidence is part of the comparison, because the end of a log shows only that.
    expect(isDeepStrictEqual(found, expected) ? found : [...found, ...evidenceOf(compared, row.row)]).toEqual(expected);
    for (const { row: id, evidence } of [row, ...also]) expect(resultOf(results, id).evidence).toMatch(evidence);
    expect(JSON.stringify(results)).not.toMatch(/BEGIN|client_secret":/);
    checkLines(results);
    const result = resultOf(results, row.row);
    if (row.next) expect(result.next).toMatch(row.next);
    if (row.follow === undefined) return;

    // The advice is followed, and every check of the affected subjects runs again.
    let then = { ...given, ...(await row.follow(state, result)) };
    for (const each of also) then = { ...then, ...(await each.follow?.(state, resultOf(results, each.row))) };
    const filter = { subjects: [row, ...also].map((each) => subjectOf(each.row)) };
    const fixed = await state.verify(then, filter);
    expect(findings(fixed)).toEqual(leaves);
    if (leaves.length === 0) return;
    checkLines(fixed);
    for (const finding of leaves) await everyLine(state, resultOf(fixed, finding.split(" ")[0] ?? ""));
    expect(findings(await state.verify(then, filter))).toEqual([]);
  });
}

/** What the check of the row saw, and why checks were skipped. */
function evidenceOf(results: readonly Result[], row: string): string[] {
  return results
    .filter(({ check, subject, state }) => state === "skipped" || `${check}/${subject}` === row)
    .map(({ check, subject, state, evidence }) => `${check}/${subject} ${state}: ${evidence}`);
}

const subjectOf = (row: string): string => row.slice(row.indexOf("/") + 1);

function resultOf(results: readonly Result[], row: string): Result {
  return rowOf(results, row.split("/")[0] ?? "", subjectOf(row));
}
