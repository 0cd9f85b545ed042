/** Checks of the identity files, and what they hand on: which vault, and who is who. */
import { advise, aroHcp, shell } from "../../errors/advice.js";
import { secretName, uuid, vaultName } from "../../files/fields.js";
import { objectEncodings } from "../../files/identity-schemas.js";
import {
  controlPlaneComponents,
  controlPlaneFields,
  dataPlaneComponents,
  isEnabled,
  optionalFields,
  type ControlPlaneComponent,
  type DataPlaneComponent,
} from "../../domain/components.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import type { ControlPlaneEntry, ControlPlaneLink, DataPlaneEntry, DataPlaneLink, IdentityChain, VaultReference } from "./chain.js";
import { identityChecks } from "./checks.js";
import { controlPlanePart, dataPlanePart, hasKms, isObject, type ControlPlanePart, type Plane } from "./file-documents.js";

export interface FileLinks {
  readonly instances: readonly CheckInstance[];
  readonly vault: CheckInstance<VaultReference>;
  readonly controlPlane: readonly ControlPlaneLink[];
  readonly dataPlane: readonly DataPlaneLink[];
}

/** Subjects of the checks of whole files. */
const controlPlaneSubject = "control plane";
const dataPlaneSubject = "data plane";

const entryKeys = ["clientID", "credentialsSecretName", "objectEncoding", "certificateName"];

export function fileCheckInstances(chain: IdentityChain): FileLinks {
  const shape = checkInstance(identityChecks["file-shape"], controlPlaneSubject, {}, () => controlPlanePart(chain));
  const entries = checkInstance(identityChecks["file-entries"], controlPlaneSubject, { shape }, ({ shape: part }) =>
    checkEntries(part, chain),
  );
  const vault = checkInstance(identityChecks["file-vault"], "vault", { shape }, ({ shape: part }) => checkVault(part, chain));
  const controlPlane = controlPlaneComponents
    .filter(({ field }) => field !== "kms" || hasKms(chain))
    .map((component: ControlPlaneComponent) => ({
      component,
      entry: checkInstance(identityChecks["file-values"], component.key, { shape }, ({ shape: part }) => checkEntry(part, component)),
    }));
  const dataShape = checkInstance(identityChecks["file-shape"], dataPlaneSubject, {}, () => dataPlanePart(chain));
  const dataPlane = dataPlaneComponents.map((component) => {
    const clientId = checkInstance(identityChecks["file-data-plane"], component.key, { dataShape }, ({ dataShape: part }) =>
      checkManagedIdentity(part, component, chain),
    );
    return { component, clientId };
  });
  return {
    instances: [
      shape,
      dataShape,
      entries,
      vault,
      ...[...controlPlane].map(({ entry }) => entry),
      ...dataPlane.map(({ clientId }) => clientId),
    ],
    vault,
    controlPlane,
    dataPlane,
  };
}

function checkEntries({ entries, kms, strays, at }: ControlPlanePart, { disabledCapabilities }: IdentityChain): Finding<unknown> {
  const spared = optionalFields.filter((optional) => !isEnabled(optional, disabledCapabilities));
  const wanted = controlPlaneFields.filter((field) => !spared.some((optional) => optional.field === field));
  const missing = wanted.filter((field) => !isObject(entries[field]));
  // The backup identity of HyperShift's contrib scripts, which HyperShift reads over.
  const known: readonly string[] = [...controlPlaneFields, "managedIdentitiesKeyVault", "velero"];
  const unknown = [
    ...strays,
    ...Object.keys(entries).filter((key) => !known.includes(key)),
    ...[...controlPlaneFields.map((field) => [field, entries[field]] as const), ["kms", kms] as const].flatMap(([field, entry]) =>
      Object.keys(isObject(entry) ? entry : {})
        .filter((key) => !entryKeys.includes(key))
        .map((key) => `${field}.${key}`),
    ),
  ];
  if (missing.length === 0 && unknown.length === 0) return holds(`${String(wanted.length)} entries`);
  return broken(
    [
      ...(missing.length > 0 ? [`no entry ${missing.join(", ")} (a HostedCluster without it is refused)`] : []),
      ...(unknown.length > 0 ? [`unknown: ${unknown.join(", ")}`] : []),
    ].join("; "),
    missing.length > 0
      ? advise`add ${missing.join(", ")} at ${at()}; for an identity that there is not yet, ${aroHcp("create identities")} makes it and writes the file`
      : `take ${unknown.join(", ")} out of the file, or correct the spelling`,
  );
}

function checkVault({ entries, at }: ControlPlanePart, { caller }: IdentityChain): Finding<VaultReference> {
  const { name, tenantID } = isObject(entries["managedIdentitiesKeyVault"]) ? entries["managedIdentitiesKeyVault"] : {};
  const place = at("managedIdentitiesKeyVault", "tenantID");
  const wrong = vaultName.safeParse(name).success ? undefined : "the name is none that a vault can have: pods would not find its host";
  if (wrong !== undefined || typeof name !== "string")
    return broken(`${at("managedIdentitiesKeyVault", "name")}: ${wrong ?? ""}`, "put the name of the vault there, not its URL");
  if (typeof tenantID !== "string" || !uuid.safeParse(tenantID).success) {
    return broken(
      `${place}: tenantID is not a UUID`,
      `put tenantID "${caller.tenantId}" there, if the vault is in the tenant you are signed in to`,
    );
  }
  if (tenantID.toLowerCase() !== caller.tenantId.toLowerCase()) {
    return broken(
      `the file says tenant ${tenantID}, and tenant ${caller.tenantId} is signed in to`,
      advise`sign in to the other (${shell`az login --tenant ${tenantID}`}), or put tenantID "${caller.tenantId}" at ${place}`,
    );
  }
  return holds(`vault ${name} in tenant ${tenantID}`, { name, tenantId: tenantID });
}

/** The vault that the file names, whatever else is wrong with it; undefined where it names none. */
export function vaultNameIn(chain: IdentityChain): string | undefined {
  const { managedIdentities } = chain;
  if (managedIdentities === undefined || "failure" in managedIdentities.read) return undefined;
  const part = controlPlanePart(chain);
  const vault = part.holds === true ? part.value.entries["managedIdentitiesKeyVault"] : undefined;
  return isObject(vault) && typeof vault["name"] === "string" ? vault["name"] : undefined;
}

function checkEntry(part: ControlPlanePart, { field }: ControlPlaneComponent): Finding<ControlPlaneEntry> {
  const entry = field === "kms" ? part.kms : part.entries[field];
  if (!isObject(entry)) return notChecked(`the file has no entry ${field}`);
  const { clientID, credentialsSecretName, objectEncoding = "utf-8", certificateName } = entry;
  const encoding = objectEncodings.find((one) => one === objectEncoding);
  const others = [...controlPlaneFields.map((other) => [other, part.entries[other]] as const), ["kms", part.kms] as const].filter(
    ([other]) => other !== field,
  );
  const sharing = (key: string) =>
    entry[key] !== undefined &&
    others.find(([, other]) => isObject(other) && String(other[key]).toLowerCase() === String(entry[key]).toLowerCase())?.[0];
  const problems: (readonly [key: string, words: string])[] = [
    ...(uuid.safeParse(clientID).success ? [] : [["clientID", "is not a UUID"] as const]),
    ...(secretName.safeParse(credentialsSecretName).success
      ? []
      : [["credentialsSecretName", "is not 1 to 127 letters, digits and hyphens"] as const]),
    ...(encoding === undefined ? [["objectEncoding", `is not one of ${objectEncodings.join(", ")}`] as const] : []),
    ...["clientID", "credentialsSecretName"].flatMap((key) => {
      const other = sharing(key);
      return other ? [[key, `is that of ${other}, too`] as const] : [];
    }),
  ];
  if (problems.length > 0 || encoding === undefined || typeof clientID !== "string" || typeof credentialsSecretName !== "string") {
    const places = [...new Set(problems.map(([key]) => part.atEntry(field, key)))].join(", ");
    return broken(
      problems.map((words) => words.join(" ")).join("; "),
      advise`correct ${places}: ${aroHcp("show identities")} tells client id and secret of each component, objectEncoding is utf-8`,
    );
  }
  return holds(`client ${clientID}, secret ${credentialsSecretName}, ${encoding}`, {
    clientId: clientID,
    secretName: credentialsSecretName,
    encoding,
    certificateName: typeof certificateName === "string" ? certificateName : undefined,
    places: { clientID: part.atEntry(field, "clientID"), credentialsSecretName: part.atEntry(field, "credentialsSecretName") },
  });
}

function checkManagedIdentity({ entries, at }: Plane, { field }: DataPlaneComponent, chain: IdentityChain): Finding<DataPlaneEntry> {
  const clientId = entries[field];
  const next = advise`correct ${at(field)}: ${shell`az identity list --query ${"[].{name:name,clientId:clientId}"}`} tells the client ids of managed identities`;
  // An unquoted id of digits alone would be a number.
  if (typeof clientId !== "string" || !uuid.safeParse(clientId).success) return broken(`${field} is not a UUID`, next);
  const other = otherHolder(clientId, field, entries, chain);
  if (other !== undefined) return broken(`${field} is that of ${other}, too: a managed identity is no application`, next);
  return holds(`client ${clientId}`, { clientId, place: at(field) });
}

function otherHolder(clientId: string, field: string, entries: Plane["entries"], { managedIdentities }: IdentityChain): string | undefined {
  const same = (value: unknown) => typeof value === "string" && value.toLowerCase() === clientId.toLowerCase();
  const twin = Object.entries(entries).find(([key, value]) => key !== field && same(value))?.[0];
  if (twin !== undefined || managedIdentities === undefined || !("document" in managedIdentities.read)) return twin;
  const { value } = managedIdentities.read.document;
  const whole = isObject(value) ? value : {};
  const controlPlane = isObject(whole["controlPlane"]) ? { ...whole["controlPlane"], kms: whole["kms"] } : whole;
  return Object.entries(controlPlane).find(([, entry]) => isObject(entry) && same(entry["clientID"]))?.[0];
}
