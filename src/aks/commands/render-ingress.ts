/** `render ingress`: the Kubernetes manifests of a service cluster's ingress, from its output file; no requests to Azure. */
import { ingressManifests } from "../manifests/ingress.js";
import { screensOf } from "../../render/screen.js";
import { sentence } from "../../render/wrapped.js";
import type { Resolved } from "../../settings/settings.js";
import { ingressFacts } from "../inputs/gathered-ingress.js";
import { writeManifestFiles, writeManifests } from "../../run/manifest-output.js";
import type { ProcessPort } from "../../run/process-port.js";

export async function run(resolved: Resolved<"render ingress">, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const screens = screensOf(port, settings.color);
  for (const notice of notices) screens.people.print(sentence(screens.people, `notice: ${notice}`));
  const facts = await ingressFacts(resolved);
  const manifests = ingressManifests(facts);
  const { outputDir, outputFile, format } = settings;
  const writer = { command: "render ingress", owner: `${facts.address.group}/${facts.address.name}` };
  if (outputDir === undefined) await writeManifests(manifests, { format, outputFile, writer }, screens);
  else {
    // One file for each: `kubectl apply --server-side -f DIRECTORY` takes them all.
    const files = manifests.map((manifest) => ({
      name: `${manifest.kind.toLowerCase()}-${manifest.metadata.name}.${format}`,
      manifests: [manifest],
      mode: 0o644 as const,
    }));
    for (const path of await writeManifestFiles(outputDir, files, format, writer)) screens.people.print(`written to ${path}`);
  }
  return 0;
}
