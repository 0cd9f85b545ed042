/** `verify identities`: checks and reports the whole path from the identity files to a valid token. */
import { withFileRecord, knownCluster } from "../infra/index.js";
import { signedIn } from "../azure/signed-in.js";
import { clusterNameIn } from "../files/infra-output.js";
import type { Resolved } from "../settings/settings.js";
import type { IdentityChain } from "./verify/chain.js";
import { vaultNameIn } from "./verify/file-documents.js";
import { identityCheckInstances } from "./verify/check-instances.js";
import { verifiedFlow } from "./verify/flow.js";
import { givenFiles, identityChain } from "./identity-chain.js";
import { infraPlace, requireRunPlace, requireSamePlace, subscriptionOfCluster } from "./inputs/management-cluster-file.js";
import { withConnection } from "../run/with-connection.js";
import { subscriptionInFile } from "../run/subscription.js";
import { runVerification, type PreparedVerification } from "../run/verification.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "verify identities";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const { notices, connection, connected } = await identityVerification(resolved, port);
  return withConnection({ ...settings, command, ...connection }, notices, port, async (azure, context) =>
    runVerification(context, { command, settings, ...(await connected(azure, context)) }),
  );
}

/** What `verify identities` and `verify all` check. */
export async function identityVerification(resolved: Resolved<typeof command>, port: ProcessPort): Promise<PreparedVerification> {
  const { settings, notices } = resolved;
  const { component } = settings;
  const files = await givenFiles(settings, port);
  const { infraPath, infra } = files;
  requireSamePlace(files.cluster, infraPlace(infra), infraPath ?? "", insteadOfFile);
  const documentSubscription = subscriptionInFile(infra?.subscriptionID, infraPath) ?? subscriptionOfCluster(files.cluster);
  const connected: PreparedVerification["connected"] = async (azure, context) => {
    const kubernetes = files.kubeconfig && (await import("../kubernetes/api-server.js")).openKubernetes(files.kubeconfig, context.signal);
    const recorded = (await withFileRecord(resolved, files.infra?.options, files.infraPath)).settings;
    const caller = await signedIn(azure.connection);
    requireRunPlace(files.cluster, azure.connection, caller, insteadOfFile);
    const chain = identityChain(files, recorded, caller, kubernetes, azure.connection.clock);
    const instances = identityCheckInstances(azure, chain);
    return {
      instances,
      subjects: component.includes("all") ? [] : component,
      about: aboutOf(chain),
      places: [...placesOf(chain), `subscription ${azure.connection.subscriptionId}`],
      drawing: (results) => ({ title: "From the secret to Azure", ...verifiedFlow(chain, results) }),
      directory: settings.inputDir,
    };
  };
  return { notices, connection: { documentSubscription, cluster: knownCluster(settings, files.infra) }, connected };
}

/** The nodes of a cluster name it in any subscription. */
const insteadOfFile = "pass only its --kubeconfig";

function aboutOf({ infra }: IdentityChain): string {
  return `identities of ${infra === undefined ? "a hosted cluster" : `${clusterNameIn(infra) ?? "a cluster"} (${infra.infraID})`}`;
}

function placesOf(chain: IdentityChain): readonly (string | undefined)[] {
  const { managedIdentities, dataPlaneIdentities } = chain;
  return [managedIdentities?.path, dataPlaneIdentities?.path, `vault ${vaultNameIn(chain) ?? "unknown"}`];
}
