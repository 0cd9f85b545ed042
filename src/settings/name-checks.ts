/** Checks of names and tags. */
import { clusterLabel, clusterLabelRule, subdomainRule, subdomain } from "../domain/cluster-label.js";
import { locations } from "../domain/locations.js";
import { nameProblem, type NameKind } from "../domain/name-rules.js";
import { infraNames, type InfraNames } from "../domain/names.js";
import { plural } from "../text/plural.js";
import { takes } from "./commands.js";
import { allOptions } from "./options.js";
import type { Check } from "./option-check.js";
import type { SettingKey } from "./settings.js";
import { optionsTag } from "../domain/option-tags.js";
import { ownerTags } from "../domain/ownership.js";
import { createdAsTag } from "../domain/set-ownership.js";

const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const locationName = /^[a-z][a-z0-9]+$/;

export const checkGivenNames: Check = ({ command, values, problem }) => {
  const { name, identitiesName, infraId } = values;
  // The name of an existing HostedCluster may contain periods; names that this program creates in Azure may not.
  const [pattern, wrong] = takes(command, "namespace") ? [subdomain, subdomainRule] : [clusterLabel, clusterLabelRule];
  if (name !== undefined && !pattern.test(name)) problem("name", `"${name}" ${wrong}`);
  if (identitiesName !== undefined && !clusterLabel.test(identitiesName))
    problem("identitiesName", `"${identitiesName}" ${clusterLabelRule}`);
  if (infraId !== undefined && !clusterLabel.test(infraId)) problem("infraId", `"${infraId}" ${clusterLabelRule}`);
  const { baseDomain, location, subscription } = values;
  if (baseDomain !== undefined && (!domain.test(baseDomain) || baseDomain.length > 253)) {
    problem("baseDomain", `"${baseDomain}" is not a lowercase domain name of two or more labels, without a trailing period`);
  }
  if (location !== undefined && !locationName.test(location)) {
    const plain = location.toLowerCase().replace(/[^a-z0-9]/g, "");
    const hint = locations.includes(plain) ? `; did you mean "${plain}"?` : "";
    problem("location", `"${location}" is not the name of an Azure location${hint}`);
  }
  if (subscription !== undefined && !uuid.test(subscription)) problem("subscription", `"${subscription}" is not a UUID`);
  for (const key of ["resourceGroupName", "dnsZoneRgName", "oidcResourceGroupName"] as const) {
    const value = values[key];
    const wrong = value === undefined ? undefined : nameProblem("resourceGroup", value);
    if (wrong !== undefined) problem(key, wrong);
  }
};

/** A name and an infra ID of valid lengths can still combine to resource names that are too long. */
export const checkDerivedNames: Check = ({ values, problem }) => {
  const { name, infraId, baseDomain, naming } = values;
  if (name === undefined || infraId === undefined || baseDomain === undefined || naming === undefined) return;
  if (!clusterLabel.test(name) || !clusterLabel.test(infraId) || !domain.test(baseDomain)) return;
  const problems = problemsOf(infraNames(naming, { name, infraId, baseDomain }), {
    managedGroup: values.resourceGroupName !== undefined,
    vnet: values.vnetId !== undefined || values.subnetId !== undefined,
    nsg: values.networkSecurityGroupId !== undefined,
    singleGroup: values.singleResourceGroup === true,
  });
  for (const message of problems) problem("name", message);
};

/** The resources that are not created, so their names do not matter. */
interface NotCreated {
  readonly managedGroup: boolean;
  readonly vnet: boolean;
  readonly nsg: boolean;
  readonly singleGroup: boolean;
}

/** One sentence for each name that Azure rejects. Names of an infra ID and a short suffix are always short enough. */
function problemsOf(names: InfraNames, notCreated: NotCreated): readonly string[] {
  const all: readonly (readonly [NameKind, string, boolean])[] = [
    ["resourceGroup", names.groups.managed, notCreated.managedGroup],
    ["resourceGroup", names.groups.vnet, notCreated.vnet || notCreated.singleGroup],
    ["resourceGroup", names.groups.nsg, notCreated.nsg || notCreated.singleGroup],
    ["virtualNetwork", names.vnet, notCreated.vnet],
    ["subnet", names.subnet, notCreated.vnet],
    ["networkSecurityGroup", names.nsg, notCreated.nsg],
    ["privateDnsZone", names.privateZone, false],
    ["virtualNetworkLink", names.privateZoneLink, false],
  ];
  return all.flatMap(([kind, name, skip]) => (skip ? [] : (nameProblem(kind, name) ?? [])));
}

const ownTags = [...ownerTags, createdAsTag];
/** Azure allows 50 tags for each resource. A cluster and an identity set add up to two of their own. */
const maxOwnTags = 2;
const maxTags = 50 - maxOwnTags;
const maxKey = 512;
const maxValue = 256;
const reservedPrefixes = ["microsoft", "azure", "windows"];
/** Azure accepts these names, but JavaScript objects treat them specially, also in other programs that read the output files. */
const unsafe = ["__proto__", "constructor", "prototype"];
const forbidden = /[<>%&\\?/\u0000-\u001f\u007f]/;

/** Every setting with tags has the type of this one. */
const tagSettings = [...new Set(allOptions.filter(({ kind }) => kind === "tags").map(({ key }) => key as "resourceGroupTags"))];

export const checkTags: Check = ({ values, problem }) => {
  for (const setting of tagSettings) {
    const tags = Object.entries(values[setting] ?? {});
    if (tags.length > maxTags)
      problem(
        setting,
        `has ${plural(tags.length, "tag")}; at most ${maxTags} are possible: Azure accepts 50, and aro-hcp adds up to ${maxOwnTags}`,
      );
    for (const [key, value] of tags) {
      const wrong =
        keyProblem(key) ??
        (value.length > maxValue ? `has a value of ${plural(value.length, "character")}; Azure accepts at most ${maxValue}` : undefined);
      if (wrong !== undefined) problem(setting, `tag "${key.slice(0, 40)}" ${wrong}`);
    }
  }
};

function keyProblem(key: string): string | undefined {
  const lower = key.toLowerCase();
  if (key === "") return "has no name";
  if (key.length > maxKey) return `has a name of ${plural(key.length, "character")}; Azure accepts at most ${maxKey}`;
  if (unsafe.includes(lower)) return "has a reserved name: JavaScript objects treat it specially";
  if (forbidden.test(key)) return "contains a character that Azure rejects: < > % & \\ ? / or a control character";
  const prefix = reservedPrefixes.find((reserved) => lower.startsWith(reserved));
  if (prefix !== undefined) return `starts with "${prefix}", a prefix that Azure reserves`;
  if (lower === optionsTag || lower.startsWith(`${optionsTag}-`))
    return "is reserved: earlier versions recorded settings in it, and a create removes it";
  return ownTags.includes(lower) ? "is reserved: aro-hcp marks its own resources with it" : undefined;
}

// https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-reserved-resource-name
const reservedInside = /microsoft|windows/;
const reservedAtStart = /^(?:login|xbox)/;
const reserved =
  /^(?:access|azure|bing|bizspark|biztalk|cortana|directx|dotnet|dynamics|excel|exchange|forefront|groove|hololens|hyperv|kinect|lync|msdn|o365|office|office365|onedrive|onenote|outlook|powerpoint|sharepoint|skype|visio|visualstudio)$/;

const publicNames = ["name", "identitiesName", "infraId"] as const satisfies readonly SettingKey[];

/** A notice: Azure refuses such a name only for what has a public address, such as a vault, a storage account or a DNS label. */
export const noticeReservedNames: Check = ({ command, values, notice }) => {
  if (!command.startsWith("create ")) return;
  for (const key of publicNames) {
    const name = values[key];
    const [word] = name === undefined ? [] : (reservedInside.exec(name) ?? reservedAtStart.exec(name) ?? reserved.exec(name) ?? []);
    if (word !== undefined) {
      notice(
        `the name "${name ?? ""}" has the word "${word}", which Azure reserves: it may refuse resources of that name with ReservedResourceName, so choose another one before the first create`,
      );
    }
  }
};
