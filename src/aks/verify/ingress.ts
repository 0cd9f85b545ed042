/** Checks of the ingress of an AKS cluster: inbound rules, hostnames, and the delegation of their zone. */
import type { RecordSet } from "@azure/arm-dns";
import type { SecurityRule } from "@azure/arm-network";
import { advise, shell } from "../../errors/advice.js";
import type { PlannedStep } from "../../engine/plan.js";
import { inboundRules, ruleAllows, ruleDifferences, securityRuleBody, type InboundRule, type RuleTarget } from "../domain/ingress-rules.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { SecurityRuleBody } from "../../domain/security-rule.js";
import type { AddressOutput } from "../steps/public-address.js";
import type { RegionalZoneOutput } from "../steps/regional-zone.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { changesText } from "../../verify/from-plan.js";
import { liveOf } from "../../verify/planned-step.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { zoneDelegated } from "../../verify/zone-delegation.js";
import { aksChecks } from "./checks.js";
import type { AksSnapshot } from "./snapshot.js";

/** The ingress addresses by purpose. */
export type IngressLinks = Readonly<Partial<Record<"ingress" | "ops", ResourceLinks>>>;

/** The checks of each rule. `group` is the network security group, `rules` the step of all its rules. */
export function ruleChecks(
  snapshot: AksSnapshot,
  rules: ResourceLinks,
  group: ResourceLinks,
  addresses: IngressLinks,
): Readonly<Record<string, CheckInstance>> {
  const { spec } = snapshot;
  const wanted = inboundRules(spec.cluster.kind, spec.ingress);
  return Object.fromEntries(
    wanted.map((rule) => {
      const address = rule.target === "any" ? undefined : addresses[rule.target];
      const needs = { rules: rules.exists, group: group.exists, ...(address && { address: address.exists }) };
      const check = checkInstance(aksChecks["security-rule"], ruleTitle(rule), needs, ({ rules: seen, address: at }) =>
        checkRule(snapshot, rule, liveOf<readonly SecurityRule[]>(seen) as readonly SecurityRuleBody[], destinationOf(rule.target, at), {
          groupId: idIn(snapshot, group),
        }),
      );
      return [rule.name, check];
    }),
  );
}

function ruleTitle({ name }: InboundRule): string {
  return `security rule ${name}`;
}

function idIn(snapshot: AksSnapshot, { step }: ResourceLinks): string {
  const output = snapshot.planned(step.id)?.output?.value as { readonly id: string } | undefined;
  return output?.id ?? "";
}

/** Undefined if the address is not known. */
function destinationOf(target: RuleTarget, address: PlannedStep | undefined): string | undefined {
  return target === "any" ? "*" : (address?.output?.value as AddressOutput | undefined)?.ipAddress;
}

function checkRule(
  { spec, create }: AksSnapshot,
  rule: InboundRule,
  live: readonly SecurityRuleBody[],
  destination: string | undefined,
  { groupId }: { readonly groupId: string },
): Finding<undefined> {
  if (destination === undefined) return notChecked("Azure does not show the IP address that it opens");
  const body = securityRuleBody(rule, destination);
  const named = live.find(({ name }) => sameText(name, rule.name));
  const isExisting = spec.existing.networkSecurityGroupId !== undefined;
  const opens = isExisting ? live.find((one) => ruleAllows(one, body)) : named;
  const text = `${body.sourceAddressPrefix} to ${destination}, port ${rule.port}`;
  const { resourceGroup = "", name: group = "" } = groupId === "" ? {} : parseResourceId(groupId);
  const inGroup = ["--resource-group", resourceGroup, "--nsg-name", group];
  if (opens === undefined) {
    const sides = ["--source-address-prefixes", rule.source, "--destination-address-prefixes", destination];
    const ports = ["--destination-port-ranges", rule.port, "--protocol", "Tcp"];
    return failed(
      `no rule lets ${text} in: the network security group denies it`,
      isExisting
        ? advise`${shell`az network nsg rule create ${inGroup} --name ${rule.name} --priority ${rule.priority} ${sides} ${ports}`}, because an existing group is never changed`
        : advise`${create} adds it`,
    );
  }
  const differences = isExisting ? [] : ruleDifferences(opens, body);
  if (differences.length > 0)
    return failed(changesText(differences.map(({ property: path, from, to }) => ({ path, from, to }))), advise`${create} fixes it`);
  const denying = live.find((one) => denies(one, opens.priority, body));
  if (denying === undefined) return passed(`${text}, by rule ${opens.name ?? rule.name} with priority ${String(opens.priority)}`);
  return failed(
    `${quoted(denying)} denies ${text}, before ${quoted(opens)} allows it`,
    advise`if its owner agrees, delete it: ${shell`az network nsg rule delete ${inGroup} --name ${denying.name ?? ""}`}`,
  );
}

function quoted({ name = "", priority }: SecurityRuleBody): string {
  return `rule "${name}" of priority ${String(priority)}`;
}

/** Whether a rule stops all of the wanted traffic before the rule of that priority. */
function denies(rule: SecurityRuleBody, priority: number, body: ReturnType<typeof securityRuleBody>): boolean {
  return sameText(rule.access, "Deny") && rule.priority < priority && ruleAllows({ ...rule, access: "Allow" }, body);
}

/** The A record of one hostname; `address`: the one that the settings give it. */
export function recordCheck(snapshot: AksSnapshot, record: ResourceLinks, address: ResourceLinks): CheckInstance<undefined> {
  const needs = { record: record.sound, address: address.exists };
  return checkInstance(aksChecks["record-address"], record.subject, needs, ({ record: seen, address: at }) => {
    const wanted = (at.output?.value as AddressOutput | undefined)?.ipAddress;
    const { aRecords = [], targetResource } = liveOf<RecordSet>(seen);
    const found = aRecords.map(({ ipv4Address = "" }) => ipv4Address);
    if (wanted === undefined) return notChecked("Azure does not show the IP address of the ingress");
    if (found.length === 1 && found[0] === wanted && targetResource?.id === undefined) return passed(wanted);
    const has = targetResource?.id ?? (found.join(", ") || "no address");
    return failed(`it is at ${has}, and the ingress at ${wanted}: clients reach something else`, advise`${snapshot.create} fixes it`);
  });
}

export function delegationCheck({ azure, spec }: AksSnapshot, zone: ResourceLinks): CheckInstance<undefined> {
  const name = spec.ingress?.domain?.zone ?? "";
  return checkInstance(aksChecks["zone-delegated"], titleOf(resourceTypes.publicDnsZone, name), { zone: zone.exists }, ({ zone: seen }) => {
    const { nameServers } = seen.output?.value as RegionalZoneOutput;
    return zoneDelegated(azure, name, [{ location: "global", name, nameServers: [...nameServers] }]);
  });
}
