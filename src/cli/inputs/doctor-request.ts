/** Converts settings to the request of the doctor. */
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import { existingParts, knownPlacement } from "../../domain/placement.js";
import { parts, type Part } from "../../domain/create-parts.js";
import { issuerNames } from "../../domain/issuer.js";
import { didYouMean } from "../../settings/did-you-mean.js";
import type { Settings } from "../../settings/settings.js";
import type { DoctorRequest, GroupsOfCreate, Machine, Wanted } from "../../verify/doctor/request.js";
import { identitySetKey, persistentGroupOf } from "./identity-set.js";
import { clusterKey, placementChoice } from "./infra-spec.js";
import { issuerSpec } from "./issuer-spec.js";

type DoctorSettings = Settings<"doctor">;

/** The arguments of `create`; `create all` includes all others. */
const partsByArgument: Readonly<Record<string, readonly Part[]>> = {
  all: parts,
  infra: ["infra"],
  identities: ["identities"],
  "oidc-issuer": ["issuer"],
};

/** @throws ARO-USAGE-001 for an unknown argument */
export function partsOf(argument = "all"): ReadonlySet<Part> {
  const selected = Object.hasOwn(partsByArgument, argument) ? partsByArgument[argument] : undefined;
  if (selected !== undefined) return new Set(selected);
  const known = Object.keys(partsByArgument);
  throw new Failure("ARO-USAGE-001", `"${argument}" is not one of ${known.join(", ")}${didYouMean(argument, known)}`);
}

export function doctorRequest(given: DoctorSettings, created: ReadonlySet<Part>, azure: Azure, machine: Machine): DoctorRequest {
  const settings = asInCreate(given, created);
  return {
    machine,
    parts: created,
    location: settings.location,
    groups: groupsOf(settings, created),
    egress: settings.egress,
    existing: existingParts(placementChoice(settings)),
    wanted: wantedOf(settings, azure),
    register: settings.register,
  };
}

/** `--resource-group-name` is the managed resource group in `create infra`, and the group of the identities where these are created. */
function asInCreate(settings: DoctorSettings, created: ReadonlySet<Part>): DoctorSettings {
  const { resourceGroupName, persistentResourceGroupName } = settings;
  if (!created.has("identities")) return settings;
  return { ...settings, resourceGroupName: undefined, persistentResourceGroupName: persistentResourceGroupName ?? resourceGroupName };
}

function wantedOf(settings: DoctorSettings, azure: Azure): Wanted {
  const { name, baseDomain, dnsZoneRgName } = settings;
  return {
    cluster: clusterKey(settings),
    zone: baseDomain === undefined ? undefined : { baseDomain, dnsZoneGroup: dnsZoneRgName },
    ...(name !== undefined && {
      identities: identitySetKey({ ...settings, name, persistentResourceGroupName: persistentGroupOf({ ...settings, name }) }, azure),
      issuer: issuerSpec({ ...settings, name, blobContainerName: undefined, userTags: {} }, azure, []),
    }),
  };
}

function groupsOf(settings: DoctorSettings, created: ReadonlySet<Part>): GroupsOfCreate {
  const { name } = settings;
  return {
    ...(created.has("infra") && knownPlacement({ ...placementChoice(settings), cluster: clusterKey(settings) })),
    ...(created.has("identities") && {
      identities: name === undefined ? settings.persistentResourceGroupName : persistentGroupOf({ ...settings, name }),
    }),
    ...(created.has("issuer") && {
      issuer: name === undefined ? settings.oidcResourceGroupName : issuerNames(name, { ...settings, blobContainerName: undefined }).group,
    }),
  };
}
