/** `create infra`: validates its input, shows the plan, creates missing resources, and writes the output file. */
import { signedIn } from "../azure/signed-in.js";
import { readInfraIdentities } from "../files/infra-identities.js";
import { infraOutputFile, type InfraOutput } from "../files/infra-output.js";
import { checkOutputs, checkWritable } from "../files/write.js";
import { infraGraph } from "./steps/infra.js";
import { requireExistingInSubscription } from "../settings/existing-subscription.js";
import { options } from "../settings/options.js";
import { isExplicit } from "../settings/resolve.js";
import type { Screen } from "../render/screen.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { preflight } from "../run/create-preflight.js";
import { applyGraph } from "../run/apply.js";
import { assigneesOf, namesIdentityFile, readIdentities, type IdentitiesInFiles } from "./inputs/identities.js";
import { infraDocument } from "./infra-document.js";
import { requireGivenRights } from "../run/rights-settings.js";
import { keepExisting } from "./inputs/kept-options.js";
import { undefinedIfUnusable } from "../files/read.js";
import { recordOfInfra } from "./inputs/recorded-options.js";
import { infraSpec } from "./inputs/infra-spec.js";
import { withLocation } from "../run/location.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { written } from "../run/written-files.js";
import type { ProcessPort } from "../run/process-port.js";
import { advise, aroHcp, blank, type Advice } from "../errors/advice.js";

const command = "create infra";

export async function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { outputFile } = given.settings;
  await checkIdentityFiles(given);
  if (outputFile !== undefined) await checkWritable(outputFile);
  return withConnection({ ...given.settings, command }, given.notices, port, async (azure, context) => {
    const { subscriptionId, cloud } = azure.connection;
    const cluster = { clusterName: given.settings.name, infraId: given.settings.infraId, subscriptionId };
    const file = outputFile === undefined ? undefined : infraOutputFile(outputFile, cluster);
    await checkOutputs([file]);
    const kept = await keepExisting(azure, command, given, outputFile, context.say);
    // Also of a create that assigns no roles: its output file would make what only Azure shows the operator's word for the next one.
    requireGivenRights(command, cluster.infraId, kept.resolved, kept.inFile);
    const { changed, warnings } = kept;
    const resolved = await withLocation(command, kept.resolved, azure, context, kept.resolved.settings.resourceGroupName);
    const { settings } = resolved;
    requireExistingInSubscription(resolved, subscriptionId);
    const identities = await identitiesOf(resolved);
    if (settings.assignIdentityRoles && assigneesOf(identities, settings.disableClusterCapabilities).length === 0) {
      context.say(
        `warning: ${String(outputFile)} records role assignments, but without an identity file they are neither checked nor changed`,
      );
    }
    for (const format of identities.formats) context.say(`notice: ${format}`);
    const spec = infraSpec(settings, subscriptionId, identities, { ...settings, formerRouteTableId: kept.routeTableId });
    const { steps, documented } = infraGraph(azure, spec);
    const { name, infraId, baseDomain, location } = settings;
    // The SDK's default chain signs in without a tenant ID, but HyperShift needs one.
    const tenantId = azure.connection.tenantId || (await signedIn(azure.connection)).tenantId;
    const known = {
      cloud: cloud.name,
      subscriptionId,
      tenantId,
      clusterName: name,
      infraId,
      baseDomain,
      location,
      options: recordOfInfra(resolved),
      ...identities,
    };
    const document = infraDocument(known, documented, file);
    const { code, done } = await applyGraph(azure, context, settings, {
      command,
      subject: infraId,
      about: { infraId },
      target: targetOf(azure, { location, cluster: name, infraId }),
      steps,
      changed,
      warnings,
      preflight: preflight(azure, port, { parts: ["infra"], location, steps }),
      onDone: (step, output) => document.add(step, output),
      document: () => ({ infra: document.current() }),
      written: written(outputFile, "infra"),
      next: () => afterCreateInfra(settings),
    });
    if (settings.output === "text" && done) context.result.print(idLines(document.current(), context.result));
    return code;
  });
}

/** Before any request to Azure. The record may disable capabilities, so their identities may be missing. */
async function checkIdentityFiles({ settings, origins }: Resolved<typeof command>): Promise<void> {
  const disabled = isExplicit(origins.disableClusterCapabilities)
    ? settings.disableClusterCapabilities
    : options.disableClusterCapabilities.choices;
  await readIdentities({ ...settings, disableClusterCapabilities: disabled });
}

/** Reads the identity files. For recorded role assignments, the output file of the earlier run also has the identities. */
async function identitiesOf({ settings, origins }: Resolved<typeof command>): Promise<IdentitiesInFiles> {
  const { outputFile } = settings;
  const isRecorded = [origins.assignIdentityRoles, origins.assignCustomHcpRoles].some((origin) => origin?.source === "record");
  if (namesIdentityFile(settings) || !isRecorded || outputFile === undefined) return readIdentities(settings);
  return { ...(await undefinedIfUnusable(readInfraIdentities(outputFile))), formats: [] };
}

/** The IDs that people copy. One that does not fit beside its name has a line of its own: a terminal would break it at any character. */
function idLines(document: InfraOutput, { stream, width }: Screen): string {
  const keys = ["resourceGroupName", "publicZoneID", "privateZoneID", "vnetID", "subnetID", "securityGroupID"] as const;
  const lines = keys.map((key) => [key.padEnd(18), document[key]] as const);
  const room = stream.isTTY === true ? width() : Infinity;
  return lines.map(([key, id]) => (key.length + 1 + id.length > room ? `${key.trimEnd()}\n${id}` : `${key} ${id}`)).join("\n");
}

/** What to do after the create of the infrastructure, as commands that work as printed. */
function afterCreateInfra(settings: Settings<"create infra">): Advice[] {
  const { name, infraId, location, resourceGroupName, outputFile: infraFile, cloud } = settings;
  const place = cloud === "local" ? {} : { location };
  const identities = { identitiesName: name, ...place, oidcIssuerUrl: blank("issuer-url"), outputFile: "identities.json" };
  const { managedIdentitiesFile, dataPlaneIdentitiesFile, workloadIdentitiesFile } = settings;
  const needed = {
    managedIdentitiesFile,
    dataPlaneIdentitiesFile,
    workloadIdentitiesFile,
    oidcIssuerUrl: blank("issuer-url"),
    pullSecret: blank("pull-secret.json"),
    releaseImage: blank("release-image"),
  };
  return [
    advise`check it: ${aroHcp("verify infra", infraFile === undefined ? { name, infraId } : { infraFile })}`,
    ...(namesIdentityFile(settings) ? [] : [advise`create its identities: ${aroHcp("create identities", identities)}`]),
    ...(infraFile === undefined || !namesIdentityFile(settings)
      ? []
      : [advise`write the manifests of the cluster: ${aroHcp("render hosted-cluster", { infraFile, ...needed })}`]),
    advise`destroy it: ${aroHcp("destroy infra", { name, infraId, resourceGroupName })}`,
  ];
}
