/** `create arc secrets`: creates the vault, the secret and the identity of a connected cluster's workloads. */
import { signedIn } from "../../azure/signed-in.js";
import type { Azure } from "../../azure/azure.js";
import { readConnectedCluster } from "../connected-clusters.js";
import { arcVaultName, type ArcSecretsSpec } from "../domain/secrets.js";
import { connectedClusterApi } from "../domain/spec.js";
import { advise, aroHcp } from "../../errors/advice.js";
import {
  arcCredentialFile,
  arcSecretsOutputFile,
  arcSecretsOutput,
  readArcCredential,
  readArcSecrets,
  type KnownArcSecrets,
} from "../files/arc-secrets-output.js";
import { readText, readTextIfThere } from "../../files/text-file.js";
import { isEarlierOutput, type OutputFile } from "../../files/output-file.js";
import { checkOutputs, checkWritable, writeDocument } from "../../files/write.js";
import type { Resolved, Settings } from "../../settings/settings.js";
import { noConnectedCluster } from "../steps/connected-cluster-lookup.js";
import { arcSecretsGraph } from "../steps/secrets.js";
import type { CredentialStore } from "../../steps/client-secret.js";
import { sameText } from "../../text/same-text.js";
import { arcSecretsAccess } from "../inputs/arc-secrets-access.js";
import { earlierClients } from "../../run/earlier-clients.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import { written } from "../../run/written-files.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyGraph } from "../../run/apply.js";
import { preflight } from "../../run/create-preflight.js";
import { targetOf } from "../../run/target.js";
import { withConnection } from "../../run/with-connection.js";

const command = "create arc secrets";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { outputFile, outputCredential: credentialFile, secretFile, name } = settings;
  await checkWritable(outputFile);
  const secretValue = secretFile === undefined ? undefined : valueIn((await readText(secretFile)).text);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const caller = await signedIn(azure.connection);
    const spec = await specOf(azure, settings, caller.tenantId, secretValue);
    const file = arcSecretsOutputFile(outputFile, { ...spec, subscriptionID: spec.subscriptionId, resourceGroupName: spec.groupName });
    await checkOutputs([file]);
    const isPrincipal = spec.access.kind === "service-principal";
    // Before the plan reads the file: its owner is not to correct it.
    if (isPrincipal) await checkOutputs([arcCredentialFile(credentialFile)]);
    // After a destroy, the files have the client ID of an application that is gone.
    const clientIds = new Set((await isEarlierOutput(file)) ? [(await readArcSecrets(outputFile)).clientID] : []);
    const credential = arcCredentialFile(credentialFile, clientIds);
    const store = credentialStore(credential, clientIds);
    const earlier = earlierClients({
      "--output-file": async () => (await readArcSecrets(outputFile)).clientID,
      "--output-credential": async () => (await readArcCredential(credentialFile)).credential.clientId,
    });
    const graph = arcSecretsGraph(azure, spec, caller, store, { files: earlier, keepsRoles: !settings.returnOwnRoles });
    let known = knownFrom(spec, azure, settings);
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { location: spec.location, connectedCluster: name }),
      steps: graph.steps,
      preflight: preflight(azure, port, { parts: ["arc"], location: spec.location, steps: graph.steps }),
      async requireOwnFiles(live) {
        const existing = live.get(graph.identity);
        if (existing !== undefined) clientIds.add(existing.clientId);
        if (isPrincipal) await checkOutputs([credential]);
      },
      async onDone(step, output) {
        if (step === graph.vault) known = { ...known, keyVaultID: (output as { readonly id: string }).id };
        else if (step === graph.identity) known = { ...known, clientID: (output as { readonly clientId: string }).clientId };
        else return;
        await writeDocument(file, arcSecretsOutput(known));
      },
      document: () => ({ secrets: arcSecretsOutput(known), ...(isPrincipal && { credentialFile }) }),
      written: written(outputFile, "arcSecrets"),
    });
    if (!done) return code;
    if (isPrincipal) context.say(`the client secret is in ${credentialFile}, which only you can read`);
    const files = { arcSecretsFile: outputFile, ...(isPrincipal && { credentialFile }) };
    context.say(`next: ${context.renderAdvice(advise`write the manifests with ${aroHcp("render arc", files)}`)}`);
    return code;
  });
}

async function specOf(
  azure: Azure,
  settings: Settings<typeof command>,
  tenantId: string,
  secretValue: string | undefined,
): Promise<ArcSecretsSpec> {
  const place = arcPlace(settings, azure);
  const { secretsIdentity, oidcIssuerUrl } = settings;
  const isUndecided = oidcIssuerUrl === undefined && secretsIdentity !== "service-principal";
  const cluster = await readConnectedCluster(azure, place, connectedClusterApi[isUndecided ? "preview" : "stable"]);
  if (cluster === undefined) throw noConnectedCluster(place);
  const { keyVaultName, secretName } = settings;
  const vaultName = keyVaultName ?? arcVaultName(place);
  return {
    ...place,
    tenantId,
    location: cluster.location,
    vaultName,
    secretName,
    secretValue,
    access: await arcSecretsAccess(azure, settings, place, cluster),
  };
}

function knownFrom(spec: ArcSecretsSpec, azure: Azure, { workloadNamespace }: Settings<typeof command>): KnownArcSecrets {
  const { access } = spec;
  return {
    name: spec.name,
    cloud: azure.connection.cloud.name,
    subscriptionID: spec.subscriptionId,
    tenantID: spec.tenantId,
    resourceGroupName: spec.groupName,
    keyVaultID: "",
    keyVaultName: spec.vaultName,
    secretNames: [spec.secretName],
    identityKind: access.kind,
    clientID: "",
    namespace: workloadNamespace,
    serviceAccountName: access.kind === "workload-identity" ? access.serviceAccount : "",
  };
}

/** `clientIds`: of the applications whose secret it may replace. */
function credentialStore(file: OutputFile, clientIds: Set<string>): CredentialStore {
  const { path } = file;
  return {
    async read() {
      // An empty file has no secret either.
      if (((await readTextIfThere(path))?.text ?? "").trim() === "") return undefined;
      const { clientId, keyId } = (await readArcCredential(path)).credential;
      return { clientId, isOf: (one) => sameText(one.keyId, keyId) };
    },
    write(secret) {
      clientIds.add(secret.clientId);
      return writeDocument(file, secret, 0o600);
    },
  };
}

/** Editors end a file with a line end, which is not part of a secret. */
function valueIn(text: string): string {
  return text.replace(/\r?\n$/, "");
}
