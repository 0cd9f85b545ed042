/** `list`: everything of every origin in the subscriptions of the caller. */
import type { RenderAdvice } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { printDocument } from "../render/document.js";
import { sentence } from "../render/wrapped.js";
import { table } from "../render/table.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import { countsOf, kindLabels, nameOf, type Finding, type Kind } from "./domain/finding.js";
import { createdAt, findingsIn, locationOf, managementClusterOf, setOf } from "./origins/findings.js";
import type { Estate } from "./domain/estate.js";
import { readCredentialEnds } from "./reading/credential-ends.js";
import { readEstate } from "./reading/read-estate.js";
import { showUnread, unreadJson } from "./unread.js";

const command = "list";
const dayMs = 86_400_000;
/** A rotation takes a moment, but a change window may be weeks away. */
const soonDays = 30;

interface Shown {
  readonly finding: Finding;
  readonly createdAt: Date | undefined;
  readonly set: string | undefined;
  readonly managementCluster: string | undefined;
  readonly credentialsEnd: Date | undefined;
}

/** `argument`: the kind to list; all by default. */
export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort, argument?: string): Promise<number> {
  const connection = { subscription: undefined, subscriptionOptional: true } as const;
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) => {
    const estate = await readEstate(azure, settings.subscriptions, context.signal);
    const all = findingsIn(estate);
    const asked = all.filter(({ kind }) => argument === undefined || kind === (argument as Kind));
    const ends = await readCredentialEnds(azure, asked, context.signal);
    const sets = all.filter(({ kind }) => kind === "identities");
    const managementClusters = new Map(sets.map((set) => [set, managementClusterOf(set, all, estate)?.name]));
    const shown = asked.map((finding) => {
      const set = finding.kind === "clusters" ? setOf(finding, all) : undefined;
      return {
        ...{ finding, createdAt: createdAt(finding), set: set?.name, credentialsEnd: ends.of(finding) },
        managementCluster: set && managementClusters.get(set),
      };
    });
    const unread = [...estate.unread, ...ends.unread];
    if (settings.output === "json") printDocument(context.result, document({ ...estate, unread }, shown, context.renderAdvice));
    else print({ ...estate, unread }, shown, context);
    return unread.length === 0 ? exitCodes.done : exitCodes.incomplete;
  });
}

function document({ subscriptions, unread }: Estate, shown: readonly Shown[], renderAdvice: RenderAdvice) {
  return {
    ok: unread.length === 0,
    command,
    subscriptions: subscriptions.map(({ id, name, state }) => ({ id, name, state })),
    unread: unreadJson(unread, renderAdvice),
    findings: shown.map(({ finding, createdAt: created, set, managementCluster, credentialsEnd }) => ({
      kind: finding.kind,
      name: finding.name,
      infraID: finding.infraId,
      origin: finding.origin,
      version: finding.version,
      subscriptionID: finding.subscriptionId,
      location: locationOf(finding),
      createdAt: created?.toISOString(),
      identitiesName: set,
      managementCluster,
      credentialsEnd: credentialsEnd?.toISOString(),
      missing: finding.missing,
      unready: finding.entries.flatMap(({ id, unready }) => (unready === undefined ? [] : [{ resourceID: id, state: unready }])),
      resourceIDs: finding.entries.map(({ id }) => id),
      roleAssignments: finding.assignments.length,
    })),
  };
}

function print({ subscriptions, unread }: Estate, shown: readonly Shown[], context: RunContext): void {
  const { result } = context;
  const now = context.port.clock.now();
  for (const { id, name, state } of subscriptions) {
    const own = shown.filter(({ finding }) => finding.subscriptionId === id);
    if (own.length === 0) continue;
    result.print(`${name} (${id})${state === "Enabled" ? "" : `, ${state}`}`);
    result.show(
      table(
        result,
        ["KIND", "NAME", "ORIGIN", "LOCATION", "AGE", "STATE"],
        own.map((one) => rowOf(one, now)),
      ),
    );
    result.print("");
  }
  result.print(sentence(result, `${countsOf(shown.map(({ finding }) => finding))} in ${plural(subscriptions.length, "subscription")}`));
  showUnread(unread, context);
}

function rowOf({ finding, createdAt: created, set, managementCluster, credentialsEnd }: Shown, now: Date): string[] {
  const { kind, name, origin, missing } = finding;
  const days = credentialsEnd === undefined ? Infinity : Math.floor((credentialsEnd.getTime() - now.getTime()) / dayMs);
  return [
    kindLabels[kind],
    nameOf(finding),
    origin,
    locationOf(finding) ?? "",
    created === undefined ? "" : ageOf(now.getTime() - created.getTime()),
    [
      missing.length === 0 ? "whole" : `no ${missing.join(", no ")}`,
      ...unreadyTexts(finding),
      ...(set === undefined || set === name ? [] : [`set ${set}`]),
      ...(managementCluster === undefined ? [] : [`on ${managementCluster}`]),
      ...(days < 0 ? ["a credential has ended"] : days <= soonDays ? [`a credential ends in ${plural(days, "day")}`] : []),
    ].join("; "),
  ];
}

/** "1 resource Failed" for each state. */
function unreadyTexts({ entries }: Finding): string[] {
  const states = entries.flatMap(({ unready }) => unready ?? []);
  return [...new Set(states)].map((state) => `${plural(states.filter((one) => one === state).length, "resource")} ${state}`);
}

function ageOf(ms: number): string {
  const days = Math.floor(ms / dayMs);
  return days < 1 ? "today" : plural(days, "day");
}
