/** `verify infra`: compares the resources of create infra with Azure, and finds what blocks a hosted cluster. */
import { signedIn } from "../azure/signed-in.js";
import type { Resolved, CreateInfraSettings } from "../settings/settings.js";
import { requireExistingInSubscription } from "../settings/existing-subscription.js";
import { infraGraph } from "./steps/infra.js";
import { infraCheckInstances } from "./verify/check-instances.js";
import { zoneGroupIn } from "./verify/snapshot.js";
import { infraSpec } from "./inputs/infra-spec.js";
import { requireSameCluster } from "./inputs/same-cluster.js";
import { readIdentities } from "./inputs/identities.js";
import { planGraph } from "../run/plan-graph.js";
import { withConnection } from "../run/with-connection.js";
import { requireTenant, subscriptionInFile } from "../run/subscription.js";
import { runVerification, type PreparedVerification } from "../run/verification.js";
import { recall, withFileRecord } from "./inputs/recorded-options.js";
import { clusterIn, infraFiles, infraToVerify, knownCluster, requiredCluster, requireFound } from "./inputs/infra-to-verify.js";
import type { ProcessPort } from "../run/process-port.js";
import type { OwnCommand } from "../errors/advice.js";
import { createAdvice } from "../run/create-advice.js";
import { azureCodeOf } from "../azure/azure-error.js";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { parseResourceId } from "../domain/resource-id.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { subnetOf } from "./steps/network.js";

const command = "verify infra";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const { notices, connection, connected } = await infraVerification(resolved);
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) =>
    runVerification(context, { command, settings, ...(await connected(azure, context)) }),
  );
}

/** What `verify infra` and `verify all` check. */
export async function infraVerification(resolved: Resolved<typeof command>): Promise<PreparedVerification> {
  const { document, path, identityPaths, inDocument } = await infraFiles(resolved.settings);
  if (document !== undefined) requireSameCluster(resolved.settings, resolved.origins, document);
  const recorded = await withFileRecord(resolved, document?.options, path);
  const { settings, notices } = recorded;
  const { concurrency, disableClusterCapabilities, clusterCidr, serviceCidr } = settings;
  const identities =
    (inDocument && { ...inDocument, ...(path !== undefined && { files: { control: path, data: path } }) }) ??
    (await readIdentities({
      managedIdentitiesFile: identityPaths.managedIdentitiesFile,
      dataPlaneIdentitiesFile: identityPaths.dataPlaneIdentitiesFile,
      workloadIdentitiesFile: identityPaths.workloadIdentitiesFile,
      disableClusterCapabilities,
    }));
  return {
    notices,
    connection: {
      documentSubscription: subscriptionInFile(document?.subscriptionID, path),
      cluster: knownCluster(settings, document),
    },
    connected: async (azure, context) => {
      const { subscriptionId } = azure.connection;
      requireTenant((await signedIn(azure.connection)).tenantId, document?.tenantID, path);
      requireExistingInSubscription(recorded, subscriptionId);
      const recalled = await recall(azure, recorded, clusterIn(settings, document), document?.options, context.say);
      await requireFound(azure, requiredCluster(settings, document), {
        ...recalled.resolved.settings,
        exists: recalled.exists,
        document,
        create: "create infra",
      });
      const { described, rangesUnknown } = infraToVerify(recalled.resolved, document, identityPaths, identities, recalled.isRecorded);
      const wanted = rangesUnknown ? await withRangesAsFound(azure, described, document?.vnetID) : described;
      const spec = infraSpec(wanted, subscriptionId, identities);
      const { steps } = infraGraph(azure, spec);
      const plan = await planGraph(steps, concurrency, context);
      const instances = infraCheckInstances(azure, steps, {
        spec,
        plan,
        podNetworks: clusterCidr,
        serviceNetworks: serviceCidr,
        create: createInfraAdvice({ ...withZoneGroup(wanted, zoneGroupIn(plan)), directory: settings.inputDir }, resolved.origins),
      });
      const { name, infraId } = spec.cluster;
      return {
        instances,
        about: `infrastructure of ${name} (${infraId})`,
        places: [path, `subscription ${subscriptionId}`, spec.location],
      };
    },
  };
}

/** The `create infra` command, or the `create all` of an output directory, for the resources that `verify infra` expects. */
export function createInfraAdvice(
  { directory, ...settings }: Partial<CreateInfraSettings> & { readonly directory?: string | undefined },
  origins: Resolved<"verify infra">["origins"] = {},
): OwnCommand {
  // It also creates the identities and the issuer, which `create infra` needs, and rewrites the files.
  if (directory !== undefined) {
    const all = createAdvice("create all", settings, origins);
    return { ...all, settings: { ...all.settings, outputDir: directory } };
  }
  // Custom roles imply role assignment: one flag is enough.
  const { assignIdentityRoles = false, assignCustomHcpRoles = false } = settings;
  return createAdvice("create infra", { ...settings, assignIdentityRoles: assignIdentityRoles && !assignCustomHcpRoles }, origins);
}

/** Role assignment includes the resource group of the zone, so `create infra` needs it. */
export function withZoneGroup<S extends Partial<CreateInfraSettings>>(settings: S, group: string | undefined): S {
  return settings.assignIdentityRoles === true ? { ...settings, dnsZoneRgName: settings.dnsZoneRgName ?? group } : settings;
}

/** Takes the ranges from the network, if it exists, because the file does not record them. */
export async function withRangesAsFound<R extends Pick<InfraSpec, "vnetCidr" | "subnetCidr">>(
  azure: Azure,
  wanted: R,
  vnetId: string | undefined,
): Promise<R> {
  if (vnetId === undefined) return wanted;
  const { resourceGroup = "", name } = parseResourceId(vnetId);
  const vnet = await found((await azure.network()).virtualNetworks.get(resourceGroup, name)).catch((error: unknown) => {
    // The check of the network reads it again, and reports what Azure refuses.
    if (azureCodeOf(error) === undefined) throw error;
    return undefined;
  });
  const subnet = vnet && subnetOf(vnet, "default");
  return {
    ...wanted,
    vnetCidr: vnet?.addressSpace?.addressPrefixes?.[0] ?? wanted.vnetCidr,
    subnetCidr: subnet?.addressPrefix ?? subnet?.addressPrefixes?.[0] ?? wanted.subnetCidr,
  };
}
