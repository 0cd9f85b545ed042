/** Checks of settings that depend on each other: cluster, files, outputs and verification. */
import { basename, dirname, join, resolve } from "node:path";
import { externalDnsCredentialsPath } from "../domain/dns-zone.js";
import { arcFiles, directoryFiles } from "../domain/directory-files.js";
import { takes } from "./commands.js";
import { allOptions, flagOf } from "./options.js";
import type { Option } from "./option.js";
import type { SettingKey, Values } from "./settings.js";
import type { Check } from "./option-check.js";
import { realpathSync } from "node:fs";
import { parseEncryptionKeyId } from "../domain/encryption-key.js";

const identityFiles = [
  "managedIdentitiesFile",
  "dataPlaneIdentitiesFile",
  "workloadIdentitiesFile",
] as const satisfies readonly SettingKey[];
/** The keys of options with the path of one file that a command reads. */
const inputFiles = keysOf(({ key, isInput }) => isInput === true || key === "config");
/** The keys of those with the path of one that it writes. */
const outputFiles = keysOf(({ key }) => !inputFiles.includes(key as FileKey));

function keysOf(isWanted: (option: Option) => boolean): readonly FileKey[] {
  const files = allOptions.filter((option) => option.kind === "file" && isWanted(option));
  return [...new Set(files.map(({ key }) => key as FileKey))];
}

type FileKey = { [K in SettingKey]: NonNullable<Values[K]> extends string ? K : never }[SettingKey];

export const checkIdentityFiles: Check = ({ command, values, problem }) => {
  // The others create their identities, or assign no roles.
  if (!takes(command, "managedIdentitiesFile")) return;
  const { managedIdentitiesFile, dataPlaneIdentitiesFile, workloadIdentitiesFile } = values;
  if (workloadIdentitiesFile !== undefined && (managedIdentitiesFile ?? dataPlaneIdentitiesFile) !== undefined) {
    problem(
      "workloadIdentitiesFile",
      "cannot be combined with --managed-identities-file or --data-plane-identities-file: a cluster uses workload identities or managed identities, not both",
    );
  }
  // Verification assigns no roles, and it finds the resource group of the public zone by the zone.
  if (command === "verify identities" || command === "verify infra") return;
  // The file contains the identities and their settings.
  if (command === "show infra" && values.infraFile !== undefined) return;
  // The identity flow assigns no roles.
  if (values.flow === true) return;
  const roleSwitch = (["assignIdentityRoles", "assignCustomHcpRoles"] as const).find((key) => values[key]);
  if (roleSwitch === undefined) return;
  if (values.dnsZoneRgName === undefined)
    problem(roleSwitch, "requires --dns-zone-rg-name: the ingress identity gets a role on that resource group");
  if (identityFiles.every((key) => values[key] === undefined)) {
    problem(roleSwitch, "requires --managed-identities-file, --data-plane-identities-file or --workload-identities-file");
  }
};

export const checkExistingNetwork: Check = ({ values, given, problem }) => {
  const existing = values.subnetId === undefined ? "--vnet-id" : "--subnet-id";
  if (values.vnetId === undefined && values.subnetId === undefined) return;
  if (values.egress === "nat-gateway" && values.natGatewayId === undefined) {
    problem(
      "egress",
      `"nat-gateway" cannot be combined with ${existing}: a NAT gateway must be attached to the subnet, and existing subnets are never changed; if the subnet has one, pass its ID as --nat-gateway-id`,
    );
  }
  for (const key of ["vnetCidr", "subnetCidr"] as const) {
    if (given(key)) problem(key, `cannot be combined with ${existing}: it applies only to a new virtual network`);
  }
};

export const checkCluster: Check = ({ command, values, problem }) => {
  if ((command !== "destroy infra" && command !== "show infra") || values.infraFile !== undefined) return;
  for (const key of ["name", "infraId"] as const) {
    if (values[key] === undefined) problem(key, "is required without --infra-file");
  }
};

const namesInDirectory: readonly string[] = [...Object.values(directoryFiles), ...Object.values(arcFiles)];

function nameInDirectory(directory: string | undefined, path: string): string | undefined {
  return directory === undefined ? undefined : namesInDirectory.find((file) => sameFile(join(directory, file), path));
}

export const checkDryRunOnly: Check = ({ values, problem }) => {
  if (values.exitCode === true && values.dryRun === false)
    problem("exitCode", "requires --dry-run: the exit code of a run says whether it succeeded");
  if (values.roleCommands !== true) return;
  if (values.dryRun === false) problem("roleCommands", "requires --dry-run: a run assigns the roles itself");
  if (values.outputEvents === "-") problem("roleCommands", "cannot be combined with --output-events -, which uses standard output alone");
  if (values.output === "json") problem("roleCommands", "cannot be combined with `--output json`: the commands are lines of a shell");
};

/** One file has a default path that other settings decide. */
function outputPath(key: string, values: Values): string | undefined {
  return key === "externalDnsCredentialsFile" ? externalDnsCredentialsPath(values) : values[key as FileKey];
}

export const checkOutputs: Check = ({ values, problem }) => {
  if (values.outputEvents === "-" && values.output !== undefined && values.output !== "text") {
    problem("outputEvents", `cannot be standard output together with \`--output ${values.output}\`; set a file`);
  }
  const taken = new Map<string, FileKey>();
  for (const key of outputFiles) {
    const path = outputPath(key, values);
    if (path === undefined) continue;
    const inDirectory = nameInDirectory(values.inputDir, path);
    const input = inputFiles.find((one) => sameFile(values[one], path)) ?? (inDirectory && `${inDirectory} of --input-dir`);
    const publicKey = values.publicKeyFile?.some((file) => sameFile(file, path)) === true ? "publicKeyFile" : undefined;
    const clash = input ?? publicKey;
    if (clash !== undefined) problem(key, `"${path}" is also an input (${clash}) and would be overwritten`);
    const document = nameInDirectory(values.outputDir, path);
    if (document !== undefined) problem(key, `"${path}" is also ${document} of --output-dir`);
    // Each document replaces its file, so two documents cannot share one.
    const other = taken.get(realPath(path));
    if (other !== undefined) problem(key, `"${path}" is also the path of ${flagOf(other)}; one of them would be overwritten`);
    taken.set(realPath(path), key);
  }
};

/** The path without symbolic links. A file that does not exist yet is resolved by its directory; without a directory the path stays as is. */
function realPath(path: string): string {
  const absolute = resolve(path);
  return existingPath(absolute) ?? join(existingPath(dirname(absolute)) ?? dirname(absolute), basename(absolute));
}

/** False if one of them is undefined. */
function sameFile(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && realPath(left) === realPath(right);
}

function existingPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // It does not exist or is not accessible: opening it reports that.
    return undefined;
  }
}

export const checkVerifiedIdentities: Check = ({ command, values, problem }) => {
  if (command !== "verify identities") return;
  const { inputDir, managedIdentitiesFile, dataPlaneIdentitiesFile } = values;
  if ((inputDir ?? managedIdentitiesFile ?? dataPlaneIdentitiesFile) === undefined) {
    problem("inputDir", "or --managed-identities-file or --data-plane-identities-file is required");
  }
  for (const key of ["encryptionKeyId", "backupEncryptionKeyId"] as const) {
    const id = values[key];
    if (id === undefined || parseEncryptionKeyId(id) !== undefined) continue;
    problem(key, `"${id}" is not the ID of a key with its version: https://<vault>.vault.azure.net/keys/<key>/<version>`);
  }
};

export const checkVerifiedInfra: Check = ({ command, values, problem }) => {
  if (command !== "verify infra") return;
  if ((values.infraFile ?? values.inputDir) === undefined) {
    for (const key of ["name", "infraId"] as const) {
      if (values[key] === undefined) problem(key, "is required without --infra-file or --input-dir");
    }
  }
};

/** More steps have no effect: Azure's token bucket for writes holds 200 and refills by 10 a second. Members of a fleet mostly wait. */
const maxConcurrency = { steps: 64, members: 256 } as const;

export const checkConcurrency: Check = ({ command, values, problem }) => {
  const { concurrency } = values;
  const most = maxConcurrency[command.endsWith(" fleet") ? "members" : "steps"];
  if (concurrency !== undefined && (concurrency < 1 || concurrency > most)) {
    problem("concurrency", `${concurrency} is not between 1 and ${most}`);
  }
};
