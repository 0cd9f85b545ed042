/** Checks of settings that depend on each other: of the cluster, the files, the outputs, a drawing and a verification. */
import { basename, dirname, join, resolve } from "node:path";
import { directoryFiles } from "../../domain/directory-files.js";
import type { SettingKey } from "../settings.js";
import type { Check } from "./check.js";
import { realpathSync } from "node:fs";
import { encryptionKeyProblem, parseEncryptionKeyId } from "../../domain/encryption-key.js";
import ipaddr from "ipaddr.js";

const identityFiles = [
  "managedIdentitiesFile",
  "dataPlaneIdentitiesFile",
  "workloadIdentitiesFile",
] as const satisfies readonly SettingKey[];
const inputFiles = [
  ...identityFiles,
  "azureCreds",
  "infraJson",
  "config",
  "kubeconfig",
  "saTokenIssuerPrivateKeyPath",
] as const satisfies readonly SettingKey[];

export const checkIdentityFiles: Check = ({ command, values, problem }) => {
  // Its identities are made, not given.
  if (command === "create all") return;
  const { managedIdentitiesFile, dataPlaneIdentitiesFile, workloadIdentitiesFile } = values;
  if (workloadIdentitiesFile !== undefined && (managedIdentitiesFile ?? dataPlaneIdentitiesFile) !== undefined) {
    problem(
      "workloadIdentitiesFile",
      "excludes --managed-identities-file and --data-plane-identities-file: a control plane has one kind of identities",
    );
  }
  // Nothing is assigned: it is looked whether all was, and the public zone's group is found by the zone.
  if (command === "verify identities" || command === "verify infra") return;
  // The file has the identities, and the choices that go with them.
  if (command === "show infra" && values.infraJson !== undefined) return;
  // Nothing is given, only drawn.
  if (values.flow === true) return;
  const asking = (["assignIdentityRoles", "assignCustomHcpRoles"] as const).find((key) => values[key]);
  if (asking === undefined) return;
  if (values.dnsZoneRgName === undefined) problem(asking, "needs --dns-zone-rg-name: the ingress identity gets its role there");
  if (identityFiles.every((key) => values[key] === undefined)) {
    problem(asking, "needs identities: --managed-identities-file, --data-plane-identities-file or --workload-identities-file");
  }
};

export const checkExistingNetwork: Check = ({ values, given, problem }) => {
  const existing = values.subnetId === undefined ? "--vnet-id" : "--subnet-id";
  if (values.vnetId === undefined && values.subnetId === undefined) return;
  if (values.egress === "nat-gateway") {
    problem(
      "egress",
      `"nat-gateway" is for a network that is made: a NAT gateway is attached to the subnet, and ${existing} names one that is never changed`,
    );
  }
  for (const key of ["vnetCidr", "subnetCidr"] as const) {
    if (given(key)) problem(key, `is for a network that is made; ${existing} brings one`);
  }
};

export const checkCluster: Check = ({ command, values, problem }) => {
  if ((command !== "destroy infra" && command !== "show infra") || values.infraJson !== undefined) return;
  for (const key of ["name", "infraId"] as const) {
    if (values[key] === undefined) problem(key, "is required where --infra-json is not given");
  }
};

function nameInDirectory(directory: string | undefined, path: string | undefined): string | undefined {
  return directory === undefined ? undefined : Object.values(directoryFiles).find((file) => sameFile(join(directory, file), path));
}

export const checkOutputs: Check = ({ values, problem }) => {
  if (values.events === "-" && values.output === "json") {
    problem("events", "and --output json both want standard output: give --events a file");
  }
  for (const key of ["outputFile", "events", "report", "managedIdentitiesOutputFile", "dataPlaneIdentitiesOutputFile"] as const) {
    const inDirectory = nameInDirectory(values.inputDir, values[key]);
    const clash = inputFiles.find((input) => sameFile(values[input], values[key])) ?? (inDirectory && `${inDirectory} of --input-dir`);
    if (clash !== undefined) problem(key, `"${values[key]}" is also read, as ${clash}: it would be overwritten`);
  }
  const key = values.publicKeyFile?.find((file) => sameFile(file, values.events));
  if (key !== undefined) problem("events", `"${key}" is also read, as publicKeyFile: it would be overwritten`);
  if (sameFile(values.outputFile, values.events)) problem("events", `"${values.events}" is also the output file`);
  const document = nameInDirectory(values.outputDir, values.events);
  if (document !== undefined) problem("events", `"${values.events}" is ${document} of --output-dir, which events would be appended to`);
};

/** Of a file that is not there yet, by its directory; as it is spelled where that is not there either. */
export function realPath(path: string): string {
  const whole = resolve(path);
  return real(whole) ?? join(real(dirname(whole)) ?? dirname(whole), basename(whole));
}

/** False where one of them is not given. */
function sameFile(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && realPath(left) === realPath(right);
}

function real(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Not there, or not ours to look at: whoever opens it will say so.
    return undefined;
  }
}

export const checkGraph: Check = ({ command, values, problem }) => {
  if (command !== "graph") return;
  if (values.flow !== true) {
    for (const key of ["name", "infraId", "baseDomain"] as const) {
      if (values[key] === undefined) problem(key, "is required where --flow is not given");
    }
    return;
  }
  const { inputDir, infraJson, managedIdentitiesFile, workloadIdentitiesFile, name, encryptionKeyId } = values;
  if ((inputDir ?? infraJson ?? managedIdentitiesFile ?? name) === undefined) {
    problem("inputDir", "or one of --infra-json, --managed-identities-file and --name is required with --flow");
  }
  if (workloadIdentitiesFile !== undefined) {
    problem("workloadIdentitiesFile", "is of a self-managed control plane: --flow draws the managed identities of ARO HCP");
  }
  const wrongKey = encryptionKeyId === undefined ? undefined : encryptionKeyProblem(encryptionKeyId);
  if (wrongKey !== undefined) problem("encryptionKeyId", wrongKey);
};

export const checkVerifiedIdentities: Check = ({ command, values, problem }) => {
  if (command !== "verify identities") return;
  const { inputDir, managedIdentitiesFile, dataPlaneIdentitiesFile, encryptionKeyId } = values;
  if ((inputDir ?? managedIdentitiesFile ?? dataPlaneIdentitiesFile) === undefined) {
    problem("inputDir", "or one of --managed-identities-file and --data-plane-identities-file is required");
  }
  if (encryptionKeyId !== undefined && parseEncryptionKeyId(encryptionKeyId) === undefined) {
    problem("encryptionKeyId", `"${encryptionKeyId}" is not the id of a vault key: https://<vault>.vault.azure.net/keys/<name>/<version>`);
  }
};

export const checkVerifiedInfra: Check = ({ command, values, problem }) => {
  if (command !== "verify infra") return;
  if ((values.infraJson ?? values.inputDir) === undefined) {
    for (const key of ["name", "infraId"] as const) {
      if (values[key] === undefined) problem(key, "is required where neither --infra-json nor --input-dir is given");
    }
  }
  for (const key of ["clusterCidr", "serviceCidr"] as const) {
    const wrong = values[key]?.find((cidr) => !ipaddr.isValidCIDR(cidr));
    if (wrong !== undefined) problem(key, `"${wrong}" is not a range such as 10.132.0.0/14`);
  }
};

/** More at once than Azure's write bucket (200, refilled by 10 a second) would help nobody. */
const maxConcurrency = 64;

export const checkConcurrency: Check = ({ values, problem }) => {
  const { concurrency } = values;
  if (concurrency !== undefined && (concurrency < 1 || concurrency > maxConcurrency)) {
    problem("concurrency", `${concurrency} is not between 1 and ${maxConcurrency}`);
  }
};
