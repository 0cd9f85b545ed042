/** The storage account of an issuer, whose containers may allow public read access to blobs. */
import type { StorageAccount, StorageAccountUpdateParameters } from "@azure/arm-storage";
import { policiesAgainst, policyText, type AssignedPolicy, type WrittenResource } from "../../azure/assigned-policies.js";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { begun, finish, found } from "../../azure/long-running.js";
import { defineStep, type Change, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import type { IssuerSpec } from "../../domain/issuer.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { formatResourceId, resourceGroupId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { setAccountTags } from "../../domain/set-ownership.js";
import { mergedTags } from "../../domain/tags.js";
import { decideOwned, refuse } from "../../steps/ownership-decision.js";
import { missingTags } from "../../steps/missing-tags.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

const { storageAccount: row } = resourceTypes;

export interface AccountOutput {
  readonly id: string;
  /** False while it is only planned: its contents cannot be read. */
  readonly exists: boolean;
}

/** The account, or Azure's message that the name is taken elsewhere. */
type LiveAccount = { readonly account: StorageAccount } | { readonly account?: undefined; readonly taken: string };

/** Access to blobs only with a role and TLS 1.2 or later, and public access where a container allows it, which Azure turns off by default. */
const wantedSettings = {
  enableHttpsTrafficOnly: true,
  allowBlobPublicAccess: true,
  allowSharedKeyAccess: false,
  minimumTlsVersion: "TLS1_2",
} as const;

const wantedKind = { kind: "StorageV2", sku: { name: "Standard_LRS" } } as const;

function tagsOf(spec: IssuerSpec): Record<string, string> {
  const { subscriptionId, group: groupName, owner } = spec;
  return { ...spec.tags, ...setAccountTags({ subscriptionId, groupName, name: owner.identitySet }, spec.account) };
}

/** The policies that conflict with the wanted account; undefined if they cannot be checked. */
export function accountPolicies(azure: Azure, spec: IssuerSpec): Promise<AssignedPolicy[] | undefined> {
  return policiesAgainst(azure, resourceGroupId(spec.subscriptionId, spec.group), writtenAccount(spec));
}

function writtenAccount(spec: IssuerSpec): WrittenResource {
  const { enableHttpsTrafficOnly: supportsHttpsTrafficOnly, ...settings } = wantedSettings;
  return {
    apiVersion: "2025-01-01",
    content: {
      type: row.type,
      name: spec.account,
      location: spec.location,
      ...wantedKind,
      tags: tagsOf(spec),
      properties: { supportsHttpsTrafficOnly, ...settings },
    },
    keepsTrue: `${row.type}/allowBlobPublicAccess`,
  };
}

export function storageAccount(azure: Azure, spec: IssuerSpec, group: Step<GroupOutput>): Step<AccountOutput> {
  const name = spec.account;
  const what = quotedTitleOf(row, name);
  const id = formatResourceId(resourceGroupId(spec.subscriptionId, spec.group), row.type, name);
  const wantedTags = tagsOf(spec);
  const differences = (account: StorageAccount) => [...settingChanges(account), ...missingTags(account.tags, wantedTags)];
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, written: writtenAccount(spec) },
    seconds: expectedDuration("PUT", row.type).spread[1],
    resourceId: id,
    needs: { group },
    within: "group",
    hasGlobalName: true,
    read: ({ group: { name: groupName } }) => readAccount(azure, groupName, name),
    busy: ({ account }) => (account?.provisioningState === "Succeeded" ? undefined : account?.provisioningState),
    decide(live) {
      if (live && !live.account) return refuse("ARO-OIDC-002", `${what} cannot be created`, { because: live.taken });
      const wanted = { row, name, owner: spec.owner, location: spec.location, otherName: "--storage-account-name" };
      return decideOwned(live?.account, wanted, differences);
    },
    async apply(live, { group: { name: groupName } }): Promise<LiveAccount> {
      const account = await (live?.account ? updateAccount(azure, groupName, spec, live.account) : createAccount(azure, groupName, spec));
      await refuseIfReverted(azure, spec, what, account);
      return { account };
    },
    predict: () => ({ id, exists: false }),
    output: (live) => ({ id: live.account?.id ?? id, exists: live.account !== undefined }),
  });
}

async function readAccount(azure: Azure, groupName: string, name: string): Promise<LiveAccount | undefined> {
  const { storageAccounts } = await azure.storage();
  const get = () => found(storageAccounts.getProperties(groupName, name));
  const account = await get();
  if (account) return { account };
  const { nameAvailable, message } = await storageAccounts.checkNameAvailability({ name, type: row.type });
  if (nameAvailable !== false) return undefined;
  // Another run of the same command may have created it between the two requests.
  const created = await get();
  return created ? { account: created } : { taken: message ?? "Azure gave no reason" };
}

async function updateAccount(azure: Azure, groupName: string, spec: IssuerSpec, live: StorageAccount): Promise<StorageAccount> {
  const { storageAccounts } = await azure.storage();
  return storageAccounts.update(groupName, spec.account, repair(live, tagsOf(spec)));
}

async function createAccount(azure: Azure, groupName: string, spec: IssuerSpec): Promise<StorageAccount> {
  const { storageAccounts } = await azure.storage();
  const body = { ...wantedKind, location: spec.location, tags: tagsOf(spec), ...wantedSettings };
  return finish(azure, expectedDuration("PUT", row.type), (options) =>
    begun(storageAccounts.create(groupName, spec.account, body, options)),
  );
}

/** The properties to update. A later TLS version is accepted, and so are settings that are as strict as the defaults. */
function settingChanges(account: StorageAccount): Change[] {
  const { minimumTlsVersion, publicNetworkAccess, networkRuleSet } = account;
  const switches = (["enableHttpsTrafficOnly", "allowBlobPublicAccess", "allowSharedKeyAccess"] as const)
    .filter((key) => account[key] !== wantedSettings[key])
    .map((key) => ({ path: key, from: account[key], to: wantedSettings[key] }));
  return [
    ...switches,
    ...(minimumTlsVersion === "TLS1_2" || minimumTlsVersion === "TLS1_3"
      ? []
      : [{ path: "minimumTlsVersion", from: minimumTlsVersion, to: wantedSettings.minimumTlsVersion }]),
    // Entra fetches the documents from the internet.
    ...(publicNetworkAccess === undefined || publicNetworkAccess === "Enabled"
      ? []
      : [{ path: "publicNetworkAccess", from: publicNetworkAccess, to: "Enabled" }]),
    ...(networkRuleSet?.defaultAction === "Deny" ? [{ path: "networkRuleSet.defaultAction", from: "Deny", to: "Allow" }] : []),
  ];
}

/**
 * Omitted properties stay unchanged; tags are replaced as a whole. Unchanged properties are sent too: @azure/arm-storage 20.0.0 sends
 * no properties at all if it gets only some of them (allowBlobPublicAccess, enableHttpsTrafficOnly, networkRuleSet).
 */
function repair(account: StorageAccount, wantedTags: Readonly<Record<string, string>>): StorageAccountUpdateParameters {
  const { minimumTlsVersion, networkRuleSet } = account;
  const changed = new Set(settingChanges(account).map(({ path }) => path));
  return {
    tags: mergedTags(account.tags, wantedTags),
    ...wantedSettings,
    ...(!changed.has("minimumTlsVersion") && minimumTlsVersion !== undefined && { minimumTlsVersion }),
    ...(changed.has("publicNetworkAccess") && { publicNetworkAccess: "Enabled" }),
    ...(changed.has("networkRuleSet.defaultAction") && { networkRuleSet: { ...networkRuleSet, defaultAction: "Allow" } }),
  };
}

/**
 * A policy with the effect `modify` allows a write and changes its values.
 * @throws Stale if another command may have made the account accept its keys: see `account-key.ts`
 */
async function refuseIfReverted(azure: Azure, spec: IssuerSpec, what: string, account: StorageAccount): Promise<void> {
  const reverted = settingChanges(account);
  if (reverted.length === 0) return;
  // Reports the difference even if the policy cannot be found.
  const policies = (await accountPolicies(azure, spec).catch(() => undefined)) ?? [];
  if (policies.length === 0 && reverted.every(({ path }) => path === "allowSharedKeyAccess")) {
    throw new Stale("another command uploads with a key of the account");
  }
  const policyNames = policies.length === 0 ? "a policy" : policies.map(policyText).join(", ");
  throw new Failure("ARO-OIDC-001", `${what} was not set as requested`, {
    because: `${policyNames} keeps ${reverted.map(({ path, from }) => `${path} at ${String(from)}`).join(", ")}`,
  });
}
