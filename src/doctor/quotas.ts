/** Checks that the resources of a create fit the limits of the subscription and the region, one check per quota. */
import { aksClusterOwns } from "../aks/index.js";
import { arcNames } from "../domain/arc-names.js";
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { advise, blank, shell, type Advice } from "../errors/advice.js";
import type { Azure } from "../azure/azure.js";
import { orRefused } from "../azure/or-refused.js";
import { namedResponse, roleAssignmentUse, usageResponse, type UsageResponse } from "../azure/arm-responses.js";
import { resourcesWithTag } from "../azure/tagged-resources.js";
import { clusterOwns } from "../domain/cluster-resource.js";
import type { DnsZoneOwner } from "../domain/dns-zone.js";
import { ownershipTags, type Owner } from "../domain/ownership.js";
import { typesCreatedBy, namespaceOf, pluralOf } from "../domain/resource-catalogue.js";
import { groupNameOf, sameType, subscriptionScope } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownsAccount } from "../domain/set-ownership.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, unlessFailed, type CheckInstance } from "../verify/check-instance.js";
import type { Account } from "../preflight/account.js";
import { doctorChecks } from "../preflight/checks.js";
import type { DoctorRequest, WantedResources } from "../preflight/request.js";
import { sameText } from "../text/same-text.js";

/** The usage of a limit, by the quota's name: "PublicIPAddresses". */
interface Use {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

interface Quota {
  /** "virtual networks in eastus" */
  readonly subject: string;
  /** How many a create makes if none exists yet; of several, all together. */
  readonly needed: number;
  /** Undefined if the usage cannot be read. */
  uses(): Promise<readonly Use[] | undefined>;
  /** How many of them already exist; read only near the limit. Undefined if unknown. */
  existing?(): Promise<number | undefined>;
  /** How to raise the limit or free resources. */
  readonly next: (use: Use) => Advice;
}

/** https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits: it cannot be raised. */
const mostGroups = 980;

export function quotaCheckInstances(
  azure: Azure,
  request: DoctorRequest,
  resources: WantedResources,
  account: CheckInstance<Account>,
  location: CheckInstance,
): CheckInstance[] {
  const needed = (quotas: readonly Quota[]) =>
    quotas.filter((quota) => quota.needed > 0).map((quota) => ({ ...quota, needed: quota.needed * request.clusters }));
  return [
    ...needed(regionalQuotas(azure, request, resources)).map((quota) =>
      // Without permission to read the providers, the location is skipped, but the usages may be readable.
      checkInstance(doctorChecks.quotas, quota.subject, { account, location: unlessFailed(location) }, () => readAndCheck(quota)),
    ),
    ...needed([groupQuota(azure, request), roleQuota(azure, resources)]).map((quota) =>
      checkInstance(doctorChecks.quotas, quota.subject, { account }, () => readAndCheck(quota)),
    ),
  ];
}

async function readAndCheck(quota: Quota): Promise<Finding<undefined>> {
  const uses = await quota.uses();
  if (uses === undefined || uses.length === 0) return notChecked("the usage is not available or cannot be read");
  return checkQuota(quota, uses);
}

async function checkQuota(quota: Quota, uses: readonly Use[]): Promise<Finding<undefined>> {
  const short = (needed: number) => uses.find(({ used, limit }) => used + needed > limit);
  const existing = short(quota.needed) && (await quota.existing?.());
  const needed = quota.needed - Math.min(quota.needed, existing ?? 0);
  const lacking = short(needed);
  if (needed === 0 || lacking === undefined) {
    return passed(`${uses.map(useText).join(", ")} in use; ${needed === 0 ? "all required ones exist" : `${String(needed)} needed`}`);
  }
  const fewer = existing === undefined ? ", or fewer if some exist already" : "";
  return failed(`${useText(lacking)} in use, but ${String(needed)} more needed${fewer}`, quota.next(lacking));
}

function useText({ name, used, limit }: Use): string {
  return `${name} ${String(used)} of ${String(limit)}`;
}

function regionalQuotas(azure: Azure, request: DoctorRequest, resources: WantedResources): Quota[] {
  const { parts, location, wanted } = request;
  const home = subscriptionScope(azure.connection.subscriptionId);
  const reads = new Map<string, Promise<UsageResponse[] | undefined>>();
  const usages = (namespace: string, version: string) => {
    const path = `${home}/providers/${namespace}/locations/${location}/usages`;
    const read = reads.get(namespace) ?? orRefused(azure.manager().then((manager) => manager.list(path, version, usageResponse)));
    reads.set(namespace, read);
    return read;
  };
  return typesCreatedBy(parts).flatMap((row) => {
    const { type, use } = row;
    const { part, quota } = use;
    if (quota === undefined || quota === "not published") return [];
    const { names, apiVersion } = quota;
    const namespace = namespaceOf(row);
    const owner: QuotaOwner | undefined = parts.has("aks") ? wanted.aksCluster : part === "infra" ? wanted.cluster : wanted.issuer?.owner;
    return [
      {
        subject: `${pluralOf(row)} in ${location}`,
        needed: resources.made(type),
        async uses() {
          const known = (await usages(namespace, apiVersion))?.filter(({ name }) => names.includes(name.value));
          return known?.map(({ name, currentValue, limit }) => ({ name: name.value, used: currentValue, limit }));
        },
        existing: async () => owner && (await ownedOf(azure, owner)).filter((one) => sameType(one.type ?? "", type)).length,
        next: ({ name, used, limit }) =>
          advise`delete what is not needed, ${fewerAddresses(request, type, resources.made(type), limit - used)}choose another --location, or request a higher limit: ${shell`az quota create --resource-name ${name} --scope ${home}/providers/${namespace}/locations/${location} --limit-object value=${blank("limit")}`}, or "Quotas" in the portal`,
      },
    ];
  });
}

/** How many addresses still fit, if `--outbound-addresses` asks for more; "" if the option does not help. */
function fewerAddresses({ egress, clusters }: DoctorRequest, type: string, needed: number, free: number): string {
  const fitting = free - (needed - egress.addresses);
  if (!sameType(type, resourceTypes.publicIpAddress.type) || egress.addresses === 1 || clusters > 1 || fitting < 1) return "";
  return `pass --outbound-addresses ${String(fitting)}, `;
}

/** A DNS zone and its identity have no quota. */
type QuotaOwner = Exclude<Owner, DnsZoneOwner>;

/** The resources of the owner that have a quota. Azure filters by one tag only, and the last one is the most specific. */
async function ownedOf(azure: Azure, owner: QuotaOwner): Promise<GenericResourceExpanded[]> {
  const [tag = "", value = ""] = Object.entries(ownershipTags(owner)).at(-1) ?? [];
  const { subscriptionId } = azure.connection;
  return (await resourcesWithTag(azure, tag, value)).filter((one) => {
    if ("identitySet" in owner)
      return (
        one.id !== undefined &&
        ownsAccount(owner, { id: one.id, tags: one.tags }, { groupName: groupNameOf(one.id) ?? "", accountName: undefined })
      );
    if ("kind" in owner) return aksClusterOwns({ cluster: owner, subscriptionId, existingGroups: undefined }, one);
    if ("arc" in owner) return sameText(arcNames(owner.arc).cluster, one.name) || sameText(arcNames(owner.arc).group, one.name);
    return "infraId" in owner && clusterOwns({ cluster: owner, existingGroups: undefined }, one);
  });
}

function groupQuota(azure: Azure, { groups, existing }: DoctorRequest): Quota {
  // A bring-your-own group exists, or another check reports it.
  const isExisting = (kind: string) => kind === "dns" || [...existing].some((one) => one === kind);
  const wanted = new Set(
    Object.entries(groups).flatMap(([kind, name]) => (isExisting(kind) || name === undefined ? [] : [name.toLowerCase()])),
  );
  const path = `${subscriptionScope(azure.connection.subscriptionId)}/resourcegroups`;
  let read: Promise<{ readonly name: string }[] | undefined> | undefined;
  const all = () => {
    read ??= orRefused(azure.manager().then((manager) => manager.list(path, "2021-04-01", namedResponse)));
    return read;
  };
  return {
    subject: "resource groups",
    needed: wanted.size,
    async uses() {
      const known = await all();
      return known && [{ name: "resource groups", used: known.length, limit: mostGroups }];
    },
    existing: async () => (await all())?.filter(({ name }) => wanted.has(name.toLowerCase())).length,
    next: () => "delete groups that are not needed, or use another --subscription; this limit cannot be raised",
  };
}

/** Existing assignments are not counted, because that takes one request per group; the finding mentions it. */
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
      advise`delete assignments whose principal no longer exists (${shell`az role assignment list --all`} lists them without a principal name), or use another --subscription; this limit cannot be raised`,
  };
}
