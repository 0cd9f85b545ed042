/** What each command prints with `--output json`: the table of its schemas. */
import { arcSecretsSchema } from "../../arc/files/arc-secrets-output.js";
import { managementClusterSchema, serviceClusterSchema } from "../../files/aks-cluster-output.js";
import { delegationSchema, dnsZoneSchema } from "../../dns-zone/files/dns-zone-output.js";
import { encryptionKeySchema } from "../../encryption-key/files/encryption-key-output.js";
import { infraOutputSchema } from "../../files/infra-output.js";
import * as member from "../../files/results/members.js";
import { text, texts } from "../../files/results/parts.js";
import { emulatorState, readResult, resourcesResult, shownSettings, verificationResult, versions } from "../../files/results/reads.js";
import { applyResult, removalResult } from "../../files/results/run.js";
import type { CommandName } from "../../settings/commands.js";

const ofCluster = { infraId: text };
const ofNamed = { name: text };
const ofNamedCluster = { infraId: text, name: text };

/** Of every command with `--output`. A command that fails before it has a result prints only its failures. */
export const resultSchemas = {
  "create infra": applyResult(ofCluster, { infra: infraOutputSchema }),
  "adopt infra": applyResult(ofCluster, { adopted: texts, notAdopted: texts }),
  "destroy infra": removalResult(ofCluster),
  "show infra": resourcesResult(ofCluster),
  "verify infra": verificationResult,

  "create all": applyResult(ofNamedCluster, {
    issuerURL: text,
    infra: infraOutputSchema,
    identities: member.knownIdentities,
    encryptionKey: encryptionKeySchema.optional(),
  }),
  "destroy all": removalResult(ofNamedCluster),
  doctor: verificationResult,

  "show settings": shownSettings,

  "create identities": applyResult(ofNamed, { identities: member.knownIdentities }),
  "destroy identities": removalResult(ofNamed),
  "show identities": readResult({ ...ofNamed, keyVault: text, ...member.shownCredentials }),
  "verify identities": verificationResult,
  "rotate credentials": applyResult(ofNamed, { credentials: member.credentials }),

  "create encryption-key": applyResult(ofNamed, { encryptionKey: encryptionKeySchema.optional() }),
  "rotate encryption-key": applyResult(ofNamed, { encryptionKey: encryptionKeySchema.optional() }),
  "destroy encryption-key": removalResult(ofNamed),
  // In a Key Vault or in a managed HSM.
  "show encryption-key": readResult({
    ...ofNamed,
    keyVault: text.optional(),
    managedHsm: text.optional(),
    key: text,
    versions: member.keyVersions,
    softDeleted: member.softDeleted,
  }),

  "create iam": applyResult(ofNamedCluster, { workloadIdentities: member.knownWorkloadIdentities }),
  "adopt iam": applyResult(ofNamedCluster, { adopted: texts }),
  "destroy iam": removalResult(ofNamedCluster),
  "show iam": resourcesResult(ofNamedCluster),

  "create key-pair": applyResult(
    { directory: text },
    { privateKeyFile: text.optional(), publicKeyFile: text.optional(), kid: text.optional() },
  ),
  "create oidc-issuer": applyResult(ofNamed, { issuerURL: text, kids: texts.optional() }),
  "destroy oidc-issuer": removalResult(ofNamed),

  "create management-cluster": applyResult(ofNamed, { cluster: managementClusterSchema }),
  "destroy management-cluster": removalResult(ofNamed),
  "show management-cluster": resourcesResult(ofNamed),
  "verify management-cluster": verificationResult,
  "doctor management-cluster": verificationResult,

  "create service-cluster": applyResult(ofNamed, { cluster: serviceClusterSchema }),
  "destroy service-cluster": removalResult(ofNamed),
  "show service-cluster": resourcesResult(ofNamed),
  "verify service-cluster": verificationResult,
  "doctor service-cluster": verificationResult,

  "create arc": applyResult(ofNamed, { clusterID: text, agentsInstalled: member.isInstalled, files: member.agentFiles.optional() }),
  "wait arc": readResult({
    ...ofNamed,
    clusterID: text,
    state: text,
    states: member.agentStates,
    agentVersion: text.optional(),
    lastConnectivityTime: text.optional(),
  }),
  "show arc": readResult({ ...member.azConnectedCluster, extensions: member.extensions })
    .loose()
    .or(readResult({ connectedClusters: member.connectedClusters })),
  "verify arc": verificationResult,
  "destroy arc": removalResult(ofNamed),
  "create arc-extension": applyResult({ ...ofNamed, extensionName: text }, { extension: member.createdExtension }),
  "show arc-extension": readResult({
    ...ofNamed,
    clusterID: text,
    extensions: member.extensionsWithProblems,
    policy: member.policy.optional(),
  }),
  "destroy arc-extension": removalResult(ofNamed),
  "create arc-secrets": applyResult(ofNamed, { secrets: arcSecretsSchema, credentialFile: text.optional() }),

  "create dns-zone": applyResult(ofNamed, { dnsZone: dnsZoneSchema, credentialsFile: text.optional() }),
  "show dns-zone": resourcesResult({ ...ofNamed, nameServers: texts, delegation: delegationSchema.nullable() }),
  "verify dns-zone": verificationResult,
  "destroy dns-zone": removalResult(ofNamed),

  "local status": emulatorState,
  version: versions,
} satisfies Partial<Record<CommandName, unknown>>;
