/** `graph`: the steps of create all, or the identity flow, without requests to Azure. */
import { accountPlace, issuerSpec } from "../issuer/index.js";
import { setReader } from "../identities/index.js";
import { clouds } from "../azure/cloud.js";
import { anyId, offlineAzure } from "../azure/offline-azure.js";
import { identityFlow } from "../domain/identity-flow.js";
import { defaultAccountName } from "../domain/issuer.js";
import { parseResourceId } from "../domain/resource-id.js";
import { Failure } from "../errors/failure.js";
import { diagram, type DiagramNode } from "../render/diagram.js";
import { flowDiagram } from "../render/flow-diagram.js";
import { screensOf } from "../render/screen.js";
import { acts, type ShownAct } from "../render/vocabulary.js";
import { ofIdentitySet } from "../run/identity-set.js";
import { graphStep, otherLine } from "../run/plan-rows.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { readResultSteps, type ResultStep } from "./files/result-steps.js";
import { flowFacts } from "./flow-facts.js";
import { createAllSpec } from "./inputs.js";
import { createAllGraph } from "./steps.js";

export async function run(resolved: Resolved<"graph">, port: ProcessPort): Promise<number> {
  const { flow, resultFile, format, color } = resolved.settings;
  const { result } = screensOf(port, color);
  if (flow) result.print(flowDiagram(identityFlow(await flowFacts(resolved)), format));
  else if (resultFile !== undefined) result.print(diagram((await readResultSteps(resultFile)).map(resultNode), format));
  else result.print(diagram(await nodesOfAll(resolved), format));
  return 0;
}

/** A step that succeeded says what it did. */
function resultNode({ section = otherLine, act, status, ...step }: ResultStep): DiagramNode {
  const word = status === "done" && Object.hasOwn(acts, act) ? acts[act as ShownAct].done : (status ?? act);
  return { ...step, section, word };
}

async function nodesOfAll(resolved: Resolved<"graph">): Promise<readonly DiagramNode[]> {
  const { objectId: keyVaultReaderObjectId, subscription } = await setReader(resolved);
  const settings = { ...withCluster(resolved.settings), keyVaultReaderObjectId, purgeProtection: "none" } as const;
  const ofVault = settings.keyVaultId === undefined ? undefined : parseResourceId(settings.keyVaultId).subscriptionId;
  const azure = offlineAzure({
    cloud: clouds[settings.cloud],
    subscriptionId: settings.subscription ?? subscription?.id ?? ofVault ?? anyId,
  });
  const set = ofIdentitySet(settings);
  const issuer = issuerSpec(set, azure, set.storageAccountName ?? defaultAccountName(accountPlace(set, azure)));
  const caller = { objectId: anyId, principalType: "User", tenantId: anyId } as const;
  return createAllGraph(azure, createAllSpec(settings, issuer, azure, caller), caller).steps.map(graphStep);
}

function withCluster(settings: Resolved<"graph">["settings"]) {
  const { name, infraId, baseDomain, dnsZoneRgName, outputDir = "." } = settings;
  if (name === undefined || infraId === undefined || baseDomain === undefined || dnsZoneRgName === undefined) {
    // Settings validation ensures this: only --flow and --result-file work without a cluster, which types cannot express.
    throw new Failure("ARO-USAGE-001", "no cluster specified");
  }
  return { ...settings, name, infraId, baseDomain, dnsZoneRgName, outputDir };
}
