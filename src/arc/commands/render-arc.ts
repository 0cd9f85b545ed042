/** `render arc`: the manifests of a connected cluster's workloads, from the files of create arc secrets. */
import { Failure } from "../../errors/failure.js";
import { shell, shellLine } from "../../errors/advice.js";
import { readArcCredential, readArcSecrets, type ArcSecretsInput } from "../files/arc-secrets-output.js";
import { driverName, type ArcFacts, type ArcIdentity, type ArcManifest, type ObservabilityRole } from "../manifests/arc-facts.js";
import { arcSecretManifests } from "../manifests/arc-secrets.js";
import { screensOf } from "../../render/screen.js";
import { sentence } from "../../render/wrapped.js";
import type { Resolved, Settings } from "../../settings/settings.js";
import { sameText } from "../../text/same-text.js";
import type { ProcessPort } from "../../run/process-port.js";
import { connectedClusterId } from "../domain/names.js";
import type { ManifestFormat } from "../../manifests/text.js";
import { writeManifestFiles, writeManifests, type NamedManifests } from "../../run/manifest-output.js";

export async function run({ settings, notices }: Resolved<"render arc">, port: ProcessPort): Promise<number> {
  const screens = screensOf(port, settings.color);
  const say = (text: string) => screens.people.print(sentence(screens.people, text));
  const input = await readArcSecrets(settings.arcSecretsFile);
  const { identity, notices: ofFile } = await identityOf(input, settings);
  for (const notice of [...notices, ...ofFile]) say(`notice: ${notice}`);
  const { observabilityRole } = settings;
  if (observabilityRole === "cluster-admin")
    say(
      "warning: with cluster-admin, whoever has a token of azure-arc-observability controls the whole cluster; cluster-reader is enough to show it",
    );
  const facts: ArcFacts = {
    namespace: input.namespace,
    tenantId: input.tenantID,
    vaultName: input.keyVaultName,
    cloudName: providerCloud(input.cloud),
    secrets: input.secretNames,
    identity,
  };
  const manifests = [...arcSecretManifests(facts), ...observabilityManifests(observabilityRole)];
  const { outputDir, outputFile, format } = settings;
  const place = { subscriptionId: input.subscriptionID, groupName: input.resourceGroupName, name: input.name };
  const writer = { command: "render arc", owner: connectedClusterId(place) };
  if (outputDir === undefined) await writeManifests(manifests, { format, outputFile, writer, mode: modeOf(manifests) }, screens);
  else {
    const paths = await writeManifestFiles(outputDir, manifests.map(toFile(format)), format, writer);
    for (const path of paths) screens.people.print(`written to ${path}`);
  }
  for (const hint of hints()) say(hint);
  return 0;
}

/** What the cluster needs besides the manifests. */
function hints(): string[] {
  const { name, namespace } = observabilityAccount;
  const label = `security.openshift.io/csi-ephemeral-volume-profile=restricted`;
  return [
    `OpenShift admits the volume in a restricted namespace only if the driver has a label: ${shellLine(shell`oc label csidriver ${driverName} ${label}`)}`,
    `for the portal, create a token that expires: ${shellLine(shell`oc create token ${name} -n ${namespace} --duration 8h`)}`,
  ];
}

/** @throws ARO-USAGE-001 if the files do not belong together, or if the create did not finish */
async function identityOf(
  input: ArcSecretsInput,
  { arcSecretsFile, credentialFile }: Settings<"render arc">,
): Promise<{ readonly identity: ArcIdentity; readonly notices: readonly string[] }> {
  const { clientID: clientId, identityKind } = input;
  if (clientId === "") {
    throw new Failure("ARO-USAGE-001", `${arcSecretsFile} has no identity: create arc secrets did not finish`, {
      next: ["rerun create arc secrets"],
    });
  }
  if (identityKind === "workload-identity")
    return { identity: { kind: identityKind, clientId, serviceAccount: input.serviceAccountName }, notices: [] };
  const { credential, notices } = await readArcCredential(credentialFile);
  if (!sameText(credential.clientId, clientId)) {
    throw new Failure("ARO-USAGE-001", `${credentialFile} belongs to another identity than ${arcSecretsFile}`, {
      because: `their client IDs are ${credential.clientId} and ${clientId}`,
      next: ["pass the credential file of the same create arc secrets as --credential-file"],
    });
  }
  return { identity: { kind: identityKind, clientId, clientSecret: credential.clientSecret }, notices };
}

/** The provider's default is the public cloud, whose hostnames the emulator has too. */
function providerCloud(cloud: string): string | undefined {
  return cloud === "AzurePublicCloud" || cloud === "local" ? undefined : cloud;
}

/** A Secret in them is readable only for its owner. */
function modeOf(manifests: readonly ArcManifest[]): 0o600 | 0o644 {
  return manifests.some(({ kind }) => kind === "Secret") ? 0o600 : 0o644;
}

/** Numbered, because `oc apply -f DIRECTORY` applies in the order of the names, and the namespace comes first. */
function toFile(format: ManifestFormat) {
  return (manifest: ArcManifest, index: number): NamedManifests => ({
    name: `${String(index)}-${manifest.kind.toLowerCase()}-${manifest.metadata.name}.${format}`,
    manifests: [manifest],
    mode: modeOf([manifest]),
  });
}

/** The service account with which the Azure portal lists the resources of a connected cluster. Pure. */
const name = "azure-arc-observability";
const namespace = "azure-arc";

/**
 * No token secret: a token in it has no expiry. `oc create token` issues one for some hours. `cluster-reader` is OpenShift's role that reads
 * everything except secrets.
 */
function observabilityManifests(role: ObservabilityRole): readonly ArcManifest[] {
  return [{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } }, observabilityBinding(role)];
}

/** The name contains the role, because Kubernetes cannot change the role of a binding. */
function observabilityBinding(role: ObservabilityRole) {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: `${name}-${role}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  };
}

/** The command for a token to paste into the portal. */
const observabilityAccount = { name, namespace };
