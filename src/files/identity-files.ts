/** Reads identity files: detects the format, validates it strictly, and rejects a file passed to the wrong flag. */
import { basename, dirname, join } from "node:path";
import type { z } from "zod";
import { advise, aroHcp, type OwnCommand } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { directoryFiles } from "../domain/directory-files.js";
import { parseResourceId } from "../domain/resource-id.js";
import { controlPlaneFields, dataPlaneFields, isEnabled, optionalFields, type OptionalField } from "../domain/components.js";
import {
  combinedSchema,
  controlPlaneSchema,
  dataPlaneSchema,
  workloadSchema,
  type ControlPlaneIdentities,
  type DataPlaneIdentities,
  type ManagedIdentity,
  type WorkloadIdentities,
} from "./identity-schemas.js";
import { clusterNameIn, readInfraOutput } from "./infra-output.js";
import { readDocument, undefinedIfUnusable, type ReadDocument } from "./read.js";
import { validate } from "./validate.js";

/** Formats of identity files, and of files that are often passed by mistake. */
export type Shape = "combined" | "control-plane" | "data-plane" | "workload" | "credentials" | "infra-output";

export const shapeNames: Readonly<Record<Shape, string>> = {
  combined: "a combined identities file (controlPlane and dataPlane)",
  "control-plane": "a control-plane identities file",
  "data-plane": "a data-plane identities file",
  workload: "a workload identities file",
  credentials: "an Azure credentials file",
  "infra-output": "an output file of create infra",
};

export interface ReadIdentities<Identities> {
  /** The detected format, for messages. */
  readonly format: string;
  readonly identities: Identities;
}

export interface ManagedIdentities {
  readonly controlPlane: ControlPlaneIdentities;
  /** Present if the file is a combined file. */
  readonly dataPlane?: DataPlaneIdentities;
  /** Present if the combined file has it. */
  readonly kms?: ManagedIdentity | undefined;
}

export interface IdentityReading {
  /** Capabilities whose identities may be missing. */
  readonly disabledCapabilities: readonly string[];
}

/**
 * For `--managed-identities-file`.
 * @throws ARO-FILE-001, 002 or 003
 */
export async function readManagedIdentities(path: string, reading: IdentityReading): Promise<ReadIdentities<ManagedIdentities>> {
  const document = await readDocument(path);
  const shape = expectShape(document, ["control-plane", "combined"]);
  const identities: ManagedIdentities =
    shape === "combined"
      ? await validateIdentities(document, combinedSchema, "combined")
      : { controlPlane: await validateIdentities(document, controlPlaneSchema, "control-plane") };
  requireIdentities(document, identities.controlPlane, shape === "combined" ? ["controlPlane"] : [], reading);
  return { format: shapeNames[shape], identities };
}

/** For `--data-plane-identities-file`. */
export async function readDataPlaneIdentities(path: string): Promise<ReadIdentities<DataPlaneIdentities>> {
  const document = await readDocument(path);
  const shape = expectShape(document, ["data-plane", "combined"]);
  const identities =
    shape === "combined"
      ? (await validateIdentities(document, combinedSchema, "combined")).dataPlane
      : await validateIdentities(document, dataPlaneSchema, "data-plane");
  return { format: shapeNames[shape], identities };
}

/** For `--workload-identities-file`. */
export async function readWorkloadIdentities(path: string, reading: IdentityReading): Promise<ReadIdentities<WorkloadIdentities>> {
  const document = await readDocument(path);
  const shape = expectShape(document, ["workload"]);
  const identities = validate(document, workloadSchema, shapeNames.workload);
  requireIdentities(document, identities, [], reading);
  return { format: shapeNames[shape], identities };
}

/** "controlPlane.disk: is missing", but not a member of an entry. */
const lacksEntry = /^(?:(?:controlPlane|dataPlane)\.)?\w+: is missing$/;

/** A create writes its file after every identity. */
async function validateIdentities<Schema extends z.ZodType>(
  document: ReadDocument,
  schema: Schema,
  shape: Shape,
): Promise<z.output<Schema>> {
  try {
    return validate(document, schema, shapeNames[shape]);
  } catch (error) {
    if (!(error instanceof Failure) || !error.problems.every(({ message }) => lacksEntry.test(message))) throw error;
    throw new Failure(error.code, error.message, {
      because: "the create that writes it is still running, or broke off",
      problems: error.problems,
      next: [advise`wait for that create, or rerun it: ${await createOf(document.path)}`],
    });
  }
}

/** The command that writes a file of this name, with what the file of the infrastructure beside it says. */
async function createOf(path: string): Promise<OwnCommand> {
  if (!Object.values<string>(directoryFiles).includes(basename(path))) return aroHcp("create identities", { outputFile: path });
  const outputDir = dirname(path);
  const infra = await undefinedIfUnusable(readInfraOutput(join(outputDir, directoryFiles.infra)));
  if (infra === undefined) return aroHcp("create all", { outputDir });
  const { infraID: infraId, baseDomain, publicZoneID } = infra;
  const dnsZoneRgName = publicZoneID === undefined ? undefined : parseResourceId(publicZoneID).resourceGroup;
  return aroHcp("create all", { name: clusterNameIn(infra), infraId, baseDomain, dnsZoneRgName, outputDir });
}

function expectShape<Wanted extends Shape>(document: ReadDocument, wanted: readonly Wanted[]): Wanted {
  const shape = shapeOf(document.value);
  const found = wanted.find((candidate) => candidate === shape);
  if (found !== undefined) return found;
  throw new Failure("ARO-FILE-003", `${document.at([])} is ${shape === undefined ? "not a known identity file" : shapeNames[shape]}`, {
    because: `expected ${wanted.map((candidate) => shapeNames[candidate]).join(", or ")}`,
  });
}

/** Undefined if the format is unknown. */
export function shapeOf(value: unknown): Shape | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (has("infraID")) return "infra-output";
  if (has("clientSecret")) return "credentials";
  if (has("controlPlane") || has("dataPlane")) return "combined";
  if (dataPlaneFields.some(has)) return "data-plane";
  if (has("managedIdentitiesKeyVault")) return "control-plane";
  if (has("kmsClientID")) return "workload";
  const identities = Object.entries(value).filter(([key]) => controlPlaneFields.some((field) => field === key));
  if (identities.length === 0) return undefined;
  return identities.some(([, identity]) => hasSecret(identity)) ? "control-plane" : "workload";
}

function hasSecret(identity: unknown): boolean {
  return typeof identity === "object" && identity !== null && "credentialsSecretName" in identity;
}

function requireIdentities(
  document: ReadDocument,
  identities: Readonly<Partial<Record<OptionalField, unknown>>>,
  keys: readonly string[],
  { disabledCapabilities }: IdentityReading,
): void {
  const missing = optionalFields.find((optional) => isEnabled(optional, disabledCapabilities) && identities[optional.field] === undefined);
  if (missing === undefined) return;
  throw new Failure("ARO-FILE-003", `${document.at(keys)} has no identity "${missing.field}"`, {
    next: [`add it, or pass --disable-cluster-capabilities ${missing.capability}`],
  });
}
