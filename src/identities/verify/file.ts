/** Rows of the identity files; their outputs are the vault and the identity of each component. */
import { advise, aroHcp, shell } from "../../errors/advice.js";
import { secretName, uuid, vaultName } from "../../files/fields.js";
import { objectEncodings } from "../../domain/credential-secret.js";
import { controlPlaneFields, isEnabled, optionalFields } from "../../domain/components.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import type { ControlPlaneEntry, IdentityChain, VaultReference } from "./chain.js";
import { controlPlanePart, dataPlanePart, isObject, type Plane } from "./file-documents.js";
import { controlPlaneRow, dataPlaneRow, row } from "./reads.js";
import { sameText } from "../../text/same-text.js";

const entryKeys = ["clientID", "credentialsSecretName", "objectEncoding", "certificateName"];

export const controlPlaneShape = row("file-shape", {}, (_needs, { chain }) => controlPlanePart(chain));
export const dataPlaneShape = row("file-shape", {}, (_needs, { chain }) => dataPlanePart(chain));

export const entries = row("file-entries", { part: controlPlaneShape }, ({ part }, { chain: { disabledCapabilities } }) => {
  const { entries, kms, unknownMembers: strays, at } = part;
  const notNeeded = optionalFields.filter((optional) => !isEnabled(optional, disabledCapabilities));
  const wanted = controlPlaneFields.filter((field) => !notNeeded.some((optional) => optional.field === field));
  const missing = wanted.filter((field) => !isObject(entries[field]));
  // HyperShift ignores velero, the backup identity of its contrib scripts.
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
  if (missing.length === 0 && unknown.length === 0) return passed(plural(wanted.length, "entry"));
  return failed(
    [
      ...(missing.length > 0 ? [`no entry for ${missing.join(", ")} (HyperShift rejects a HostedCluster without it)`] : []),
      ...(unknown.length > 0 ? [`unknown entries: ${unknown.join(", ")}`] : []),
    ].join("; "),
    missing.length > 0
      ? advise`the create that writes the file is not complete: wait for it if it is running, or else rerun it: ${aroHcp("create identities")}; for other identities, add ${missing.join(", ")} at ${at()}`
      : `remove ${unknown.join(", ")} from the file, or correct the spelling`,
  );
});

export const vaultReference = row("file-vault", { part: controlPlaneShape }, ({ part }, { chain: { caller } }): Finding<VaultReference> => {
  const { entries, at } = part;
  const { name, tenantID } = isObject(entries["managedIdentitiesKeyVault"]) ? entries["managedIdentitiesKeyVault"] : {};
  const place = at("managedIdentitiesKeyVault", "tenantID");
  const wrong = vaultName.safeParse(name).success ? undefined : "the vault name is not valid";
  if (wrong !== undefined || typeof name !== "string")
    return failed(`${at("managedIdentitiesKeyVault", "name")}: ${wrong ?? ""}`, "set it to the name of the vault, not its URL");
  if (typeof tenantID !== "string" || !uuid.safeParse(tenantID).success) {
    return failed(`${place}: tenantID is not a UUID`, `if the vault is in the signed-in tenant, set tenantID to "${caller.tenantId}"`);
  }
  if (!sameText(tenantID, caller.tenantId)) {
    return failed(
      `the tenant in the file is ${tenantID}, but you are signed in to ${caller.tenantId}`,
      advise`sign in to the file's tenant (${shell`az login --tenant ${tenantID}`}), or set tenantID to "${caller.tenantId}" at ${place}`,
    );
  }
  return passed(`vault ${name} in tenant ${tenantID}`, { name, tenantId: tenantID });
});

export const controlPlaneEntry = controlPlaneRow(
  "file-values",
  { part: controlPlaneShape },
  ({ part }, _reads, { field }): Finding<ControlPlaneEntry> => {
    const entry = field === "kms" ? part.kms : part.entries[field];
    if (!isObject(entry)) return notChecked(`the file has no entry for ${field}`);
    const { clientID, credentialsSecretName, objectEncoding = "utf-8", certificateName } = entry;
    const encoding = objectEncodings.find((one) => one === objectEncoding);
    const others = [...controlPlaneFields.map((other) => [other, part.entries[other]] as const), ["kms", part.kms] as const].filter(
      ([other]) => other !== field,
    );
    const sharing = (key: string) =>
      entry[key] !== undefined && others.find(([, other]) => isObject(other) && sameText(String(other[key]), String(entry[key])))?.[0];
    const problems: (readonly [key: string, words: string])[] = [
      ...(uuid.safeParse(clientID).success ? [] : [["clientID", "is not a UUID"] as const]),
      ...(secretName.safeParse(credentialsSecretName).success
        ? []
        : [["credentialsSecretName", "is not 1 to 127 letters, digits and hyphens"] as const]),
      ...(encoding === undefined ? [["objectEncoding", `is not one of ${objectEncodings.join(", ")}`] as const] : []),
      ...["clientID", "credentialsSecretName"].flatMap((key) => {
        const other = sharing(key);
        return other ? [[key, `also belongs to ${other}`] as const] : [];
      }),
    ];
    if (problems.length > 0 || encoding === undefined || typeof clientID !== "string" || typeof credentialsSecretName !== "string") {
      const at = [...new Set(problems.map(([key]) => part.atEntry(field, key)))].join(", ");
      return failed(
        problems.map((words) => words.join(" ")).join("; "),
        advise`correct ${at}: ${aroHcp("show identities")} shows the client ID and secret of each component; objectEncoding is utf-8 unless a create had ${"--object-encoding"}`,
      );
    }
    return passed(`client ID ${clientID}, secret ${credentialsSecretName}, ${encoding}`, {
      clientId: clientID,
      secretName: credentialsSecretName,
      encoding,
      certificateName: typeof certificateName === "string" ? certificateName : undefined,
      places: { clientID: part.atEntry(field, "clientID"), credentialsSecretName: part.atEntry(field, "credentialsSecretName") },
    });
  },
);

export const dataPlaneEntry = dataPlaneRow(
  "file-data-plane",
  { part: dataPlaneShape },
  ({ part: { entries, at } }, { chain }, { field }) => {
    const clientId = entries[field];
    const next = advise`correct ${at(field)}: ${shell`az identity list --query ${"[].{name:name,clientId:clientId}"}`} lists the client IDs of managed identities`;
    // An unquoted ID that has only digits is a number.
    if (typeof clientId !== "string" || !uuid.safeParse(clientId).success) return failed(`${field} is not a UUID`, next);
    const other = otherEntryWith(clientId, field, entries, chain);
    if (other !== undefined) return failed(`${field} also belongs to ${other}, but each component has its own identity`, next);
    return passed(`client ID ${clientId}`, { clientId, place: at(field) });
  },
);

function otherEntryWith(
  clientId: string,
  field: string,
  entries: Plane["entries"],
  { managedIdentities }: IdentityChain,
): string | undefined {
  const same = (value: unknown) => typeof value === "string" && sameText(value, clientId);
  const twin = Object.entries(entries).find(([key, value]) => key !== field && same(value))?.[0];
  if (twin !== undefined || managedIdentities === undefined || !("document" in managedIdentities.read)) return twin;
  const { value } = managedIdentities.read.document;
  const whole = isObject(value) ? value : {};
  const controlPlane = isObject(whole["controlPlane"]) ? { ...whole["controlPlane"], kms: whole["kms"] } : whole;
  return Object.entries(controlPlane).find(([, entry]) => isObject(entry) && same(entry["clientID"]))?.[0];
}
