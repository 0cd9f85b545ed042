/** `graph infra`: the steps of create infra with the same settings; sends no requests to Azure. */
import { anyId, offlineAzure } from "../azure/offline-azure.js";
import { directoryFiles } from "../domain/directory-files.js";
import { readInfraOutput } from "../files/infra-output.js";
import { diagram } from "../render/diagram.js";
import { screensOf } from "../render/screen.js";
import { fileIn } from "../run/input-files.js";
import { graphStep } from "../run/plan-rows.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { readIdentities } from "./inputs/identities.js";
import { infraSpec } from "./inputs/infra-spec.js";
import { withFileRecord } from "./inputs/recorded-options.js";
import { requireSameCluster } from "./inputs/same-cluster.js";
import { infraGraph } from "./steps/infra.js";

export async function run(given: Resolved<"graph infra">, port: ProcessPort): Promise<number> {
  const { settings } = await withRecordInFile(given);
  const spec = infraSpec(settings, settings.subscription ?? anyId, await readIdentities(settings));
  const { steps } = infraGraph(offlineAzure(), spec);
  screensOf(port, settings.color).result.print(diagram(steps.map(graphStep), settings.format));
  return 0;
}

/** @throws ARO-USAGE-001 if the file belongs to another cluster */
async function withRecordInFile(resolved: Resolved<"graph infra">): Promise<Resolved<"graph infra">> {
  const { infraFile, inputDir } = resolved.settings;
  const path = infraFile ?? (await fileIn(inputDir, directoryFiles.infra));
  if (path === undefined) return resolved;
  const document = await readInfraOutput(path);
  requireSameCluster(resolved.settings, resolved.origins, document);
  return withFileRecord(resolved, document.options, path);
}
