/** From settings to what the doctor is given. */
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import { groupNames, placeInfra } from "../../domain/names.js";
import { parts, type Existing, type Part } from "../../domain/create-parts.js";
import { issuerNames } from "../../domain/issuer.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { didYouMean } from "../../settings/did-you-mean.js";
import type { Settings } from "../../settings/settings.js";
import type { DoctorRequest, GroupsOfCreate, Machine, Wanted } from "../../verify/doctor/request.js";
import { identitySetKey, persistentGroupOf } from "./identity-set.js";
import { issuerSpec } from "./issuer-spec.js";

type DoctorSettings = Settings<"doctor">;

/** The words of `create`: `create all` makes all of it. */
const wholes: Readonly<Record<string, readonly Part[]>> = {
  all: parts,
  infra: ["infra"],
  identities: ["identities"],
  "oidc-issuer": ["issuer"],
};

/** Throws ARO-USAGE-001 for a word that is none of what `create` makes. */
export function partsOf(word = "all"): ReadonlySet<Part> {
  const named = Object.hasOwn(wholes, word) ? wholes[word] : undefined;
  if (named !== undefined) return new Set(named);
  throw new Failure(
    "ARO-USAGE-001",
    `"${word}" is none of what is created: ${Object.keys(wholes).join(", ")}${didYouMean(word, Object.keys(wholes))}`,
  );
}

export function doctorRequest(given: DoctorSettings, made: ReadonlySet<Part>, azure: Azure, machine: Machine): DoctorRequest {
  const settings = asInCreate(given, made);
  return {
    machine,
    parts: made,
    location: settings.location,
    groups: groupsOf(settings, made),
    existing: existingOf(settings),
    wanted: wantedOf(settings, azure),
    register: settings.register,
  };
}

/** `--resource-group-name` is the managed group's in `create infra`, and that of the identities where these are made. */
function asInCreate(settings: DoctorSettings, made: ReadonlySet<Part>): DoctorSettings {
  const { resourceGroupName, persistentResourceGroupName } = settings;
  if (!made.has("identities")) return settings;
  return { ...settings, resourceGroupName: undefined, persistentResourceGroupName: persistentResourceGroupName ?? resourceGroupName };
}

function wantedOf(settings: DoctorSettings, azure: Azure): Wanted {
  const { name, infraId, baseDomain, dnsZoneRgName } = settings;
  return {
    cluster: name === undefined || infraId === undefined ? undefined : { name, infraId },
    zone: baseDomain === undefined ? undefined : { baseDomain, dnsZoneGroup: dnsZoneRgName },
    ...(name !== undefined && {
      identities: identitySetKey({ ...settings, name, persistentResourceGroupName: persistentGroupOf({ ...settings, name }) }, azure),
      issuer: issuerSpec({ ...settings, name, blobContainerName: undefined, userTags: {} }, azure, []),
    }),
  };
}

function groupsOf(settings: DoctorSettings, made: ReadonlySet<Part>): GroupsOfCreate {
  const { name } = settings;
  return {
    ...(made.has("infra") && infraGroups(settings)),
    ...(made.has("identities") && {
      identities: name === undefined ? settings.persistentResourceGroupName : persistentGroupOf({ ...settings, name }),
    }),
    ...(made.has("issuer") && {
      issuer: name === undefined ? settings.oidcResourceGroupName : issuerNames(name, { ...settings, blobContainerName: undefined }).group,
    }),
  };
}

function infraGroups(settings: DoctorSettings): GroupsOfCreate {
  const { name, infraId, naming, vnetId, subnetId, networkSecurityGroupId, resourceGroupName, singleResourceGroup } = settings;
  const dns = settings.dnsZoneRgName;
  if (name === undefined || infraId === undefined) return { managed: resourceGroupName, dns };
  const existingVnet = subnetId ?? vnetId;
  const placed = placeInfra(naming, groupNames(naming, { name, infraId }), {
    resourceGroupName,
    singleResourceGroup,
    hasExistingVnet: existingVnet !== undefined,
  });
  return {
    managed: placed.managed,
    vnet: existingVnet === undefined ? placed.vnet : parseResourceId(existingVnet).resourceGroup,
    nsg: networkSecurityGroupId === undefined ? placed.nsg : parseResourceId(networkSecurityGroupId).resourceGroup,
    privateZone: placed.privateZone,
    dns,
  };
}

function existingOf({ resourceGroupName, vnetId, subnetId, networkSecurityGroupId }: DoctorSettings): DoctorRequest["existing"] {
  const existing = new Set<Existing>();
  if (resourceGroupName !== undefined) existing.add("managed");
  if ((vnetId ?? subnetId) !== undefined) existing.add("vnet");
  if (networkSecurityGroupId !== undefined) existing.add("nsg");
  return existing;
}
