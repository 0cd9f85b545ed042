/** `create identities`: creates the missing resources of a set, and keeps its identity files up to date. */
import { signedIn } from "../azure/signed-in.js";
import { fetchTokensAhead } from "../azure/tokens-ahead.js";
import { identitiesOutput } from "./files/identities-output.js";
import { checkWritable } from "../files/write.js";
import { jsonText } from "../text/control.js";
import { identityGraph } from "./steps/identities.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { preflight } from "../run/create-preflight.js";
import { applyGraph } from "../run/apply.js";
import { identityDocument } from "./identity-document.js";
import { readerProblems } from "../preflight/vault-reader.js";
import { earlierIdentities } from "./inputs/earlier-clients.js";
import { identitySetKey, identitySpec, settingsOfSet } from "../run/identity-set.js";
import { existingSet } from "./inputs/existing-set.js";
import { keptKms } from "../run/kept-kms.js";
import { secondSetRefusal } from "../removal/set-groups.js";
import { isGiven } from "../run/option-record.js";
import { setReader } from "./inputs/management-cluster-file.js";
import { purgeProtectionOf } from "../run/purge-protection-choice.js";
import { withLocation } from "../run/location.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { createdIdentityFlow } from "./created-identity-flow.js";
import { written } from "../run/written-files.js";
import type { ProcessPort } from "../run/process-port.js";
import { advise, aroHcp, type Advice } from "../errors/advice.js";

const command = "create identities";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { outputFile, outputManagedIdentities, outputDataPlaneIdentities } = given.settings;
  for (const path of [outputFile, outputManagedIdentities, outputDataPlaneIdentities]) {
    if (path !== undefined) await checkWritable(path);
  }
  const { objectId: keyVaultReaderObjectId, subscription, requireRunPlace } = await setReader(given);
  const connection = { ...given.settings, command, documentSubscription: subscription };
  return withConnection(connection, given.notices, port, async (azure, context) => {
    fetchTokensAhead(azure.connection);
    const group = settingsOfSet(given.settings).persistentResourceGroupName;
    const resolved = await withLocation(command, given, azure, context, group);
    const settings = settingsOfSet(resolved.settings);
    const caller = await signedIn(azure.connection);
    requireRunPlace(azure.connection, caller);
    const enableKms = await keptKms(resolved, existingSet(azure, identitySetKey(settings, azure)), context.say);
    const purgeProtection = purgeProtectionOf(resolved, enableKms);
    const spec = identitySpec({ ...settings, enableKms, purgeProtection, keyVaultReaderObjectId }, azure, caller);
    const files = earlierIdentities({
      "--output-file": settings.outputFile,
      "--output-managed-identities": settings.outputManagedIdentities,
    });
    const { steps, documented } = identityGraph(azure, spec, caller, { files, keepsRoles: !settings.returnOwnRoles });
    const document = identityDocument({ vaultName: spec.key.vaultName, tenantId: spec.tenantId }, documented, settings);
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: settings.name,
      about: { name: settings.name },
      target: targetOf(azure, { location: settings.location, identitySet: spec.key.name }),
      steps,
      preflight: preflight(azure, port, { parts: ["identities"], location: settings.location, steps }, async () => {
        const isPlaced = isGiven(resolved, "persistentResourceGroupName");
        const [problems, second] = await Promise.all([
          readerProblems(azure, keyVaultReaderObjectId),
          isPlaced ? undefined : secondSetRefusal(azure, spec.key),
        ]);
        return [...problems, ...(second ? [second] : [])];
      }),
      requireOwnFiles: document.requireOwn,
      onDone: async (step, output) => void (await document.add(step, output)),
      document: () => ({ identities: identitiesOutput(document.known()) }),
      written: [
        ...written(settings.outputFile, "identities"),
        ...written(settings.outputManagedIdentities, "controlPlane"),
        ...written(settings.outputDataPlaneIdentities, "dataPlane"),
      ],
      drawing: (result, outputs) => {
        const set = { set: spec.key.name, steps, documented, known: document.known(), issuerUrl: settings.oidcIssuerUrl };
        const noCluster = { clusterName: undefined, groups: {}, encryptionKey: undefined, customHcpRoles: false, disabledCapabilities: [] };
        return createdIdentityFlow({ ...set, ...noCluster }, { result, outputs });
      },
      next: () => afterCreateIdentities(settings),
    });
    if (settings.output === "text" && done) context.result.print(jsonText(identitiesOutput(document.known()), 2));
    return code;
  });
}

/** What to do after the create of an identity set, as commands that work as printed. */
function afterCreateIdentities(settings: Settings<"create identities">): Advice[] {
  const { identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName, oidcIssuerUrl, outputFile: file } = settings;
  const { returnOwnRoles } = settings;
  const set = { identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName };
  const files = { managedIdentitiesFile: file, dataPlaneIdentitiesFile: file, oidcIssuerUrl };
  return [
    ...(file === undefined || returnOwnRoles ? [] : [advise`check them: ${aroHcp("verify identities", files)}`]),
    advise`destroy them: ${aroHcp("destroy identities", { ...set, identitiesFile: returnOwnRoles ? file : undefined })}`,
  ];
}
