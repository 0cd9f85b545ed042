/** The inbound rules of an AKS cluster's network security group, written one by one beside those of others. */
import type { SecurityRule } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import { defineLookup, defineStep, type Change, type Decision, type Step } from "../../engine/step.js";
import { advise, blank, shell } from "../../errors/advice.js";
import {
  ruleAllows,
  ruleAtPriority,
  ruleDifferences,
  securityRuleBody,
  type InboundRule,
  type RuleTarget,
} from "../domain/ingress-rules.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { SecurityRuleBody } from "../../domain/security-rule.js";
import { sameText } from "../../text/same-text.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import { refuse } from "../../steps/ownership-decision.js";
import type { AksContext } from "./context.js";
import type { AddressOutput } from "./public-address.js";

const { securityRule: row, networkSecurityGroup: groupRow } = resourceTypes;

/** The group whose rules they are. */
interface SecurityGroup {
  readonly id: string;
}

/** The steps of the addresses that the rules open. */
export interface RuleAddresses {
  readonly ingress?: Step<AddressOutput> | undefined;
  readonly ops?: Step<AddressOutput> | undefined;
}

interface WantedRule {
  readonly rule: InboundRule;
  readonly body: ReturnType<typeof securityRuleBody>;
}

/** Stands for an address that Azure has not chosen yet. */
const newAddress = "the new address";

export interface RuleOptions {
  /** The group is not the cluster's. Its rules are then its owner's: they are compared, and never written. */
  readonly isExisting: boolean;
  /** The step of the network that the group is attached to: Azure refuses to attach a group while it is being changed. */
  readonly after: Step<unknown>;
  /** The security group, if its own step has just read it. */
  readonly justRead: AksContext["securityGroup"];
}

type Needs = {
  readonly group: Step<SecurityGroup>;
  readonly after: Step<unknown>;
  readonly ingress?: Step<AddressOutput>;
  readonly ops?: Step<AddressOutput>;
};
type Outputs = { readonly group: SecurityGroup; readonly ingress?: AddressOutput; readonly ops?: AddressOutput };

export function securityRules(
  azure: Azure,
  rules: readonly InboundRule[],
  group: Step<SecurityGroup>,
  { ingress, ops }: RuleAddresses,
  { isExisting, after, justRead }: RuleOptions,
): Step<unknown> {
  const needs: Needs = { group, after, ...(ingress && { ingress }), ...(ops && { ops }) };
  const wantedBy = (outputs: Outputs) => rules.map((rule) => wantedRule(rule, outputs));
  const read = async ({ group: { id } }: Outputs): Promise<readonly SecurityRule[] | undefined> => {
    const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
    const live =
      (await justRead.take()) ?? (await found((await azure.network(subscriptionId)).networkSecurityGroups.get(resourceGroup, name)));
    return live && (live.securityRules ?? []);
  };
  const common = {
    id: row.use.step,
    title: `${row.label} of ${group.title}`,
    needs,
    read,
  } as const;
  if (isExisting) {
    return defineLookup({
      ...common,
      subject: { kind: "resource", type: row.type, existing: true },
      decide: (live, outputs: Outputs) => decideExisting(live ?? [], wantedBy(outputs), outputs.group.id),
      output: () => undefined,
    });
  }
  return defineStep({
    ...common,
    subject: { kind: "resource", type: row.type },
    // That of the first rule stands for all.
    resourceId: group.resourceId && `${group.resourceId}/securityRules/${rules[0]?.name ?? ""}`,
    within: "group",
    wanted: (outputs: Outputs) => ({ securityRules: wantedBy(outputs).map(({ rule: { name }, body }) => ({ name, ...body })) }),
    decide: (live, outputs: Outputs) => decideOwn(live ?? [], wantedBy(outputs), outputs.group.id),
    async apply(live, outputs: Outputs): Promise<readonly SecurityRule[]> {
      const { resourceGroup = "", name } = parseResourceId(outputs.group.id);
      const client = (await azure.network()).securityRules;
      const written: SecurityRule[] = [...(live ?? [])];
      const write = async (ruleName: string, body: SecurityRule) => {
        const before = named(written, ruleName);
        const after = await finish(azure, expectedDuration("PUT", groupRow.type), (options) =>
          client.beginCreateOrUpdate(resourceGroup, name, ruleName, body, ifUnchanged(before?.etag, options)),
        );
        written.splice(before === undefined ? written.length : written.indexOf(before), 1, after);
      };
      const all = wantedBy(outputs);
      // One after the other: Azure cancels a write to the group while another one runs.
      for (const { rule, body } of all.filter((one) => changesOf(named(written, one.rule.name), one).length > 0)) {
        // Somebody gave the priority to another of these rules, which makes room without a moment in which it is missing.
        const other = ruleAtPriority(written as readonly SecurityRuleBody[], rule);
        const moved = all.find((one) => sameText(one.rule.name, other?.name));
        if (moved !== undefined) await write(moved.rule.name, { ...moved.body, priority: freePriority(written) });
        await write(rule.name, body);
      }
      return written;
    },
    output: () => undefined,
  });
}

/** The last priority that Azure accepts, or the nearest one before it that no inbound rule has. */
function freePriority(rules: readonly SecurityRule[]): number {
  const taken = new Set(rules.filter(({ direction }) => sameText(direction, "Inbound")).map(({ priority }) => priority));
  let free = 4096;
  while (taken.has(free)) free -= 1;
  return free;
}

function wantedRule(rule: InboundRule, outputs: Outputs): WantedRule {
  return { rule, body: securityRuleBody(rule, destinationOf(rule.target, outputs)) };
}

function destinationOf(target: RuleTarget, { ingress, ops }: Outputs): string {
  if (target === "any") return "*";
  return (target === "ops" ? ops : ingress)?.ipAddress ?? newAddress;
}

function decideOwn(live: readonly SecurityRule[], wanted: readonly WantedRule[], groupId: string): Decision {
  for (const { rule } of wanted) {
    const other = ruleAtPriority(live as readonly SecurityRuleBody[], rule);
    if (other !== undefined && !wanted.some(({ rule: { name } }) => sameText(name, other.name)))
      return refusePriority(rule, other, groupId);
  }
  const changes = wanted.flatMap((one) => changesOf(named(live, one.rule.name), one));
  if (changes.length === 0) return { act: "keep" };
  const isNew = wanted.every(({ rule: { name } }) => named(live, name) === undefined);
  return isNew ? { act: "create" } : { act: "update", why: "it differs", changes };
}

function changesOf(live: SecurityRule | undefined, { rule: { name }, body }: WantedRule): Change[] {
  const path = `securityRules[${name}]`;
  if (live === undefined) return [{ path, from: undefined, to: `${body.sourceAddressPrefix} to ${body.destinationAddressPrefix}` }];
  return ruleDifferences(live as SecurityRuleBody, body).map(({ property, from, to }) => ({ path: `${path}.${property}`, from, to }));
}

function refusePriority({ name, priority }: InboundRule, other: SecurityRuleBody, groupId: string): Decision {
  const { resourceGroup = "", name: groupName } = parseResourceId(groupId);
  const otherName = other.name ?? "";
  const move = shell`az network nsg rule update --resource-group ${resourceGroup} --nsg-name ${groupName} --name ${otherName} --priority ${blank("free-priority")}`;
  return refuse(
    "ARO-OWN-003",
    `rule "${otherName}" of ${quotedTitleOf(groupRow, groupName)} has priority ${String(priority)}, which rule "${name}" needs`,
    {
      because: "two rules of one direction cannot have the same priority, and rules of others are never changed",
      next: [advise`give that rule another priority: ${move}`],
    },
  );
}

/** The rules that the group of the user lacks, with the commands that add them. */
function decideExisting(live: readonly SecurityRule[], wanted: readonly WantedRule[], groupId: string): Decision {
  const lacking = wanted.filter(({ body }) => !live.some((rule) => ruleAllows(rule as SecurityRuleBody, body)));
  const isPlanned = lacking.some(({ body }) => body.destinationAddressPrefix === newAddress);
  if (lacking.length === 0 || isPlanned) return { act: "use" };
  const { resourceGroup = "", name } = parseResourceId(groupId);
  const commands = lacking.map(({ rule, body }) => {
    const [from, to] = ["--source-address-prefixes", "--destination-address-prefixes"];
    const sides = [from, rule.source, to, body.destinationAddressPrefix, "--destination-port-ranges", rule.port, "--protocol", "Tcp"];
    return shell`az network nsg rule create --resource-group ${resourceGroup} --nsg-name ${name} --name ${rule.name} --priority ${rule.priority} ${sides}`;
  });
  return refuse("ARO-OWN-003", `${quotedTitleOf(groupRow, name)} lacks ${lacking.map(({ rule }) => rule.name).join(", ")}`, {
    because: "an existing network security group is never changed, and without these rules it denies what must enter",
    next: [...commands, "then rerun the command"],
  });
}

function named(rules: readonly SecurityRule[], name: string): SecurityRule | undefined {
  return rules.find((rule) => sameText(rule.name, name));
}
