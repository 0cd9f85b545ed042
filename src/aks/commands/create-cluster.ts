/** `create` of an AKS cluster: shows the plan, creates missing resources, and writes the output file. */
import type { Azure } from "../../azure/azure.js";
import { signedIn } from "../../azure/signed-in.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { kindFacts, type AksClusterKey, type ClusterKind } from "../../domain/cluster-kind.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { formatResourceId, parseResourceId, resourceGroupId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { advise, shell, type Advice, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { aksClusterFile, readAksCluster, type AksClusterOutput, type ClusterOptions } from "../../files/aks-cluster-output.js";
import { clusterKubeconfig, ownKubeconfig, writeKubeconfig } from "../files/cluster-kubeconfig.js";
import { checkOutputs, checkWritable } from "../../files/write.js";
import type { Screen } from "../../render/screen.js";
import { options as aksOptions } from "../options.js";
import { checkSettings } from "../../settings/resolve.js";
import type { Resolved, Values } from "../../settings/settings.js";
import { aksClusterGraph } from "../steps/graph.js";
import { sameText } from "../../text/same-text.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import {
  clusterAsFound,
  recordedClusterOptions,
  recordOfCluster,
  validClusterOptions,
  withClusterRecord,
} from "../inputs/aks-recorded-options.js";
import { undefinedIfUnusable } from "../../files/read.js";
import { changeText, differences, givenBy, keptFlags, type ChangedOption } from "../../run/option-record.js";
import { requireGivenRights } from "../../run/rights-settings.js";
import { aksClusterDocument } from "../outputs/aks-cluster-document.js";
import { written } from "../../run/written-files.js";
import type { ProcessPort } from "../../run/process-port.js";
import { applyGraph } from "../../run/apply.js";
import { preflight } from "../../run/create-preflight.js";
import type { RunContext } from "../../run/run-context.js";
import { withLocation } from "../../run/location.js";
import { targetOf } from "../../run/target.js";
import { withConnection } from "../../run/with-connection.js";
import type { OutputFile } from "../../files/output-file.js";

type Command = "create management-cluster" | "create service-cluster";

export async function run(kind: ClusterKind, given: Resolved<Command>, port: ProcessPort): Promise<number> {
  const { outputFile, outputKubeconfig, name } = given.settings;
  const command: Command = `create ${kind}`;
  const cluster: AksClusterKey = { kind, name };
  if (outputFile !== undefined) await checkWritable(outputFile);
  if (outputKubeconfig !== undefined) await checkWritable(outputKubeconfig);
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const { subscriptionId, cloud } = azure.connection;
    const file = outputFile === undefined ? undefined : aksClusterFile(outputFile, { ...cluster, subscriptionId });
    await checkOutputs([file]);
    const { resolved: kept, securityGroupName, changed, earlier } = await keepExisting(azure, command, given, cluster, context);
    const resolved = await withLocation(command, kept, azure, context, kept.settings.resourceGroupName);
    const { settings } = resolved;
    const tenantId = azure.connection.tenantId || (await signedIn(azure.connection)).tenantId;
    const record = recordOfCluster(kind, settings);
    const spec = aksClusterSpec(kind, settings, { subscriptionId, tenantId, securityGroupName }, resolved.origins);
    const clusterId = formatResourceId(
      resourceGroupId(subscriptionId, spec.group.name),
      resourceTypes.managedCluster.type,
      aksClusterNames(cluster, subscriptionId).cluster,
    );
    const kubeconfig = outputKubeconfig === undefined ? undefined : clusterKubeconfig(outputKubeconfig, clusterId);
    await checkOutputs([kubeconfig]);
    const { steps, documented } = aksClusterGraph(azure, spec);
    const { location } = spec;
    const document = aksClusterDocument(
      { ...cluster, cloud: cloud.name, subscriptionId, tenantId, location, options: record },
      documented,
      file,
    );
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { location, [kindFacts[kind].resultKey]: name }),
      steps,
      changed,
      warnings: [...changed.map(changeText), ...certificateLeft(earlier, settings)],
      preflight: preflight(azure, port, { parts: ["aks"], location, steps }),
      onDone: (step, output) => document.add(step, output),
      // An update takes minutes: a run that is interrupted meanwhile leaves the same values.
      onUpdate: (step, output) => document.add(step, output),
      document: () => ({ cluster: document.current() }),
      written: written(outputFile, kindFacts[kind].resultKey),
      next: () => afterCreateCluster(kind, settings),
    });
    if (!done) return code;
    if (kubeconfig !== undefined) context.say(await saveKubeconfig(azure, kubeconfig, clusterId));
    if (settings.output === "text") context.result.print(lines(document.current(), context.result));
    return code;
  });
}

interface Kept<C extends Command> {
  readonly resolved: Resolved<C>;
  /** The security group of the nodes, if an earlier version named it. */
  readonly securityGroupName: string | undefined;
  readonly changed: readonly ChangedOption[];
  /** The settings in the operator's output file. */
  readonly earlier?: ClusterOptions;
}

/**
 * A create of an existing cluster keeps what exists, unless a setting says otherwise. What neither a setting nor the file names is left as it is.
 * @throws ARO-USAGE-001 if a setting cannot be combined with what exists, or if roles depend on settings that only Azure shows
 */
async function keepExisting<C extends Command>(
  azure: Azure,
  command: C,
  given: Resolved<C>,
  cluster: AksClusterKey,
  context: RunContext,
): Promise<Kept<C>> {
  const { outputFile, resourceGroupName } = given.settings;
  const found = await clusterAsFound(azure, cluster, resourceGroupName, { access: false });
  const { record: existing, securityGroupName } = found;
  // The check of the output files has found that the file is of this cluster.
  const file = existing && outputFile && (await undefinedIfUnusable(readAksCluster(outputFile, cluster.kind)));
  const inFile = file ? await validClusterOptions(cluster.kind, file.input.options, outputFile ?? "") : undefined;
  const record = existing && { ...inFile, ...existing };
  const resolved = await withClusterRecord(given, cluster.kind, record, existing);
  if (record === undefined) return { resolved, securityGroupName, changed: [] };
  requireGivenRights(command, cluster.name, resolved, inFile);
  const { problems } = await checkSettings(command, resolved.settings, resolved.origins);
  if (problems.length > 0) {
    throw new Failure("ARO-USAGE-001", `a setting cannot be combined with what exists for ${cluster.name}`, {
      problems: problems.map(({ origin, message }) => ({ origin, message })),
    });
  }
  const options = recordedClusterOptions(cluster.kind);
  const kept = keptFlags(options, given, resolved);
  if (kept !== "") context.say(`notice: ${cluster.name} keeps what exists for it: ${kept}`);
  const changed = differences(options, record, { ...record, ...givenBy(given) }).map(({ key: _key, ...change }) => change);
  return { resolved, securityGroupName, changed, ...(inFile && { earlier: inFile }) };
}

/** A destroy finds the certificate by the settings or by the role of the AKS cluster, which may not have existed yet. */
function certificateLeft(earlier: ClusterOptions = {}, now: Values): Advice[] {
  const { certificateVaultId: vaultId, certificateName: name = aksOptions.certificateName.default } = earlier;
  if (typeof vaultId !== "string" || typeof name !== "string") return [];
  if (sameText(vaultId, now.certificateVaultId) && sameText(name, now.certificateName)) return [];
  const vault = parseResourceId(vaultId).name;
  return [
    advise`certificate ${name} in ${titleOf(resourceTypes.keyVault, vault)} is not used any more; delete it if nothing else does: ${shell`az keyvault certificate delete --vault-name ${vault} --name ${name}`}`,
  ];
}

/** What people copy. An ID that does not fit beside its name has a line of its own: a terminal would break it at any character. */
function lines(document: AksClusterOutput, { stream, width }: Screen): string {
  const { egressAddresses, ingressAddresses, keyVaultAddOn } = document;
  const values = [
    ["resourceGroupName", document.resourceGroupName],
    ["clusterID", document.clusterID],
    ["oidcIssuerURL", document.oidcIssuerURL],
    ["keyVaultAddOnClientID", keyVaultAddOn?.clientID ?? ""],
    ["egressAddresses", egressAddresses.map(({ ipAddress }) => ipAddress).join(", ")],
    ["ingressAddresses", ingressAddresses.map(({ ipAddress }) => ipAddress).join(", ")],
  ] as const;
  const room = stream.isTTY === true ? width() : Infinity;
  const longest = Math.max(...values.map(([key]) => key.length));
  return values
    .filter(([, value]) => value !== "")
    .map(([key, value]) => (longest + 1 + value.length > room ? `${key}\n${value}` : `${key.padEnd(longest)} ${value}`))
    .join("\n");
}

/** What to do after the create of an AKS cluster, as commands that work as printed. */
function afterCreateCluster(
  kind: ClusterKind,
  { name, resourceGroupName }: { name: string; resourceGroupName?: string | undefined },
): Advice[] {
  const settings = { name, resourceGroupName };
  return [advise`check it: ${aroHcp(`verify ${kind}`, settings)}`, advise`destroy it: ${aroHcp(`destroy ${kind}`, settings)}`];
}

/**
 * Once the cluster exists. Returns what a person must know to use the file: with kubelogin, the credentials are not in it.
 * @throws ARO-KUBE-004 for a kubeconfig that AKS does not write, ARO-RUN-006 if the file cannot be written
 */
export async function saveKubeconfig(azure: Azure, file: OutputFile, clusterId: string): Promise<string> {
  const { resourceGroup = "", name } = parseResourceId(clusterId);
  const { managedClusters } = await azure.clusters();
  // With local accounts, this user has a certificate or a token; without them, kubelogin signs in. Admin credentials are never needed.
  const { kubeconfigs = [] } = await managedClusters.listClusterUserCredentials(resourceGroup, name, { format: "exec" });
  const { text, command } = ownKubeconfig(Buffer.from(kubeconfigs[0]?.value ?? []).toString("utf8"), clusterId);
  await writeKubeconfig(file, text);
  return command === undefined
    ? `kubeconfig of ${name} written to ${file.path}; it contains credentials`
    : `kubeconfig of ${name} written to ${file.path}; it needs ${command}, which \`kubelogin convert-kubeconfig -l azurecli --kubeconfig FILE\` sets up for the sign-in of az`;
}
