/** `create all`: signing key, issuer, identities, infrastructure and files of a hosted cluster in one run. */
import {
  identitiesOutput,
  type KnownIdentities,
  identityDocument,
  setReader,
  earlierIdentities,
  existingSet,
  createdIdentityFlow,
} from "../identities/index.js";
import {
  encryptionKeyFile,
  encryptionKeyOutput,
  readEncryptionKey,
  type EncryptionKeyOutput,
  managedHsmOf,
} from "../encryption-key/index.js";
import {
  issuerFiles,
  writeIssuerFiles,
  publicKeyOutput,
  type IssuerOutput,
  issuerAccount,
  issuerSpec,
  signingKeyIds,
} from "../issuer/index.js";
import { infraDocument, keepExisting, recordOfInfra, withReplacedRoles } from "../infra/index.js";
import { join } from "node:path";
import type { Azure } from "../azure/azure.js";
import { signedIn } from "../azure/signed-in.js";
import { fetchTokensAhead } from "../azure/tokens-ahead.js";
import type { Step } from "../engine/step.js";
import type { ControlPlaneIdentities, DataPlaneIdentities } from "../files/identity-schemas.js";
import { infraOutputFile, type KnownInfra } from "../files/infra-output.js";
import { withDirectory } from "../files/text-file.js";
import { checkOutputs, writeDocument } from "../files/write.js";
import { directoryFiles, directoryKeys, type DirectoryFile } from "../domain/directory-files.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { parts } from "../domain/create-parts.js";
import { keyVaultTypeOf, parseEncryptionKeyId } from "../domain/encryption-key.js";
import { groupsOf } from "../domain/identity-flow.js";
import { encryptionKeyName } from "../domain/identity-names.js";
import { placeInfra } from "../domain/placement.js";
import { controlPlaneFields, dataPlaneFields } from "../domain/components.js";
import { requireExistingInSubscription } from "../settings/existing-subscription.js";
import { createAllGraph } from "./steps.js";
import type { Screen } from "../render/screen.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { preflight } from "../run/create-preflight.js";
import { applyGraph } from "../run/apply.js";
import { isConfirmed } from "../run/consent.js";
import type { RunContext } from "../run/run-context.js";
import { readerProblems } from "../preflight/vault-reader.js";
import { identitySetKey, inPersistentGroup, ofIdentitySet } from "../run/identity-set.js";
import { createAllSpec } from "./inputs.js";
import { keptKms } from "../run/kept-kms.js";
import { undefinedIfUnusable } from "../files/read.js";
import { isGiven } from "../run/option-record.js";
import { purgeProtectionOf } from "../run/purge-protection-choice.js";
import { onlyInAzure, requireGivenRights } from "../run/rights-settings.js";
import { secondSetRefusal } from "../removal/set-groups.js";
import { sameText } from "../text/same-text.js";
import { withLocation } from "../run/location.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { written } from "../run/written-files.js";
import type { ProcessPort } from "../run/process-port.js";
import { advise, aroHcp, blank, shell, type Advice } from "../errors/advice.js";

const command = "create all";

/** The files that are written even if they exist. */
const rewrittenFiles = Object.values(directoryFiles).filter((name) => name !== directoryFiles.privateKey);

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { outputDir } = given.settings;
  const reader = await setReader(given);
  const work = async (azure: Azure, context: RunContext) => {
    fetchTokensAhead(azure.connection);
    const prepared = await prepare(azure, context, given, reader);
    const { settings, infraId, changed, warnings, graph, spec, issuer } = prepared;
    const { location } = settings;
    const identitySet = spec.identities.key.name;
    const documents = createdDocuments(prepared);
    const { code, done } = await applyGraph(azure, context, settings, {
      ...{ command, subject: infraId, steps: graph.steps, changed, warnings },
      about: { infraId, name: settings.name },
      target: targetOf(azure, { location, cluster: settings.name, infraId, identitySet }),
      preflight: preflight(azure, port, { parts, location, steps: graph.steps }, () => setProblems(azure, prepared)),
      refinePlan: (plan) => (spec.infra.roles ? withReplacedRoles(azure, plan, infraId, spec.infra.roles) : Promise.resolve(plan)),
      requireOwnFiles: documents.requireOwn,
      onDone: documents.add,
      document: documents.current,
      written: directoryKeys
        .filter((file) => file !== "encryptionKey" || settings.enableKms)
        .flatMap((file) => written(prepared.paths[file], file)),
      drawing: (result, outputs) => createdIdentityFlow(documents.flow(), { result, outputs }),
      next: () => afterCreateAll({ ...prepared, issuerUrl: issuer.url, encryptionKeyId: documents.keyId() }),
    });
    if (settings.output === "text" && done) context.result.print(resultLine(context.result, issuer.url));
    return code;
  };
  const connection = { ...given.settings, command, documentSubscription: reader.subscription };
  return withDirectory(outputDir, rewrittenFiles, () => withConnection(connection, given.notices, port, work));
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** What is wanted: the settings with those of an existing cluster, and the graph of their steps. */
async function prepare(
  azure: Azure,
  context: RunContext,
  given: Resolved<typeof command>,
  { objectId: keyVaultReaderObjectId, requireRunPlace }: Awaited<ReturnType<typeof setReader>>,
) {
  const { outputDir, infraId, name } = given.settings;
  const { subscriptionId } = azure.connection;
  const paths = filePaths(outputDir);
  const clusterFile = infraOutputFile(paths.infra, { clusterName: name, infraId, subscriptionId });
  await checkOutputs([clusterFile, publicKeyOutput(outputDir)]);
  const kept = await keepExisting(azure, command, given, paths.infra, context.say);
  requireGivenRights(command, infraId, kept.resolved, kept.inFile);
  const { changed, warnings } = kept;
  const resolved = await withLocation(command, kept.resolved, azure, context);
  const { settings } = resolved;
  requireExistingInSubscription(resolved, subscriptionId);
  const caller = await signedIn(azure.connection);
  requireRunPlace(azure.connection, caller);
  const named = ofIdentitySet(settings);
  const issuer = issuerSpec(named, azure, await issuerAccount(named, azure), { joinFlag: joinFlag(given, kept.isNew, context) });
  const issuerOwner = { url: issuer.url, kids: await signingKeyIds(outputDir) };
  const setKey = identitySetKey(inPersistentGroup(named), azure);
  const enableKms = await keptKms(resolved, existingSet(azure, setKey), context.say);
  const purgeProtection = purgeProtectionOf(resolved, enableKms && settings.managedHsmName === undefined);
  const described = { ...settings, enableKms, purgeProtection, keyVaultReaderObjectId, formerRouteTableId: kept.routeTableId };
  const chosen = createAllSpec(described, issuer, azure, caller);
  const hsmName = await hsmOfKey(azure, described, chosen.identities.key, { file: paths.encryptionKey, say: context.say });
  const spec = { ...chosen, hsmName };
  const files = earlierIdentities({ "--output-dir": paths.identities });
  const graph = createAllGraph(azure, spec, caller, { files, keepsRoles: !settings.returnOwnRoles });
  const known: KnownInfra = {
    ...{ cloud: azure.connection.cloud.name, subscriptionId, tenantId: caller.tenantId, clusterName: settings.name, infraId },
    ...{ baseDomain: settings.baseDomain, location: settings.location, options: recordOfInfra(resolved) },
  };
  return {
    ...{ resolved, settings, infraId, changed, warnings, paths, clusterFile, known },
    ...{ issuer, issuerOwner, enableKms, keyVaultReaderObjectId, spec, graph },
  };
}

/** What is wrong with the set before its first write: the reader of its vault, or a second set of the cluster's name. */
async function setProblems(azure: Azure, { resolved, keyVaultReaderObjectId, spec }: Prepared) {
  const isPlaced = isGiven(resolved, "persistentResourceGroupName");
  const [problems, second] = await Promise.all([
    readerProblems(azure, keyVaultReaderObjectId),
    isPlaced ? undefined : secondSetRefusal(azure, spec.identities.key),
  ]);
  return [...problems, ...(second ? [second] : [])];
}

/** A reader sees what the address is; a pipe gets it alone. */
function resultLine({ stream }: Screen, issuerUrl: string): string {
  return stream.isTTY === true ? `issuer ${issuerUrl}` : issuerUrl;
}

/** The files of the run, each written again after a step that adds to it. */
function createdDocuments({ settings, paths, clusterFile, known, issuer, issuerOwner, enableKms, spec, graph }: Prepared) {
  const { identities, infra } = spec;
  const clusterDocument = infraDocument(known, graph.infra, clusterFile);
  const identityFiles = identityDocument({ vaultName: identities.key.vaultName, tenantId: known.tenantId }, graph.identities, {
    outputFile: paths.identities,
    outputManagedIdentities: paths.controlPlane,
    outputDataPlaneIdentities: paths.dataPlane,
  });
  const keyOwner = { keyName: encryptionKeyName(identities.key), vaults: [identities.key.vaultName, spec.hsmName] };
  const keyFile = encryptionKeyFile(paths.encryptionKey, keyOwner);
  let key: ReturnType<typeof encryptionKeyOutput> | undefined;
  return {
    /** After the refusal of another set's name, which is the reason for files of another set. */
    async requireOwn(live: Parameters<typeof identityFiles.requireOwn>[0]): Promise<void> {
      await checkOutputs([...issuerFiles(settings.outputDir, issuerOwner), ...(enableKms ? [keyFile] : [])]);
      await identityFiles.requireOwn(live);
    },
    async add(step: Step<unknown>, output: unknown): Promise<void> {
      await clusterDocument.add(step, output);
      if (await identityFiles.add(step, output)) await clusterDocument.know(completePlanes(identityFiles.known()));
      if (step === graph.encryptionKey) {
        key = encryptionKeyOutput(output as EncryptionKeyOutput);
        await writeDocument(keyFile, key);
      }
      if (step === graph.issuer) await writeIssuerFiles(settings.outputDir, issuerOwner, output as IssuerOutput);
    },
    current: () => ({
      issuerURL: issuer.url,
      infra: clusterDocument.current(),
      identities: identitiesOutput(identityFiles.known()),
      ...(key && { encryptionKey: key }),
    }),
    keyId: () => key?.activeKeyID,
    flow: () => ({
      set: identities.key.name,
      steps: graph.steps,
      documented: graph.identities,
      known: identityFiles.known(),
      clusterName: settings.name,
      groups: groupsOf(clusterDocument.current(), placeInfra(infra)),
      issuerUrl: issuer.url,
      customHcpRoles: settings.assignCustomHcpRoles,
      disabledCapabilities: settings.disableClusterCapabilities,
      encryptionKey: key && parseEncryptionKeyId(key.activeKeyID),
    }),
  };
}

/** A new cluster joins an issuer on purpose only if its set has a name of its own. One that exists may have lost its signing key. */
function joinFlag({ settings, origins }: Resolved<typeof command>, isNew: boolean, context: RunContext): string | undefined {
  if (isGiven({ origins }, "identitiesName")) return undefined;
  if (isNew) return `--identities-name ${settings.name}`;
  return isConfirmed(settings, context) ? undefined : "--yes";
}

/**
 * The managed HSM of the key. One that the set has already stays, because no other key can decrypt etcd.
 * @throws ARO-USAGE-001 if only a tag names it: the create assigns roles in it
 */
async function hsmOfKey(
  azure: Azure,
  { managedHsmName, enableKms }: Pick<Resolved<typeof command>["settings"], "managedHsmName" | "enableKms">,
  set: IdentitySetKey,
  { file, say }: { readonly file: string; readonly say: (text: string) => void },
): Promise<string | undefined> {
  if (managedHsmName !== undefined || !enableKms) return managedHsmName;
  const recorded = (await managedHsmOf(azure, set))?.hsmName;
  if (recorded === undefined) return undefined;
  const own = await undefinedIfUnusable(readEncryptionKey(file));
  const key = own && parseEncryptionKeyId(own.activeKeyID);
  if (key === undefined || keyVaultTypeOf(key) !== "ManagedHSM" || !sameText(key.keyVaultName, recorded)) {
    throw onlyInAzure(`identity set ${set.name}`, { managedHsmName: recorded });
  }
  say(`notice: the key that encrypts etcd stays in managed HSM ${recorded}`);
  return recorded;
}

function filePaths(directory: string) {
  return Object.fromEntries(directoryKeys.map((file) => [file, join(directory, directoryFiles[file])])) as Record<DirectoryFile, string>;
}

/** The infra document contains the identities of a plane only if all are known, so no reader mistakes a part for the whole. */
function completePlanes(known: KnownIdentities): Pick<KnownInfra, "controlPlane" | "dataPlane"> {
  const { controlPlane, dataPlane } = identitiesOutput(known);
  return {
    ...(controlPlaneFields.every((field) => known.controlPlane[field]) && { controlPlane: controlPlane as ControlPlaneIdentities }),
    ...(dataPlaneFields.every((field) => known.dataPlane[field]) && { dataPlane: dataPlane as DataPlaneIdentities }),
  };
}

/** What to do after the create of a cluster. The commands work as printed; only secrets and versions are left open. */
interface CreatedAll {
  readonly settings: Settings<"create all">;
  /** The paths of the written files. */
  readonly paths: Readonly<Record<DirectoryFile, string>>;
  readonly issuerUrl: string;
  /** The identifier of the key that encrypts etcd. */
  readonly encryptionKeyId: string | undefined;
}

export function afterCreateAll({ settings, paths, issuerUrl, encryptionKeyId }: CreatedAll): Advice[] {
  const { name, infraId, baseDomain, outputDir: inputDir, azureCreds, cloud } = settings;
  // Without its roles, a later run cannot read the vault: it cannot verify the identities, and the file proves the applications.
  const { identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName, returnOwnRoles } = settings;
  const { oidcResourceGroupName, storageAccountName, blobContainerName } = settings;
  const issuer = { oidcResourceGroupName, storageAccountName, blobContainerName };
  const set = { identitiesName, keyVaultName, keyVaultId, persistentResourceGroupName, ...issuer };
  const needed = { pullSecret: blank("pull-secret.json"), releaseImage: blank("release-image") };
  const manifests = { inputDir, ...needed, outputDir: `${name}-manifests` };
  const key = encryptionKeyId === undefined ? [] : ["--encryption-key-id", encryptionKeyId];
  const hypershift = shell`hypershift create cluster azure --name ${name} --base-domain ${baseDomain} --infra-file ${paths.infra} --managed-identities-file ${paths.controlPlane} --data-plane-identities-file ${paths.dataPlane} --sa-token-issuer-private-key-path ${paths.privateKey} --oidc-issuer-url ${issuerUrl} ${key} --azure-creds ${azureCreds ?? blank("azure-creds.json")} --pull-secret ${needed.pullSecret} --release-image ${needed.releaseImage}`;
  return [
    returnOwnRoles
      ? advise`check the infrastructure: ${aroHcp("verify infra", { inputDir })}`
      : advise`check everything: ${aroHcp("verify all", { inputDir })}`,
    advise`write the manifests of the cluster: ${aroHcp("render hosted-cluster", manifests)}`,
    // The emulator runs no cluster.
    ...(cloud === "local" ? [] : [advise`or create the cluster: ${hypershift}`]),
    advise`destroy everything: ${aroHcp("destroy all", { name, infraId, ...set, identitiesFile: returnOwnRoles ? paths.identities : undefined })}`,
  ];
}
