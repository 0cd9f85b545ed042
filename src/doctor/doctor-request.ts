/** Converts settings to the request of the doctor. */
import { identityGraph } from "../identities/index.js";
import { infraGraph, clusterKey, egressOf, infraSpec, placementChoice } from "../infra/index.js";
import { givenKeys, issuerGraph, issuerGroupOf, issuerSpec } from "../issuer/index.js";
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import type { Step } from "../engine/step.js";
import { existingParts, knownPlacement } from "../domain/placement.js";
import { partsByCommand, type Part } from "../domain/create-parts.js";
import { defaultCertificates } from "../domain/identity-spec.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { optionsOf } from "../settings/commands.js";
import type { Settings } from "../settings/settings.js";
import type { DoctorRequest, GroupsOfCreate, Machine, PlannedPart, Wanted } from "../preflight/request.js";
import { identitySetKey, identitySpec, inPersistentGroup, ofIdentitySet, persistentGroupOf } from "../run/identity-set.js";

type DoctorSettings = Settings<"doctor">;

/** `argument` is one of its choices. */
export function partsOf(argument = "all"): ReadonlySet<Part> {
  return new Set(partsByCommand[argument]);
}

/** `account`: of the issuer; undefined without a set. */
export function doctorRequest(
  given: DoctorSettings,
  created: ReadonlySet<Part>,
  azure: Azure,
  machine: Machine,
  account: string | undefined,
): DoctorRequest {
  const settings = asInCreate(given, created);
  const { name } = ofIdentitySet(settings);
  const issuer =
    name === undefined || account === undefined
      ? undefined
      : issuerSpec({ ...settings, name, blobContainerName: undefined, userTags: {} }, azure, account);
  return {
    machine,
    parts: created,
    location: settings.location,
    groups: groupsOf(settings, created),
    egress: egressOf(settings),
    existing: existingParts(placementChoice(settings)),
    wanted: { ...wantedOf(settings, azure), ...(issuer && { issuer }) },
    planned: (caller) => plannedParts(settings, created, issuer, azure, caller).filter(({ part }) => created.has(part)),
    clusters: settings.clusters,
    register: settings.register,
  };
}

/** The parts as the create commands build them. Role assignments are left out: none of them is refused. */
function plannedParts(
  settings: DoctorSettings,
  created: ReadonlySet<Part>,
  issuer: IssuerSpec | undefined,
  azure: Azure,
  caller: SignedIn,
): PlannedPart[] {
  const { name, infraId, baseDomain } = settings;
  const missing = (flags: Readonly<Record<string, string | undefined>>) =>
    Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  const unnamed = missing({ "--name": ofIdentitySet(settings).name });
  const issued = issuer && issuerGraph(azure, issuer, givenKeys([]), caller);
  return [
    {
      part: "infra",
      steps: infraSteps(settings, azure),
      missing: missing({ "--name": name, "--infra-id": infraId, "--base-domain": baseDomain }),
      needed: name === undefined ? [] : neededBy(created.has("identities") ? "create all" : "create infra", settings),
    },
    { part: "identities", steps: identitySteps(settings, azure, caller, issuer?.url ?? ""), missing: unnamed },
    // Without a key there are no documents to plan.
    { part: "issuer", steps: issued?.steps.filter((step) => step !== issued.documents) ?? [], missing: unnamed },
  ];
}

/** What the create requires, and the doctor takes. */
function neededBy(command: "create all" | "create infra", settings: DoctorSettings): string[] {
  const given: Readonly<Record<string, unknown>> = settings;
  return optionsOf(command).flatMap(({ key, flag, isRequired }) => (isRequired && key in given && given[key] === undefined ? [flag] : []));
}

function infraSteps(settings: DoctorSettings, azure: Azure): readonly Step<unknown>[] {
  const { name, infraId, baseDomain, assignCustomHcpRoles: assignIdentityRoles } = settings;
  if (name === undefined || infraId === undefined || baseDomain === undefined) return [];
  const spec = infraSpec({ ...settings, name, infraId, baseDomain, assignIdentityRoles }, azure.connection.subscriptionId, {});
  return infraGraph(azure, spec).steps;
}

function identitySteps(settings: DoctorSettings, azure: Azure, caller: SignedIn, oidcIssuerUrl: string): readonly Step<unknown>[] {
  const { name } = ofIdentitySet(settings);
  if (name === undefined) return [];
  const names = inPersistentGroup({ ...settings, name });
  const choices = {
    enableKms: false,
    purgeProtection: "none",
    keySize: String(defaultCertificates.keySize),
    validityMonths: defaultCertificates.validityMonths,
    keyVaultReaderObjectId: undefined,
  } as const;
  return identityGraph(azure, identitySpec({ ...names, ...choices, oidcIssuerUrl }, azure, caller), caller).steps;
}

/** `--resource-group-name` is the managed resource group in `create infra`, and the group of the identities where these are created. */
function asInCreate(settings: DoctorSettings, created: ReadonlySet<Part>): DoctorSettings {
  const { resourceGroupName, persistentResourceGroupName } = settings;
  if (!created.has("identities")) return settings;
  return { ...settings, resourceGroupName: undefined, persistentResourceGroupName: persistentResourceGroupName ?? resourceGroupName };
}

function wantedOf(settings: DoctorSettings, azure: Azure): Wanted {
  const { baseDomain, dnsZoneRgName } = settings;
  const { name } = ofIdentitySet(settings);
  return {
    cluster: clusterKey(settings),
    zone: baseDomain === undefined ? undefined : { baseDomain, dnsZoneGroup: dnsZoneRgName },
    ...(name !== undefined && {
      identities: identitySetKey(inPersistentGroup({ ...settings, name }), azure),
    }),
  };
}

function groupsOf(settings: DoctorSettings, created: ReadonlySet<Part>): GroupsOfCreate {
  const { name } = ofIdentitySet(settings);
  return {
    ...(created.has("infra") && knownPlacement({ ...placementChoice(settings), cluster: clusterKey(settings) })),
    ...(created.has("identities") && {
      identities: name === undefined ? settings.persistentResourceGroupName : persistentGroupOf({ ...settings, name }),
    }),
    ...(created.has("issuer") && {
      issuer: name === undefined ? settings.oidcResourceGroupName : issuerGroupOf({ ...settings, name }),
    }),
  };
}
