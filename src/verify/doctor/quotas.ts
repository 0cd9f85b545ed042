/** Checks of quotas: whether what a create makes still fits into the limits of the subscription and the region. One row a quota. */
import { advise, blank, shell, type Advice } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import {
  groupAnswer,
  resourceAnswer,
  roleAssignmentUse,
  usageAnswer,
  type ResourceAnswer,
  type UsageAnswer,
} from "../../azure/arm-answers.js";
import { ownedBy, ownershipTags, type Owner } from "../../domain/ownership.js";
import { madeBy, namespaceOf, pluralOf } from "../../domain/resource-catalogue.js";
import { sameType, subscriptionScope } from "../../domain/resource-id.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { DoctorRequest } from "./request.js";
import type { WantedResources } from "./wanted-resources.js";

/** What is used of a limit, by the quota's own name: "PublicIPAddresses". */
interface Use {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

interface Quota {
  /** "virtual networks in eastus" */
  readonly subject: string;
  /** How many are made where nothing is there yet. */
  readonly needed: number;
  /** Undefined where it may not be asked. */
  uses(): Promise<readonly Use[] | undefined>;
  /** How many of them a create has made already; asked only where the limit is near. Undefined where it is not told. */
  there?(): Promise<number | undefined>;
  /** Where there is more to be had, or room to be made. */
  readonly next: (use: Use) => Advice;
}

/** https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits: it cannot be raised. */
const mostGroups = 980;

export function quotaCheckInstances(
  azure: Azure,
  request: DoctorRequest,
  resources: WantedResources,
  account: CheckInstance<Account>,
): CheckInstance[] {
  return [...regionalQuotas(azure, request, resources), groupQuota(azure, request), roleQuota(azure, resources)]
    .filter(({ needed }) => needed > 0)
    .map((quota) =>
      checkInstance(doctorChecks.quotas, quota.subject, { account }, async () => {
        const uses = await quota.uses();
        if (uses === undefined || uses.length === 0) return notChecked("its use may not be read, or is not told");
        return decideOwned(quota, uses);
      }),
    );
}

async function decideOwned(quota: Quota, uses: readonly Use[]): Promise<Finding<undefined>> {
  const short = (needed: number) => uses.find(({ used, limit }) => used + needed > limit);
  const there = short(quota.needed) && (await quota.there?.());
  const needed = quota.needed - Math.min(quota.needed, there ?? 0);
  const lacking = short(needed);
  if (needed === 0 || lacking === undefined) {
    return holds(`${uses.map(useText).join(", ")} in use; ${needed === 0 ? "what is needed is there" : `${String(needed)} needed`}`);
  }
  const fewer = there === undefined ? ", fewer where some are there already" : "";
  return broken(`${useText(lacking)} in use, and ${String(needed)} more needed${fewer}`, quota.next(lacking));
}

function useText({ name, used, limit }: Use): string {
  return `${name} ${String(used)} of ${String(limit)}`;
}

function regionalQuotas(azure: Azure, { parts, location, wanted }: DoctorRequest, resources: WantedResources): Quota[] {
  const home = subscriptionScope(azure.connection.subscriptionId);
  const reads = new Map<string, Promise<UsageAnswer[] | undefined>>();
  const usages = (namespace: string, version: string) => {
    const path = `${home}/providers/${namespace}/locations/${location}/usages`;
    const read = reads.get(namespace) ?? orRefused(azure.manager().then((manager) => manager.list(path, version, usageAnswer)));
    reads.set(namespace, read);
    return read;
  };
  return madeBy(parts).flatMap((row) => {
    const { type, use } = row;
    const { part, quota } = use;
    if (quota === undefined || quota === "not published") return [];
    const { names, apiVersion } = quota;
    const namespace = namespaceOf(row);
    const owner: Owner | undefined = part === "infra" ? wanted.cluster : wanted.issuer?.owner;
    return [
      {
        subject: `${pluralOf(row)} in ${location}`,
        needed: resources.made(type),
        async uses() {
          const told = (await usages(namespace, apiVersion))?.filter(({ name }) => names.includes(name.value));
          return told?.map(({ name, currentValue, limit }) => ({ name: name.value, used: currentValue, limit }));
        },
        there: async () => owner && (await ownedOf(azure, owner)).filter((one) => sameType(one.type, type)).length,
        next: ({ name }) =>
          advise`delete what is not needed, choose another --location, or request a higher limit: ${shell`az quota create --resource-name ${name} --scope ${home}/providers/${namespace}/locations/${location} --limit-object value=${blank("limit")}`}, or "Quotas" in the portal`,
      },
    ];
  });
}

/** What carries the owner's tags. Azure takes one tag in a filter, and the last names the owner most closely. */
async function ownedOf(azure: Azure, owner: Owner): Promise<ResourceAnswer[]> {
  const [tag = "", value = ""] = Object.entries(ownershipTags(owner)).at(-1) ?? [];
  const filter = encodeURIComponent(`tagName eq '${tag}' and tagValue eq '${value}'`);
  const manager = await azure.manager();
  const path = `${subscriptionScope(azure.connection.subscriptionId)}/resources?$filter=${filter}`;
  return (await manager.list(path, "2021-04-01", resourceAnswer)).filter(({ tags }) => ownedBy(tags, owner) === "ours");
}

function groupQuota(azure: Azure, { groups, existing }: DoctorRequest): Quota {
  // What is brought is there, or a check of its own says that it is not.
  const isThere = (kind: string) => kind === "dns" || [...existing].some((one) => one === kind);
  const wanted = new Set(
    Object.entries(groups).flatMap(([kind, name]) => (isThere(kind) || name === undefined ? [] : [name.toLowerCase()])),
  );
  const path = `${subscriptionScope(azure.connection.subscriptionId)}/resourcegroups`;
  let read: Promise<{ readonly name: string }[] | undefined> | undefined;
  const all = () => (read ??= orRefused(azure.manager().then((manager) => manager.list(path, "2021-04-01", groupAnswer))));
  return {
    subject: "resource groups",
    needed: wanted.size,
    async uses() {
      const known = await all();
      return known && [{ name: "resource groups", used: known.length, limit: mostGroups }];
    },
    there: async () => (await all())?.filter(({ name }) => wanted.has(name.toLowerCase())).length,
    next: () => "delete groups that are not needed, or take another --subscription: this limit cannot be raised",
  };
}

/** How many are there already would have to be asked group by group: those who are near the limit are told so. */
function roleQuota(azure: Azure, { roleAssignments: needed }: WantedResources): Quota {
  const path = `${subscriptionScope(azure.connection.subscriptionId)}/providers/Microsoft.Authorization/roleAssignmentsUsageMetrics`;
  return {
    subject: "role assignments",
    needed,
    async uses() {
      const manager = await azure.manager();
      const answer = await orRefused(manager.get(path, "2019-08-01-preview", roleAssignmentUse));
      if (answer === undefined) return undefined;
      const { roleAssignmentsCurrentCount: used, roleAssignmentsLimit: limit } = answer.body;
      return [{ name: "role assignments", used, limit }];
    },
    next: () =>
      advise`delete assignments whose principal no longer exists (${shell`az role assignment list --all`} shows them without a name), or use another --subscription: this limit cannot be raised`,
  };
}
