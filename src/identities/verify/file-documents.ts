/** Extracts the control plane and data plane parts of the identity files, not yet validated. */
import { advise, aroHcp, type OwnCommand } from "../../errors/advice.js";
import { shapeNames, shapeOf, type Shape } from "../../files/identity-files.js";
import type { GivenDocument } from "../../files/given-document.js";
import type { ControlPlaneComponent } from "../../domain/components.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import type { IdentityChain } from "./chain.js";

type Entries = Readonly<Record<string, unknown>>;

/** One plane's part of a file. */
export interface Plane {
  readonly entries: Entries;
  /** `file:line` of the value at these keys of the part. */
  at(...keys: readonly string[]): string;
}

export interface ControlPlanePart extends Plane {
  /** The KMS identity is separate from the control plane, as in a HostedCluster. */
  readonly kms: unknown;
  /** `file:line` of the value at this key of a component's entry. */
  atEntry(field: ControlPlaneComponent["field"], key: string): string;
  /** Unknown top-level keys of the file. */
  readonly unknownMembers: readonly string[];
}

const writesControlPlane = aroHcp("create identities", { outputManagedIdentities: "FILE" });
const writesDataPlane = aroHcp("create identities", { outputDataPlaneIdentities: "FILE" });

export function controlPlanePart({ managedIdentities }: IdentityChain): Finding<ControlPlanePart> {
  if (managedIdentities === undefined) return notChecked("--managed-identities-file is not specified");
  return part(managedIdentities, ["control-plane", "combined"], "controlPlane", writesControlPlane, (plane, value, at) => ({
    ...plane,
    atEntry: (field, key) => (field === "kms" ? at("kms", key) : plane.at(field, key)),
    kms: plane.entries === value ? undefined : value["kms"],
    unknownMembers: plane.entries === value ? [] : Object.keys(value).filter((key) => !["controlPlane", "dataPlane", "kms"].includes(key)),
  }));
}

/** A separate file takes precedence over the part in a combined file. */
export function dataPlanePart({ dataPlaneIdentities, managedIdentities }: IdentityChain): Finding<Plane> {
  const given = dataPlaneIdentities ?? (isCombined(managedIdentities) ? managedIdentities : undefined);
  if (given === undefined) return notChecked("--data-plane-identities-file is not specified");
  return part(given, ["data-plane", "combined"], "dataPlane", writesDataPlane, (plane) => plane);
}

/** The vault's name in the file, even if the file has other faults; undefined if it has none. */
export function vaultNameIn(chain: IdentityChain): string | undefined {
  const { managedIdentities } = chain;
  if (managedIdentities === undefined || "failure" in managedIdentities.read) return undefined;
  const part = controlPlanePart(chain);
  const vault = part.passed === true ? part.value.entries["managedIdentitiesKeyVault"] : undefined;
  return isObject(vault) && typeof vault["name"] === "string" ? vault["name"] : undefined;
}

/** Whether there is an identity for etcd encryption. Most clusters have none, and get no skipped checks for it. */
export function hasKms({ managedIdentities }: IdentityChain): boolean {
  const value = valueOf(managedIdentities);
  return shapeOf(value) === "combined" && isObject(value) && value["kms"] !== undefined;
}

export function isCombined(given: GivenDocument | undefined): boolean {
  return shapeOf(valueOf(given)) === "combined";
}

function valueOf(given: GivenDocument | undefined): unknown {
  return given && "document" in given.read ? given.read.document.value : undefined;
}

function part<P extends Plane>(
  { path, read }: GivenDocument,
  wanted: readonly Shape[],
  member: string,
  writtenBy: OwnCommand,
  made: (plane: Plane, value: Entries, at: Plane["at"]) => P,
): Finding<P> {
  // The failure becomes the finding, like a failed request to Azure.
  if ("failure" in read) throw read.failure;
  const { document } = read;
  const shape = shapeOf(document.value);
  if (shape === undefined || !wanted.includes(shape) || !isObject(document.value)) {
    return failed(
      `${path} is ${shape === undefined ? "not a known identity file" : shapeNames[shape]}, expected ${wanted.map((one) => shapeNames[one]).join(", or ")}`,
      advise`pass the file that ${writtenBy} or create all wrote`,
    );
  }
  const inner = shape === "combined" ? document.value[member] : document.value;
  if (!isObject(inner))
    return failed(`${document.at([])} has no "${member}"`, advise`add "${member}", as ${aroHcp("create identities")} writes it`);
  const prefix = shape === "combined" ? [member] : [];
  return passed(
    `${path} is ${shapeNames[shape]}`,
    made({ entries: inner, at: (...keys) => document.at([...prefix, ...keys]) }, document.value, (...keys) => document.at(keys)),
  );
}

export function isObject(value: unknown): value is Entries {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
