/** `graph`: the steps of create infra with the same settings, or the identity flow; sends no requests to Azure. */
import { infraGraph, requireSameCluster, withFileRecord, readIdentities, infraSpec } from "../infra/index.js";
import { anyId, offlineAzure } from "../azure/offline-azure.js";
import { Failure } from "../errors/failure.js";
import { identityFlow } from "../domain/identity-flow.js";
import { diagram, type DiagramNode } from "../render/diagram.js";
import { readResultSteps, type ResultStep } from "./files/result-steps.js";
import { readInfraOutput } from "../files/infra-output.js";
import { directoryFiles } from "../domain/directory-files.js";
import { flowDiagram } from "../render/flow-diagram.js";
import { screensOf } from "../render/screen.js";
import { acts, type ShownAct } from "../render/vocabulary.js";
import type { Resolved } from "../settings/settings.js";
import { flowFacts } from "./flow-facts.js";
import { fileIn } from "../run/input-files.js";
import { graphStep, otherLine } from "../run/plan-rows.js";
import type { ProcessPort } from "../run/process-port.js";

export async function run(resolved: Resolved<"graph">, port: ProcessPort): Promise<number> {
  const { flow, resultJson, format, color } = resolved.settings;
  const { result } = screensOf(port, color);
  if (flow) result.print(flowDiagram(identityFlow(await flowFacts(resolved)), format));
  else if (resultJson !== undefined) result.print(diagram((await readResultSteps(resultJson)).map(resultNode), format));
  else result.print(await stepsDiagram(resolved));
  return 0;
}

/** A step that succeeded says what it did. */
function resultNode({ section = otherLine, act, status, ...step }: ResultStep): DiagramNode {
  const word = status === "done" && Object.hasOwn(acts, act) ? acts[act as ShownAct].done : (status ?? act);
  return { ...step, section, word };
}

async function stepsDiagram(resolved: Resolved<"graph">): Promise<string> {
  const { settings } = await withRecordInFile(resolved);
  const { name, infraId, baseDomain, subscription = anyId, format } = settings;
  if (name === undefined || infraId === undefined || baseDomain === undefined) {
    // Settings validation ensures this: only --flow works without a cluster, which types cannot express.
    throw new Failure("ARO-USAGE-001", "no cluster specified");
  }
  const spec = infraSpec({ ...settings, name, infraId, baseDomain }, subscription, await readIdentities(settings));
  return diagram(infraGraph(offlineAzure(), spec).steps.map(graphStep), format);
}

/** @throws ARO-USAGE-001 if the file belongs to another cluster */
async function withRecordInFile(resolved: Resolved<"graph">): Promise<Resolved<"graph">> {
  const { infraJson, inputDir } = resolved.settings;
  const path = infraJson ?? (await fileIn(inputDir, directoryFiles.infra));
  if (path === undefined) return resolved;
  const document = await readInfraOutput(path);
  requireSameCluster(resolved.settings, resolved.origins, document);
  return withFileRecord(resolved, document.options, path);
}
