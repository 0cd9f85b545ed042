/** The identity flow of a verification, with the results of the checks at its nodes. */
import { controlPlaneComponents, dataPlaneComponents } from "../../domain/components.js";
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import { groupsOf, identityFlow, type FlowFacts, type FlowKind, type IdentityFlow } from "../../domain/identity-flow.js";
import { Failure } from "../../errors/failure.js";
import type { Finding, Result } from "../../verify/check.js";
import type { IdentityChain } from "./chain.js";
import type { IdentityCheckId } from "./checks.js";
import { controlPlanePart, dataPlanePart, hasKms, isObject } from "./file-documents.js";

/** Where each check is shown: at the nodes of its subject, or at the head of a group. */
const shownAt: Readonly<Record<IdentityCheckId, FlowKind | "head">> = {
  "file-shape": "head",
  "file-entries": "head",
  "file-vault": "head",
  "file-set": "head",
  "management-cluster": "head",
  "vault-addon": "head",
  "vault-addon-rotation": "head",
  "vault-addon-role": "head",
  "vault-addon-nodes": "head",
  "operator-environment": "head",
  "vault-exists": "head",
  "vault-reachable": "head",
  "vault-readable": "head",
  "secret-not-deleted": "secret",
  "secret-exists": "secret",
  "secret-plain": "secret",
  "credential-json": "secret",
  "credential-fields": "secret",
  "credential-identity": "secret",
  "credential-endpoint": "secret",
  "credential-dates": "secret",
  "credential-certificate": "secret",
  "credential-expiry": "secret",
  "secret-attributes": "secret",
  "certificate-current": "secret",
  "issuer-discovery": "secret",
  "issuer-keys": "secret",
  "issuer-account": "secret",
  // They read only the files, so they are not shown at the pods.
  "file-values": "secret",
  "file-data-plane": "principal",
  "file-component": "principal",
  "secret-provider-class": "pod",
  "secret-mounted": "pod",
  "pods-start": "pod",
  "principal-exists": "principal",
  "application-key": "principal",
  "sign-in": "principal",
  "identity-exists": "principal",
  federation: "principal",
  "federated-sign-in": "principal",
  "role-defined": "role",
  "role-assigned": "role",
  "role-allowed": "role",
  "role-name-free": "role",
  "azure-read": "role",
  "kms-role": "role",
  "kms-use": "role",
  "role-dangling": "scope",
  "kms-key": "scope",
};
const places: ReadonlyMap<string, string> = new Map(Object.entries(shownAt));

/** Subjects that are shown at the head of a group. */
const headSubjects: Readonly<Record<string, readonly string[]>> = {
  secrets: ["vault"],
  pods: ["management cluster"],
  applications: ["control plane"],
  identities: ["data plane"],
};

export interface VerifiedFlow<R extends Result = Result> {
  readonly flow: IdentityFlow;
  /** The results of each node and group, by ID. */
  readonly found: ReadonlyMap<string, readonly R[]>;
}

/** Built from the files and settings. A part that cannot be read has no name here; its check reports it. */
export function verifiedFlow<R extends Result>(chain: IdentityChain, results: readonly R[]): VerifiedFlow<R> {
  const flow = identityFlow(factsOf(chain));
  const foundAt = (place: string, subjects: readonly string[]) =>
    results.filter(({ check, subject }) => places.get(check) === place && subjects.includes(subject));
  const found = flow.groups.flatMap(({ id, nodes }) => [
    [id, foundAt("head", headSubjects[id] ?? [])] as const,
    ...nodes.map((node) => [node.id, foundAt(node.kind, node.subjects)] as const),
  ]);
  return { flow, found: new Map(found) };
}

function factsOf(chain: IdentityChain): FlowFacts {
  const { infra, issuerUrl, encryptionKeyId, customHcpRoles, disabledCapabilities } = chain;
  const part = readable(() => controlPlanePart(chain));
  const dataPlane = readable(() => dataPlanePart(chain));
  const vault = part?.entries["managedIdentitiesKeyVault"];
  const [name, tenantId] = [textIn(vault, "name"), textIn(vault, "tenantID")];
  const shown = controlPlaneComponents.filter(({ field }) => field !== "kms" || hasKms(chain));
  return {
    clusterName: infra?.clusterName,
    vault: name === undefined || tenantId === undefined ? undefined : { name, tenantId },
    controlPlane: Object.fromEntries(
      shown.map(({ field }) => {
        const entry = field === "kms" ? part?.kms : part?.entries[field];
        return [field, { clientId: textIn(entry, "clientID"), secretName: textIn(entry, "credentialsSecretName") }];
      }),
    ),
    dataPlane: Object.fromEntries(dataPlaneComponents.map(({ field }) => [field, textIn(dataPlane?.entries, field)])),
    issuerUrl,
    groups: infra === undefined ? {} : groupsOf(infra),
    encryptionKey: encryptionKeyId === undefined ? undefined : parseEncryptionKeyId(encryptionKeyId),
    customHcpRoles,
    disabledCapabilities,
  };
}

/** Undefined for an invalid file, which its check reports. */
function readable<Value>(read: () => Finding<Value>): Value | undefined {
  try {
    const finding = read();
    return finding.passed === true ? finding.value : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function textIn(value: unknown, key: string): string | undefined {
  const text = isObject(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}
