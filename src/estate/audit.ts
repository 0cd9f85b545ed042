/** `audit`: everything that may be left over, with what proves it and what speaks against it. Changes nothing. */
import { exitCodes } from "../errors/exit-codes.js";
import { aroHcp, shell, type Command } from "../errors/advice.js";
import { parseResourceId } from "../domain/resource-id.js";
import { printDocument } from "../render/document.js";
import { printable } from "../render/printable.js";
import { hanging, sentence } from "../render/wrapped.js";
import type { ProcessPort } from "../run/process-port.js";
import type { RunContext } from "../run/run-context.js";
import { withConnection } from "../run/with-connection.js";
import type { Resolved } from "../settings/settings.js";
import { plural } from "../text/plural.js";
import {
  candidateKinds,
  candidateLabels,
  keptBecause,
  verdictOf,
  type Candidate,
  type CandidateKind,
  type Verdict,
} from "./domain/candidate.js";
import { auditedCandidates } from "./candidates/audited.js";
import { candidatesIn } from "./candidates/candidates.js";
import { readEvidence } from "./reading/evidence.js";
import { readEstate } from "./reading/read-estate.js";
import { showUnread, unreadJson } from "./unread.js";

const command = "audit";

/** `argument`: the kind to audit; all by default. */
export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort, argument?: string): Promise<number> {
  const connection = { subscription: undefined, subscriptionOptional: true } as const;
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) => {
    const { signal, renderAdvice, result } = context;
    const estate = await readEstate(azure, settings.subscriptions, signal, { newest: true });
    const evidence = await readEvidence(azure, estate, signal);
    const audited = await auditedCandidates(azure, evidence, signal);
    const unread = [...evidence.unread, ...audited.unread];
    const candidates = [...(await candidatesIn(evidence, settings.infraIds)), ...audited.candidates]
      .filter(({ kind }) => argument === undefined || kind === (argument as CandidateKind))
      .toSorted((a, b) => candidateKinds.indexOf(a.kind) - candidateKinds.indexOf(b.kind));
    if (settings.output === "json") {
      printDocument(result, {
        ok: unread.length === 0,
        command,
        candidates: candidates.map((one) => candidateJson(one, renderAdvice(removalCommand(one, settings.infraIds)).replaceAll("`", ""))),
        unread: unreadJson(unread, renderAdvice),
      });
    } else print(candidates, context);
    if (settings.output !== "json") showUnread(unread, context);
    const isUnknown = candidates.some((one) => verdictOf(one) === "unknown");
    return unread.length === 0 && !isUnknown ? exitCodes.done : exitCodes.incomplete;
  });
}

function candidateJson(candidate: Candidate, remove: string) {
  const { kind, id, title, subscriptionId, changedAt, madeBy, unused, objections, unknown, takes, owner, assignment } = candidate;
  return {
    ...{ kind, id, title, verdict: verdictOf(candidate) },
    subscriptionID: subscriptionId,
    changedAt: changedAt?.toISOString(),
    ...{ madeBy, unused, objections, unknown, takes, owner },
    createdBy: assignment?.createdBy,
    remove,
  };
}

/** Removes it, or fixes it. */
function removalCommand(candidate: Candidate, givenInfraIds: readonly string[]): Command {
  const { kind, id, owner = "", purgeAs, cluster, appId = "" } = candidate;
  if (verdictOf(candidate) === "sweep") {
    const isGiven = givenInfraIds.includes(owner);
    return aroHcp("sweep", { ...(purgeAs !== undefined && { purgeNames: [purgeAs] }), ...(isGiven && { infraIds: [owner] }) });
  }
  const { subscriptionId, name } = id.startsWith("/subscriptions/") ? parseResourceId(id) : { subscriptionId: "", name: "" };
  switch (kind) {
    case "role-assignments":
      return shell`az role assignment delete --ids ${id}`;
    case "resource-groups":
      if (cluster !== undefined) return aroHcp("destroy infra", { ...cluster, subscription: subscriptionId });
      return shell`az group delete --name ${name} --subscription ${subscriptionId}`;
    case "dns-zones":
      return cluster === undefined
        ? shell`az resource delete --ids ${id}`
        : aroHcp("destroy infra", { ...cluster, subscription: subscriptionId });
    case "applications":
      return shell`az ad app delete --id ${appId}`;
    case "deleted-applications":
      return shell`az rest --method DELETE --url ${`https://graph.microsoft.com/v1.0/directory/deletedItems/${id}`}`;
    case "deleted-vaults":
      return shell`az keyvault purge --name ${purgeAs ?? name} --subscription ${subscriptionId}`;
    case "oidc-issuers":
      return aroHcp("destroy oidc-issuer", { name: owner });
    case "credentials":
      return aroHcp("rotate credentials", { identitiesName: owner });
    case "delegations":
      return shell`az network dns record-set ns delete --ids ${id}`;
    case "managed-identities":
    case "federated-credentials":
      return shell`az resource delete --ids ${id}`;
    case "role-definitions":
      return shell`az role definition delete --name ${id.slice(id.lastIndexOf("/") + 1)} --scope ${`/subscriptions/${candidate.subscriptionId ?? ""}`}`;
  }
}

const headings: Readonly<Record<Verdict, string>> = {
  sweep: "Left over: a known tool made it, and nobody uses it",
  audit: "Not proved: look at it before you delete it",
  unknown: "Unknown: something that decides could not be read",
};

function print(candidates: readonly Candidate[], { result, renderAdvice }: RunContext): void {
  for (const verdict of ["sweep", "audit", "unknown"] as const) {
    const alike = candidates.filter((one) => verdictOf(one) === verdict);
    if (alike.length === 0) continue;
    result.print(headings[verdict]);
    for (const { why, some } of byReason(alike)) {
      result.print(hanging(result, "  ", 2, printable(`${counted(some)}: ${why}`)).join("\n"));
      for (const { title } of some.slice(0, mostShown)) result.print(hanging(result, "    ", 4, printable(title)).join("\n"));
      if (some.length > mostShown) result.print(`    and ${String(some.length - mostShown)} more`);
    }
    result.print("");
  }
  const swept = candidates.filter((one) => verdictOf(one) === "sweep").length;
  result.print(
    sentence(
      result,
      `${plural(candidates.length, "candidate")}, ${String(swept)} left over; \`--output json\` has their IDs and all reasons`,
    ),
  );
  if (swept > 0) result.print(sentence(result, `remove what is left over: ${renderAdvice(aroHcp("sweep"))}`));
}

const mostShown = 3;

/** What is kept or swept for the same reason is one paragraph. What a reason names follows its colon. */
function byReason(candidates: readonly Candidate[]): readonly { readonly why: string; readonly some: readonly Candidate[] }[] {
  const found = new Map<string, { readonly why: string; readonly some: Candidate[] }>();
  for (const one of candidates) {
    const why = (keptBecause(one) ?? one.unused ?? "").replace(/: [^;]*/g, "");
    const alike = found.get(`${one.kind} ${why}`);
    if (alike) alike.some.push(one);
    else found.set(`${one.kind} ${why}`, { why, some: [one] });
  }
  return [...found.values()];
}

/** "530 role assignments" */
function counted(candidates: readonly Candidate[]): string {
  const counts = candidateKinds.flatMap((kind) => {
    const count = candidates.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [plural(count, candidateLabels[kind])];
  });
  return counts.join(", ");
}
