/** A HostedCluster: its files and the choices of its owner, checked by the rules of its API. */
import { Failure, type Problem } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import { hostedClusterSchema } from "../files/hosted-cluster-schema.js";
import type { ControlPlaneIdentities, DataPlaneIdentities, ManagedIdentity, WorkloadIdentities } from "../../files/identity-schemas.js";
import { secretNames } from "../../domain/hosted-cluster-choices.js";
import { chosenAccess, chosenSpec, shadowingProblem, type HostedClusterChoices } from "./hosted-cluster-choices.js";
import { backupKeyProblem, foreignKeyProblem, keyVaultTypeOf, type EncryptionKey } from "../../domain/encryption-key.js";

/** A value, or undefined if no source has it; and its source. */
export interface Sourced<Value> {
  readonly value: Value | undefined;
  /** The flag, or `file:line`. */
  readonly origin: string;
  /** The problem if it is missing: "the file has no publicZoneID". */
  readonly lack: string;
}

export interface HostedClusterFacts {
  readonly name: Sourced<string>;
  readonly namespace: Sourced<string>;
  readonly infraId: Sourced<string>;
  readonly baseDomain: Sourced<string>;
  readonly publicZoneId: Sourced<string>;
  readonly privateZoneId: Sourced<string>;
  readonly issuerUrl: Sourced<string>;
  readonly cloud: Sourced<string>;
  readonly location: Sourced<string>;
  readonly resourceGroup: Sourced<string>;
  readonly vnetId: Sourced<string>;
  readonly subnetId: Sourced<string>;
  readonly securityGroupId: Sourced<string>;
  readonly subscriptionId: Sourced<string>;
  readonly tenantId: Sourced<string>;
  readonly controlPlane: Sourced<ControlPlaneIdentities>;
  readonly dataPlane: Sourced<DataPlaneIdentities>;
  /** Its value is undefined with managed identities. */
  readonly workload: Sourced<WorkloadIdentities>;
  /** The identity that encrypts etcd, if they are workload identities. */
  readonly kmsClientId: Sourced<string>;
  /** Its value is undefined if etcd is not encrypted with a key in a vault. */
  readonly encryptionKey: Sourced<EncryptionKey>;
  /** The version before a rotation, which etcd may still be encrypted with. */
  readonly backupKey: Sourced<EncryptionKey>;
  readonly kms: Sourced<Partial<ManagedIdentity>>;
  readonly disabledCapabilities: Sourced<readonly string[]>;
}

const cloudByDefault = "AzurePublicCloud";

export type HostedCluster = ReturnType<typeof hostedCluster>;

/** @throws ARO-MANIFEST-001 with every missing field, and every field that the API would reject */
export function hostedCluster(facts: HostedClusterFacts, choices: HostedClusterChoices) {
  const result = hostedClusterSchema.safeParse(draft(facts));
  const problems = [
    ...(result.error?.issues ?? []).map(({ path, message }) => problemOf(facts, path.map(String), message)),
    ...keyProblems(facts),
    ...domainProblems(facts, choices),
  ];
  if (!result.success || problems.length > 0) {
    throw new Failure("ARO-MANIFEST-001", `the HostedCluster cannot be rendered: ${plural(problems.length, "problem")}`, { problems });
  }
  const { metadata, spec, ...type } = result.data;
  const { annotations, access } = choices;
  return {
    ...type,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...chosenSpec(metadata.name, choices),
      ...spec,
      platform: { ...spec.platform, azure: { ...spec.platform.azure, ...chosenAccess(access, facts.workload.value !== undefined) } },
      // As hypershift does: etcd is encrypted with a key in a Secret if there is none in a vault.
      secretEncryption: spec.secretEncryption ?? { type: "aescbc", aescbc: { activeKey: { name: secretNames.etcdKey(metadata.name) } } },
    },
  };
}

function keyProblems({ encryptionKey, backupKey, cloud }: HostedClusterFacts): readonly Problem[] {
  const key = encryptionKey.value;
  if (key === undefined) return [];
  const backup = backupKey.value;
  const foreign = foreignKeyProblem(key, cloud.value ?? cloudByDefault);
  const wrongBackup = backup && backupKeyProblem(backup, key);
  return [
    ...(foreign === undefined ? [] : [{ origin: encryptionKey.origin, message: foreign }]),
    ...(wrongBackup === undefined ? [] : [{ origin: backupKey.origin, message: wrongBackup }]),
  ];
}

function domainProblems({ name, baseDomain }: HostedClusterFacts, { externalDnsDomain: domain }: HostedClusterChoices): readonly Problem[] {
  if (domain === undefined || name.value === undefined || baseDomain.value === undefined) return [];
  const message = shadowingProblem(domain, name.value, baseDomain.value);
  return message === undefined ? [] : [{ origin: "--external-dns-domain", message }];
}

function draft(facts: HostedClusterFacts): object {
  const { name, encryptionKey, disabledCapabilities } = facts;
  return {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: { name: name.value, namespace: facts.namespace.value },
    spec: {
      infraID: facts.infraId.value,
      dns: { baseDomain: facts.baseDomain.value, publicZoneID: facts.publicZoneId.value, privateZoneID: facts.privateZoneId.value },
      issuerURL: facts.issuerUrl.value,
      serviceAccountSigningKey: { name: secretNames.signingKey(name.value ?? "") },
      platform: {
        type: "Azure",
        azure: {
          ...(facts.cloud.value !== undefined && { cloud: facts.cloud.value }),
          location: facts.location.value,
          resourceGroup: facts.resourceGroup.value,
          vnetID: facts.vnetId.value,
          subnetID: facts.subnetId.value,
          securityGroupID: facts.securityGroupId.value,
          subscriptionID: facts.subscriptionId.value,
          tenantID: facts.tenantId.value,
          azureAuthenticationConfig: authentication(facts),
        },
      },
      ...(encryptionKey.value && {
        secretEncryption: {
          type: "kms",
          kms: { provider: "Azure", azure: { ...keysOf(encryptionKey.value, facts.backupKey.value), ...kmsIdentityOf(facts) } },
        },
      }),
      ...(disabledCapabilities.value?.length && { capabilities: { disabled: disabledCapabilities.value } }),
    },
  };
}

/** A self-managed control plane has workload identities for both planes. */
function authentication({ controlPlane, dataPlane, workload }: HostedClusterFacts): object {
  if (workload.value === undefined) {
    return {
      azureAuthenticationConfigType: "ManagedIdentities",
      managedIdentities: { controlPlane: controlPlane.value, dataPlane: dataPlane.value },
    };
  }
  const { kmsClientID: _, ...workloadIdentities } = workload.value;
  return { azureAuthenticationConfigType: "WorkloadIdentities", workloadIdentities };
}

/** The API accepts one of the two. */
function kmsIdentityOf({ kms, kmsClientId, workload }: HostedClusterFacts): object {
  return workload.value === undefined ? { kms: kms.value } : { workloadIdentity: { clientID: kmsClientId.value } };
}

/** A HostedCluster without a type uses a vault. */
function keysOf(active: EncryptionKey, backup: EncryptionKey | undefined): object {
  const withoutSuffix = ({ vaultSuffix: _, ...key }: EncryptionKey) => key;
  return {
    activeKey: withoutSuffix(active),
    ...(backup && { backupKey: withoutSuffix(backup) }),
    ...(keyVaultTypeOf(active) === "ManagedHSM" && { keyVaultType: "ManagedHSM" }),
  };
}

const azure = "spec.platform.azure";
const authenticationPath = `${azure}.azureAuthenticationConfig`;
const identities = `${authenticationPath}.managedIdentities`;
/** The source of a field: the path that its own path starts with. No path here starts with another. */
const factOf: Readonly<Record<string, keyof HostedClusterFacts>> = {
  "metadata.name": "name",
  "metadata.namespace": "namespace",
  "spec.serviceAccountSigningKey": "name",
  "spec.infraID": "infraId",
  "spec.dns.baseDomain": "baseDomain",
  "spec.dns.publicZoneID": "publicZoneId",
  "spec.dns.privateZoneID": "privateZoneId",
  "spec.issuerURL": "issuerUrl",
  [`${azure}.cloud`]: "cloud",
  [`${azure}.location`]: "location",
  [`${azure}.resourceGroup`]: "resourceGroup",
  [`${azure}.vnetID`]: "vnetId",
  [`${azure}.subnetID`]: "subnetId",
  [`${azure}.securityGroupID`]: "securityGroupId",
  [`${azure}.subscriptionID`]: "subscriptionId",
  [`${azure}.tenantID`]: "tenantId",
  [`${identities}.controlPlane`]: "controlPlane",
  [`${identities}.dataPlane`]: "dataPlane",
  [`${authenticationPath}.workloadIdentities`]: "workload",
  "spec.secretEncryption.kms.azure.workloadIdentity": "kmsClientId",
  "spec.secretEncryption.kms.azure.activeKey": "encryptionKey",
  "spec.secretEncryption.kms.azure.backupKey": "backupKey",
  "spec.secretEncryption.kms.azure.kms": "kms",
  "spec.capabilities": "disabledCapabilities",
};

function problemOf(facts: HostedClusterFacts, path: readonly string[], message: string): Problem {
  const field = path.join(".");
  const known = Object.keys(factOf).find((prefix) => field === prefix || field.startsWith(`${prefix}.`));
  const fact = known === undefined ? undefined : factOf[known];
  if (fact === undefined) return { origin: field, message };
  const { value, origin, lack } = facts[fact];
  return { origin, message: value === undefined ? `${field} is missing: ${lack}` : `${field} ${message}` };
}
