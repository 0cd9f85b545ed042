/** All check instances of a public DNS zone: its resources, its delegation, ExternalDNS, and obstacles. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../../azure/azure.js";
import { listDenyAssignments } from "../../azure/deny-assignments.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { resourceOf, type Step } from "../../engine/step.js";
import { advise, joinAdvice, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import type { DnsZoneOutput } from "../steps.js";
import type { PodIdentity } from "../../steps/pod-identity.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { checkDenials } from "../../verify/denied-roles.js";
import { fromDecision } from "../../verify/from-plan.js";
import { liveOf } from "../../verify/planned-step.js";
import { checkLocks } from "../../verify/locks.js";
import { conformance, linksOf, type ResourceLinks } from "../../verify/planned-resources.js";
import { zoneDelegated } from "../../verify/zone-delegation.js";
import { dnsZoneChecks } from "./checks.js";
import { principalCheck, secretChecks } from "./service-principal.js";
import { checkPlanned, dnsZoneSnapshot, type DnsZoneSnapshot, type GivenDnsZone } from "./snapshot.js";
import { issuerChecks } from "./workload-identity.js";
import { orRefused } from "../../azure/or-refused.js";
import { parentZonesOf } from "../../domain/dns-zone.js";
import { groupNameOf } from "../../domain/resource-id.js";
import { hiddenText, recordsAround } from "../../steps/hidden-records.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";

type Named = Readonly<Record<string, CheckInstance>>;

/** The instances, in the order of the report. */
export function dnsZoneCheckInstances(azure: Azure, given: GivenDnsZone): CheckInstance[] {
  const snapshot = dnsZoneSnapshot(azure, given);
  const { graph } = given;
  const resources = linksOf(
    snapshot,
    graph.steps.filter((step) => !hasOwnChecks(step)),
  );
  const zone = resources.get(graph.zone.id);
  if (zone === undefined) throw new Failure("ARO-BUG-001", "no DNS zone to verify");
  const ofResources = [...resources.values()].flatMap((links) => [
    ...links.instances,
    ...conformance(snapshot, links, existsIn(resources, links.step)),
  ]);
  return [
    ...ofResources,
    ...delegationChecks(snapshot, zone),
    ...(graph.externalDns ? externalDnsChecks(snapshot, graph.externalDns, resources, zone) : []),
    lockCheck(snapshot, zone),
  ];
}

/** Records are part of a zone, and credentials of an identity: to have one is not enough. */
function hasOwnChecks(step: Step<unknown>): boolean {
  const type = resourceOf(step)?.type;
  return type === resourceTypes.nameServerRecord.type || type === resourceTypes.federatedIdentityCredential.type;
}

function existsIn(resources: ReadonlyMap<string, ResourceLinks>, { needs }: Step<unknown>): Named {
  return Object.fromEntries(needs.flatMap((id) => resources.get(id) ?? []).map(({ step, exists }) => [step.id, exists]));
}

function delegationChecks(snapshot: DnsZoneSnapshot, zone: ResourceLinks): CheckInstance[] {
  const { azure, spec, create, graph } = snapshot;
  const delegated = checkInstance(dnsZoneChecks["zone-delegated"], zone.subject, { zone: zone.exists }, async ({ zone: seen }) => {
    const finding = await zoneDelegated(azure, spec.zoneName, [liveOf<Zone>(seen)], graph.listed);
    const decision = snapshot.planned(graph.delegation.id)?.decision;
    if (finding.passed !== false || decision === undefined) return finding;
    // NS records that hide others are not advised.
    if (decision.act === "refuse") return fromDecision(decision, create);
    const isWritten = decision.act === "create" || decision.act === "update";
    return isWritten ? { ...finding, next: advise`${create} writes the NS records` } : finding;
  });
  const asWanted = checkInstance(dnsZoneChecks["delegation-as-wanted"], graph.delegation.title, { delegated }, () =>
    checkPlanned(snapshot, graph.delegation, `as ${create.run} writes them, or of another owner`),
  );
  const hidden = checkInstance(dnsZoneChecks["hidden-records"], graph.delegation.title, { delegated }, () => noneHidden(snapshot));
  return [delegated, asWanted, hidden];
}

/** A managed identity is one of the resources; an application is not. */
function externalDnsChecks(
  snapshot: DnsZoneSnapshot,
  externalDns: PodIdentity,
  resources: ReadonlyMap<string, ResourceLinks>,
  zone: ResourceLinks,
): CheckInstance[] {
  const { identity, holder, secret } = externalDns;
  const managed = resources.get(identity.id);
  const principal = managed?.exists ?? principalCheck(snapshot, externalDns);
  const roles = snapshot.graph.steps
    .filter(({ subject }) => subject?.kind === "role-assignment")
    .map((step) =>
      checkInstance(dnsZoneChecks["role-assigned"], step.title, { ...existsIn(resources, step), principal }, () =>
        checkPlanned(snapshot, step, "assigned"),
      ),
    );
  const denied = checkInstance(dnsZoneChecks["deny-assignments"], zone.subject, { zone: zone.exists, principal }, async () => {
    const all = await listDenyAssignments(snapshot.azure, snapshot.spec.subscriptionId);
    const { id: scope } = snapshot.planned(zone.step.id)?.output?.value as DnsZoneOutput;
    const objectId = holder.objectIdIn(snapshot.planned(holder.step.id)?.output?.value);
    return checkDenials(all, [{ component: "ExternalDNS", objectId, scope, permissions: zoneActions }], [scope]);
  });
  return [
    ...(managed ? issuerChecks(snapshot, managed) : [principal]),
    ...roles,
    ...(secret ? secretChecks(snapshot, { identity, secret, principal, zone, roles }) : []),
    denied,
  ];
}

/** What DNS Zone Contributor allows in the zone. */
const zoneActions = [{ actions: ["Microsoft.Network/dnsZones/*"] }];

function lockCheck({ azure, spec, plan }: DnsZoneSnapshot, zone: ResourceLinks): CheckInstance {
  const ids = plan.steps.flatMap(({ step: { resourceId } }) => resourceId ?? []);
  return checkInstance(dnsZoneChecks["no-locks"], zone.subject, {}, () =>
    checkLocks(azure, spec.subscriptionId, ids, "ExternalDNS deletes records, or you destroy the zone"),
  );
}

/** After the check of the delegation, which finds the parent zone. */
async function noneHidden({ azure, spec: { zoneName }, graph }: DnsZoneSnapshot): Promise<Finding<undefined>> {
  const [parent] = parentZonesOf((await orRefused(graph.listed())) ?? [], zoneName);
  const around = parent && (await recordsAround(azure, parent, zoneName));
  if (around === undefined) return notChecked("the signed-in principal has no permission to list the records of the parent zone");
  const { id = "", name = "" } = parent ?? {};
  const { hidden, delegatedAbove } = around;
  if (delegatedAbove !== undefined)
    return failed(
      `${delegatedAbove}, so no resolver finds the delegation of ${zoneName} in zone ${name}`,
      `the owner of that zone must delegate ${zoneName} to its name servers`,
    );
  if (hidden.length === 0) return passed(`zone ${name} has no other record at or below ${zoneName}`);
  const deletions = hidden.map(({ kind, name: record }) => {
    const flags = ["--resource-group", groupNameOf(id) ?? "", "--zone-name", name, "--name", record];
    return shell`az network dns record-set ${kind.toLowerCase()} delete ${flags} --yes`;
  });
  return failed(
    `zone ${name} contains ${hiddenText(hidden)}, which no resolver finds any more`,
    advise`copy to zone ${zoneName} what is still needed, and delete the others: ${joinAdvice(deletions, ", ")}`,
  );
}
