/** `destroy infra`: find what is this cluster's, show what goes and what stays, ask, remove, and look again. */
import { Failure } from "../../errors/failure.js";
import { clusterNameIn, readInfraOutput, type InfraInput } from "../../files/infra-output.js";
import type { ClusterKey } from "../../infra/names.js";
import { parseResourceId } from "../../infra/resource-id.js";
import { takeInventory, type Search } from "../../removal/inventory.js";
import { removalsOf } from "../../removal/removals.js";
import { foreignRefusal, goingAlong, idsToRemove, stayingBehind } from "../../removal/selection.js";
import type { DestroyInfraSettings, Resolved } from "../../settings/settings.js";
import { requireAgreement } from "../agreement.js";
import { inSession } from "../session.js";
import { orStopped } from "../stage.js";
import { subscriptionInFile } from "../subscription.js";
import { requireConsent, tearDown } from "../tear-down.js";

const command = "destroy infra";

export async function run({ settings, origins, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const document = settings.infraJson === undefined ? undefined : await readInfraOutput(settings.infraJson);
  if (document) requireAgreement(settings, origins, document);
  const cluster = clusterOf(settings, document);
  const documentSubscription = subscriptionInFile(document?.subscriptionID, settings.infraJson);
  return inSession({ ...settings, documentSubscription }, notices, environment, async (azure, stage) => {
    requireConsent(cluster.infraId, settings, stage);
    const search = searchOf(settings, cluster, document);
    const inventory = await orStopped(stage, takeInventory(azure, search));
    const wishes = { preserveGroups: settings.preserveResourceGroup, deleteForeign: settings.deleteForeign };
    return tearDown(azure, stage, settings, {
      command,
      subject: cluster.infraId,
      about: { infraId: cluster.infraId },
      removals: removalsOf(azure, inventory, wishes),
      along: goingAlong(inventory, wishes),
      kept: stayingBehind(inventory, wishes),
      refusal: foreignRefusal(inventory, wishes),
      leftovers: async () => idsToRemove(await takeInventory(azure, search), wishes),
    });
  });
}

/** Without a file both are given: the settings were checked. A file always tells the infra id, but not always the name. */
function clusterOf(settings: DestroyInfraSettings, document: InfraInput | undefined): ClusterKey {
  const name = settings.name ?? (document && clusterNameIn(document));
  const infraId = settings.infraId ?? document?.infraID;
  if (name !== undefined && infraId !== undefined) return { name, infraId };
  throw new Failure("ARO-USAGE-001", "it is not said which cluster", {
    because: "the file does not tell the cluster's name",
    next: ["pass --name too"],
  });
}

function searchOf({ resourceGroupName }: DestroyInfraSettings, cluster: ClusterKey, document: InfraInput | undefined): Search {
  const brought = [document?.vnetID, document?.securityGroupID, document?.publicZoneID].filter((id) => id !== undefined);
  return {
    cluster,
    broughtGroup: resourceGroupName ?? document?.resourceGroupName,
    otherSubscriptions: brought.map((id) => parseResourceId(id).subscriptionId),
  };
}
