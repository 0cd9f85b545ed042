/** The page of `--output-report`: what a command did, what it found, and what to do next. */
import { clouds } from "../azure/cloud.js";
import type { RunResult } from "../engine/run-result.js";
import type { RenderAdvice } from "../errors/advice.js";
import type { Failure } from "../errors/failure.js";
import { failureLines, failuresByReason } from "../errors/format.js";
import { duration } from "../render/duration.js";
import type { Fact } from "../render/facts.js";
import { isWork } from "../render/progress.js";
import { verdictOf } from "../render/report/check-results.js";
import { reportPage } from "../render/report/page.js";
import type { Verdict } from "../render/report/states.js";
import type { Timeline } from "../render/report/timeline.js";
import { runCounts } from "../render/summary.js";
import { countsText } from "../render/vocabulary.js";
import { endOf, itemsOfRun, resourceKinds } from "./reported-resources.js";
import { version } from "./package-version.js";
import { isDone, type ReportInput, type ReportParts } from "./report-parts.js";
import { rfc3339 } from "../text/rfc3339.js";

export function runPage(known: ReportInput, renderAdvice: RenderAdvice): string {
  const { settings, typed, parts, startedAt, elapsedMs } = known;
  const { command, infraId, name } = settings;
  const { run, results, drawing, planned } = parts;
  const place = parts.place ?? parts.connectedTo;
  const failures = [...(run?.failures ?? []), ...(parts.failures ?? [])];
  const groups = failuresByReason(failures);
  const portal = Object.entries(clouds).find(([cloud]) => cloud === place?.cloud)?.[1].portal;
  const items = run ? itemsOfRun(run.result, run.sections, run.kept) : (planned?.() ?? []);
  const facts: readonly Fact[] = [
    ["command", typed],
    ["started", rfc3339(startedAt)],
    ["took", duration(elapsedMs)],
    ...(place?.facts ?? []),
    ["version", version],
  ];
  return reportPage({
    title:
      parts.title?.replace(/^./, (letter) => letter.toUpperCase()) ?? [command, run?.subject ?? infraId ?? name].filter(Boolean).join(" "),
    facts,
    verdict: verdict(command, parts, failures),
    failures: groups.map(([failure, ...alike], index) => {
      const done = index === groups.length - 1 ? run?.done : undefined;
      return failureLines(
        failure,
        renderAdvice,
        done,
        alike.map(({ message }) => message),
      );
    }),
    notes: known.notes,
    results,
    drawing: drawing?.(),
    timeline: run && timelineOf(known, run.result),
    resources: {
      title: run ? "Resources" : "Plan",
      words: run ? "Result" : "Action",
      kinds: resourceKinds(items, (id) => portalPage(portal, place?.tenantId, id)),
    },
    written: run?.written ?? [],
    next: run?.next ?? [],
  });
}

export function verdict(command: string, { run, results, planned }: ReportParts, failures: readonly Failure[]): Verdict {
  if (run) {
    const { subject, result, done } = run;
    const counts = runCounts(run);
    return isDone(run)
      ? { state: "passed", sentence: `${command} ${subject} is done in ${duration(result.elapsedMs)}`, detail: counts }
      : { state: "failed", sentence: `${command} ${subject} did not complete`, detail: `${counts}; ${done}` };
  }
  if (failures.length > 0)
    return { state: "failed", sentence: `${command} failed`, detail: planned ? "nothing was changed" : "the command has no result" };
  if (results) return verdictOf(results);
  const acts = planned?.().map(({ word }) => word) ?? [];
  const counts = Object.fromEntries([...new Set(acts)].map((act) => [`to ${act}`, acts.filter((one) => one === act).length]));
  return { state: "passed", sentence: "This is a plan: nothing was changed", detail: countsText(counts) };
}

/** Shows only steps that had something to do. */
function timelineOf({ waits, usualMs }: ReportInput, { steps, criticalPath, elapsedMs }: RunResult): Timeline {
  const critical = new Set(criticalPath);
  return {
    elapsedMs,
    steps: steps.flatMap((step) => {
      const { id, title, act, startedMs, endedMs } = step;
      if (startedMs === undefined || endedMs === undefined || !isWork(act)) return [];
      const timed = { startedMs, endedMs, waits: waits.of(id, endedMs - startedMs), usualMs: usualMs.get(id) };
      return [{ title, ...endOf(step), ...timed, isCritical: critical.has(id) }];
    }),
  };
}

/** The address of a resource in the Azure portal. A part of a resource has the page of the whole resource, and a role assignment has the list of its scope. */
export function portalPage(portal: string | undefined, tenantId: string | undefined, id: string): string | undefined {
  const [scope = "", assignment] = id.split(/\/providers\/Microsoft\.Authorization\//i);
  const [whole] = /^\/subscriptions\/[^/]+(?:\/resourceGroups\/[^/]+(?:\/providers\/[^/]+\/[^/]+\/[^/]+)?)?/i.exec(scope) ?? [];
  if (portal === undefined || whole === undefined) return undefined;
  return `${portal}/#${tenantId === undefined ? "" : `@${tenantId}/`}resource${whole}${assignment === undefined ? "" : "/users"}`;
}
