/** Converts settings, and the output file of create infra if passed, to the settings of the create infra that is verified. */
import { dirname, join } from "node:path";
import type { Azure } from "../../azure/azure.js";
import { findUnclaimed } from "../../azure/named-resources.js";
import { unclaimedFailure } from "../../domain/unclaimed-failure.js";
import { noSuchClusterTag } from "../removal/not-found.js";
import { advise, aroHcp, blank } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { readInfraIdentities, type InfraIdentities } from "../../files/infra-identities.js";
import { clusterNameIn, readInfraOutput, type InfraInput } from "../../files/infra-output.js";
import { readTextIfThere } from "../../files/text-file.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { infraNames, type ClusterKey, type InfraNames, type Naming } from "../../domain/names.js";
import { placeInfra } from "../../domain/placement.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { CreateInfraSettings, Resolved, Settings } from "../../settings/settings.js";
import { requireWritten } from "../../run/input-files.js";
import type { KnownCluster } from "../../run/connection-flags.js";
import { assigneesOf, namesIdentityFile, type Identities } from "./identities.js";
import { clusterKey, type DescribedInfra } from "./infra-spec.js";
import { sameText } from "../../text/same-text.js";

/** The source files of the identities. */
export type IdentityPaths = Partial<
  Pick<CreateInfraSettings, "managedIdentitiesFile" | "dataPlaneIdentitiesFile" | "workloadIdentitiesFile">
>;

type VerifySettings = Settings<"verify infra">;
type VerifyOrigins = Resolved<"verify infra">["origins"];

/** The content of the files from flags or from the directory. */
export interface InfraFiles {
  readonly document: InfraInput | undefined;
  /** Path of `document`. */
  readonly path: string | undefined;
  readonly identityPaths: IdentityPaths;
  /** The identities in `document`, if no file was passed for them: `identityPaths` then has their other possible sources. */
  readonly inDocument: InfraIdentities | undefined;
}

export async function infraFiles(settings: VerifySettings): Promise<InfraFiles> {
  const { inputDir, infraFile, managedIdentitiesFile, dataPlaneIdentitiesFile, workloadIdentitiesFile } = settings;
  if (inputDir !== undefined && infraFile === undefined) await requireWritten(inputDir, directoryFiles.infra);
  const identities = inputDir === undefined ? undefined : join(inputDir, directoryFiles.identities);
  const inDirectory = identities !== undefined && workloadIdentitiesFile === undefined && (await readTextIfThere(identities)) !== undefined;
  const path = infraFile ?? (inputDir === undefined ? undefined : join(inputDir, directoryFiles.infra));
  const document = path === undefined ? undefined : await readInfraOutput(path);
  const named = {
    managedIdentitiesFile: managedIdentitiesFile ?? (inDirectory ? identities : undefined),
    dataPlaneIdentitiesFile,
    workloadIdentitiesFile,
  };
  if (path === undefined || namesIdentityFile(named)) {
    return { document, path, identityPaths: named, inDocument: undefined };
  }
  const inDocument = await readInfraIdentities(path);
  return { document, path, identityPaths: await placesOf(inDocument, path), inDocument };
}

/** Where `create infra` can read them from: next to the other files of `create all`, otherwise anywhere. */
async function placesOf({ dataPlane, workload }: InfraIdentities, path: string): Promise<IdentityPaths> {
  if (workload !== undefined) return { workloadIdentitiesFile: "FILE" };
  const beside = join(dirname(path), directoryFiles.identities);
  if ((await readTextIfThere(beside)) !== undefined) return { managedIdentitiesFile: beside };
  return { managedIdentitiesFile: "FILE", ...(dataPlane && { dataPlaneIdentitiesFile: "FILE" }) };
}

export interface InfraToVerify {
  /** The settings of the matching create infra. */
  readonly described: DescribedInfra & IdentityPaths;
  /** Whether the address ranges of the network are unknown, so that its actual ranges are accepted. */
  readonly rangesUnknown: boolean;
}

type Named = Pick<VerifySettings, "name" | "infraId">;

/** The cluster from flags or file; undefined if neither specifies it. */
export function clusterIn(settings: Named, document: InfraInput | undefined): ClusterKey | undefined {
  return clusterKey({ name: settings.name ?? (document && clusterNameIn(document)), infraId: settings.infraId ?? document?.infraID });
}

/** What flags or file contain of the cluster, for advised commands. */
export function knownCluster(
  settings: Partial<Named> & { readonly baseDomain?: string | undefined },
  document: InfraInput | undefined,
): KnownCluster {
  const name = settings.name ?? (document && clusterNameIn(document));
  const infraId = settings.infraId ?? document?.infraID;
  const baseDomain = settings.baseDomain ?? document?.baseDomain;
  const zone = document?.publicZoneID;
  const dnsZoneRgName = zone === undefined || zone === "" ? undefined : parseResourceId(zone).resourceGroup;
  return {
    ...(name !== undefined && { name }),
    ...(infraId !== undefined && { infraId }),
    ...(baseDomain !== undefined && { baseDomain }),
    ...(dnsZoneRgName !== undefined && { dnsZoneRgName }),
  };
}

/** @throws ARO-USAGE-001 if neither specifies it */
export function requiredCluster(settings: Named, document: InfraInput | undefined): ClusterKey {
  return {
    name: requiredValue(settings.name ?? (document && clusterNameIn(document)), "--name"),
    infraId: requiredValue(settings.infraId ?? document?.infraID, "--infra-id"),
  };
}

/**
 * Flags override the file.
 * @throws ARO-USAGE-001 if a required value is in neither
 */
export function infraToVerify(
  { settings, origins }: Pick<Resolved<"verify infra">, "settings" | "origins">,
  document: InfraInput | undefined,
  identityPaths: IdentityPaths,
  identities: Identities,
  isRecorded = false,
): InfraToVerify {
  const cluster = requiredCluster(settings, document);
  const baseDomain = requiredValue(settings.baseDomain ?? document?.baseDomain, "--base-domain");
  const recorded = document === undefined || isRecorded ? undefined : recordedIn(document, { ...cluster, baseDomain }, settings);
  const { disableClusterCapabilities, assignCustomHcpRoles } = settings;
  const hasRoles = assigneesOf(identities, disableClusterCapabilities).length > 0;
  const rangesGiven = given(origins, "vnetCidr") || given(origins, "subnetCidr");
  const described = {
    ...settings,
    ...cluster,
    baseDomain,
    location: given(origins, "location") ? settings.location : (document?.region ?? settings.location),
    naming: recorded?.naming ?? settings.naming,
    resourceGroupName: settings.resourceGroupName ?? recorded?.resourceGroupName,
    singleResourceGroup: settings.singleResourceGroup || (recorded?.singleResourceGroup ?? false),
    networkSecurityGroupId: settings.networkSecurityGroupId ?? recorded?.networkSecurityGroupId,
    vnetId: settings.vnetId ?? recorded?.vnetId,
    subnetId: settings.subnetId ?? recorded?.subnetId,
    dnsZoneRgName: settings.dnsZoneRgName ?? recorded?.dnsZoneRgName,
    assignIdentityRoles: hasRoles,
    assignCustomHcpRoles: hasRoles && assignCustomHcpRoles,
    ...noIdentityPaths,
    ...(hasRoles && identityPaths),
  };
  return { described, rangesUnknown: document !== undefined && !isRecorded && !rangesGiven && described.vnetId === undefined };
}

const noIdentityPaths = { managedIdentitiesFile: undefined, dataPlaneIdentitiesFile: undefined, workloadIdentitiesFile: undefined };

type RecordedSettings = Pick<
  DescribedInfra,
  "naming" | "resourceGroupName" | "singleResourceGroup" | "networkSecurityGroupId" | "vnetId" | "subnetId" | "dnsZoneRgName"
>;
type Cluster = Pick<DescribedInfra, "name" | "infraId" | "baseDomain">;

/** The file lists resources, but not which of them existed before: those whose name or group differs from that of create infra. */
function recordedIn(document: InfraInput, cluster: Cluster, { naming: givenNaming }: VerifySettings): RecordedSettings {
  const { resourceGroupName, privateZoneID, publicZoneID, vnetID, subnetID, securityGroupID } = document;
  const zone = nameIn(privateZoneID);
  const isNamed = (naming: Naming) => zone === infraNames(naming, cluster).privateZone.toLowerCase();
  const naming = isNamed("hypershift") ? "hypershift" : isNamed("documented") ? "documented" : givenNaming;
  const names = infraNames(naming, cluster);
  const existingGroup = !resourceGroupName || sameText(resourceGroupName, names.groups.managed) ? undefined : resourceGroupName;
  const inOneGroup = hasCreatedName(names, "vnet", vnetID, existingGroup ?? names.groups.managed);
  const none = { vnetId: undefined, subnetId: undefined, networkSecurityGroupId: undefined };
  const place = placeInfra({ cluster, naming, existingGroup, singleResourceGroup: inOneGroup, existing: none, dnsZoneGroup: undefined });
  const isVnetCreated = vnetID === undefined || hasCreatedName(names, "vnet", vnetID, place.vnet);
  const isNsgCreated = securityGroupID === undefined || hasCreatedName(names, "nsg", securityGroupID, place.nsg ?? place.managed);
  return {
    naming,
    resourceGroupName: existingGroup,
    singleResourceGroup: inOneGroup,
    vnetId: isVnetCreated ? undefined : vnetID,
    subnetId: isVnetCreated ? undefined : subnetID,
    networkSecurityGroupId: isNsgCreated ? undefined : securityGroupID,
    dnsZoneRgName: publicZoneID === undefined ? undefined : parseResourceId(publicZoneID).resourceGroup,
  };
}

/** Whether the ID has the name and the group that `create infra` chooses. */
function hasCreatedName(names: InfraNames, kind: "vnet" | "nsg", id: string | undefined, group: string): boolean {
  return id !== undefined && sameText(parseResourceId(id).resourceGroup ?? "", group) && sameText(parseResourceId(id).name, names[kind]);
}

function nameIn(id: string | undefined): string | undefined {
  return id === undefined ? undefined : parseResourceId(id).name.toLowerCase();
}

function given(origins: VerifyOrigins, key: keyof VerifyOrigins): boolean {
  return origins[key] !== undefined && origins[key].source !== "default";
}

/**
 * @throws ARO-USAGE-001 if there is neither a file nor a resource of the cluster, and no base domain that its resources would have. ARO-OWN-007 if
 * there are resources with its names.
 */
export async function requireFound(
  azure: Azure,
  cluster: ClusterKey,
  sources: {
    readonly exists: boolean;
    readonly document: InfraInput | undefined;
    readonly baseDomain: string | undefined;
    readonly resourceGroupName: string | undefined;
    readonly create: "create infra" | "create all";
  },
): Promise<void> {
  if (sources.exists || sources.document !== undefined || sources.baseDomain !== undefined) return;
  const { name, infraId } = cluster;
  const search = { cluster, existingGroup: sources.resourceGroupName };
  const found = await findUnclaimed(azure, search);
  if (found.unclaimed.length > 0) throw unclaimedFailure(search, found);
  const named = { name, infraId, baseDomain: blank("base-domain") };
  const { because, infraIds } = await noSuchClusterTag(azure, cluster);
  throw new Failure("ARO-USAGE-001", `no cluster ${name}/${infraId} was found in subscription ${azure.connection.subscriptionId}`, {
    because,
    next: [
      ...(infraIds.length === 0 ? [] : [`pass ${infraIds.map((id) => `--infra-id ${id}`).join(" or ")}: cluster ${name} has it`]),
      "check --name, --infra-id and --subscription",
      advise`or create it: ${sources.create === "create all" ? aroHcp("create all", named) : aroHcp("create infra", named)}`,
    ],
  });
}

export function requiredValue(value: string | undefined, flag: string): string {
  if (value !== undefined && value !== "") return value;
  throw new Failure("ARO-USAGE-001", `${flag} is required: neither a file nor a tag of the cluster contains it`, {
    next: ["pass it, or --infra-file with the output file of create infra, or --input-dir with the directory that create all wrote"],
  });
}
