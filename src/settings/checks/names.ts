/** Checks of names and of tags. */
import { clusterLabel, noClusterLabel, noSubdomain, subdomain } from "../../domain/cluster-label.js";
import { nameProblem, type NameKind } from "../../domain/name-rules.js";
import { infraNames, type InfraNames } from "../../domain/names.js";
import { takes } from "../commands.js";
import type { Check } from "./check.js";
import { optionsTag } from "../../domain/option-tags.js";
import { identitySetTag, infraIdTag, nameTag } from "../../domain/ownership.js";

const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const checkGivenNames: Check = ({ command, values, problem }) => {
  const { name, infraId } = values;
  // A HostedCluster that others made may have periods in its name; what is made in Azure here may not.
  const [pattern, wrong] = takes(command, "namespace") ? [subdomain, noSubdomain] : [clusterLabel, noClusterLabel];
  if (name !== undefined && !pattern.test(name)) problem("name", `"${name}" ${wrong}`);
  if (infraId !== undefined && !clusterLabel.test(infraId)) problem("infraId", `"${infraId}" ${noClusterLabel}`);
  const { baseDomain, location, subscription } = values;
  if (baseDomain !== undefined && (!domain.test(baseDomain) || baseDomain.length > 253)) {
    problem("baseDomain", `"${baseDomain}" is not a domain name of two labels or more, in lower case and without a final dot`);
  }
  if (location !== undefined && !/^[a-z][a-z0-9]+$/.test(location)) {
    const plain = location.toLowerCase().replace(/[^a-z0-9]/g, "");
    problem("location", `"${location}" is not a location's name${plain === "" ? "" : `; did you mean "${plain}"?`}`);
  }
  if (subscription !== undefined && !uuid.test(subscription)) problem("subscription", `"${subscription}" is not a UUID`);
  for (const key of ["resourceGroupName", "dnsZoneRgName", "oidcResourceGroupName"] as const) {
    const value = values[key];
    const wrong = value === undefined ? undefined : nameProblem("resourceGroup", value);
    if (wrong !== undefined) problem(key, wrong);
  }
};

/** Lengths add up: a name and an infra id that are each short enough may not be together. */
export const checkMadeNames: Check = ({ values, problem }) => {
  const { name, infraId, baseDomain, naming } = values;
  if (name === undefined || infraId === undefined || baseDomain === undefined || naming === undefined) return;
  if (!clusterLabel.test(name) || !clusterLabel.test(infraId) || !domain.test(baseDomain)) return;
  const problems = problemsOfNames(infraNames(naming, { name, infraId, baseDomain }), {
    managedGroup: values.resourceGroupName !== undefined,
    vnet: values.vnetId !== undefined || values.subnetId !== undefined,
    nsg: values.networkSecurityGroupId !== undefined,
    singleGroup: values.singleResourceGroup === true,
    natGateway: values.egress !== "nat-gateway",
  });
  for (const message of problems) problem("name", message);
};

/** What is not made, so that its name does not matter. */
interface NotMade {
  readonly managedGroup: boolean;
  readonly vnet: boolean;
  readonly nsg: boolean;
  readonly singleGroup: boolean;
  readonly natGateway: boolean;
}

/** One sentence for each name that Azure would refuse; empty where all are good. */
function problemsOfNames(names: InfraNames, notMade: NotMade): readonly string[] {
  const all: readonly (readonly [NameKind, string, boolean])[] = [
    ["resourceGroup", names.groups.managed, notMade.managedGroup],
    ["resourceGroup", names.groups.vnet, notMade.vnet || notMade.singleGroup],
    ["resourceGroup", names.groups.nsg, notMade.nsg || notMade.singleGroup],
    ["virtualNetwork", names.vnet, notMade.vnet],
    ["subnet", names.subnet, notMade.vnet],
    ["networkSecurityGroup", names.nsg, notMade.nsg],
    ["privateDnsZone", names.privateZone, false],
    ["virtualNetworkLink", names.privateZoneLink, false],
    ["publicIpAddress", names.publicIp, false],
    ["loadBalancer", names.loadBalancer, false],
    ["publicIpAddress", names.natPublicIp, notMade.natGateway],
    ["natGateway", names.natGateway, notMade.natGateway],
  ];
  return all.flatMap(([kind, name, skip]) => (skip ? [] : (nameProblem(kind, name) ?? [])));
}

const ours = [nameTag, infraIdTag, identitySetTag];
/** A resource holds 50 tags, and ours are among them: a cluster's two, or a set's one. */
const oursAtMost = 2;
const maxTags = 50 - oursAtMost;
const maxKey = 512;
const maxValue = 256;
const reservedPrefixes = ["microsoft", "azure", "windows"];
/** Azure accepts these names, but a JavaScript object treats them specially, here or in another reader of our files. */
const unsafe = ["__proto__", "constructor", "prototype"];
const forbidden = /[<>%&\\?/\u0000-\u001f\u007f]/;

export const checkTags: Check = ({ values, problem }) => {
  for (const setting of ["resourceGroupTags", "userTags"] as const) {
    const tags = Object.entries(values[setting] ?? {});
    if (tags.length > maxTags) problem(setting, `${tags.length} tags are given, Azure takes 50 and ${oursAtMost} are ours`);
    for (const [key, value] of tags) {
      const wrong =
        keyProblem(key) ?? (value.length > maxValue ? `has a value of ${value.length} characters, Azure takes ${maxValue}` : undefined);
      if (wrong !== undefined) problem(setting, `tag "${key.slice(0, 40)}" ${wrong}`);
    }
  }
};

function keyProblem(key: string): string | undefined {
  const lower = key.toLowerCase();
  if (key === "") return "has no name";
  if (key.length > maxKey) return `has a name of ${key.length} characters, Azure takes ${maxKey}`;
  if (unsafe.includes(lower)) return "has a name that is not taken: JavaScript programs that read it would stumble";
  if (forbidden.test(key)) return "has a character that Azure does not take: < > % & \\ ? / or a control character";
  const prefix = reservedPrefixes.find((reserved) => lower.startsWith(reserved));
  if (prefix !== undefined) return `begins with "${prefix}", which Azure keeps to itself`;
  if (lower === optionsTag || lower.startsWith(`${optionsTag}-`)) return "is one of ours, which records what the cluster was made with";
  return ours.includes(lower) ? "is one of ours, by which ownership is proved" : undefined;
}
