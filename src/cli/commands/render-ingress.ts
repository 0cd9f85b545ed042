/** `render ingress`: the Kubernetes manifests of a service cluster's ingress, from its output file; no requests to Azure. */
import { join } from "node:path";
import { writeText } from "../../files/text-file.js";
import { ingressManifests } from "../../manifests/ingress.js";
import type { IngressManifest } from "../../manifests/ingress-facts.js";
import { manifestsText } from "../../manifests/text.js";
import { screensOf, type Screens } from "../../render/screen.js";
import { sentence } from "../../render/wrapped.js";
import type { Resolved, Settings } from "../../settings/settings.js";
import { ingressFacts } from "../inputs/ingress-facts.js";
import { writeManifests } from "../outputs/manifest-output.js";
import type { ProcessPort } from "../process-port.js";

export async function run(resolved: Resolved<"render ingress">, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const screens = screensOf(port, settings.color);
  for (const notice of notices) screens.people.print(sentence(screens.people, `notice: ${notice}`));
  const manifests = ingressManifests(await ingressFacts(resolved));
  await (settings.outputDir === undefined ? writeManifests(manifests, settings, screens) : writeEach(manifests, settings, screens));
  return 0;
}

/** One file for each: `kubectl apply --server-side -f DIRECTORY` takes them all. */
async function writeEach(
  manifests: readonly IngressManifest[],
  { outputDir = ".", format }: Pick<Settings<"render ingress">, "outputDir" | "format">,
  { people }: Screens,
): Promise<void> {
  for (const manifest of manifests) {
    const path = join(outputDir, `${manifest.kind.toLowerCase()}-${manifest.metadata.name}.${format}`);
    await writeText(path, manifestsText([manifest], format), 0o644);
    people.print(`written to ${path}`);
  }
}
