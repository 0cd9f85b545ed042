/** `render hosted-cluster`: prints the manifests of a hosted cluster, or writes them with its Secrets. */
import { dirname, join } from "node:path";
import { directoryFiles } from "../domain/directory-files.js";
import { secretCommands, type SecretSources } from "./manifests/cluster-secrets.js";
import { hostedCluster } from "./manifests/hosted-cluster.js";
import { nodePools } from "./manifests/node-pools.js";
import { screensOf } from "../render/screen.js";
import { sentence } from "../render/wrapped.js";
import type { Resolved } from "../settings/settings.js";
import { hostedClusterChoices, nodePoolChoices } from "./inputs/hosted-cluster-choices.js";
import { gatherFacts } from "./inputs/hosted-cluster-facts.js";
import { readPullSecret } from "./files/pull-secret.js";
import { writeKustomization } from "./kustomization.js";
import { writeManifests } from "../run/manifest-output.js";
import type { ProcessPort } from "../run/process-port.js";

export async function run(resolved: Resolved<"render hosted-cluster">, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const screens = screensOf(port, settings.color);
  const reported = new Set<string>();
  const report = (notices: readonly string[]) => {
    const unsaid = notices.filter((notice) => !reported.has(notice));
    for (const notice of unsaid) reported.add(notice);
    for (const notice of unsaid) screens.people.print(sentence(screens.people, `notice: ${notice}`));
  };
  // The directory of --output-dir gets a Secret of it; without one, the printed command reads it.
  if (settings.pullSecret !== undefined) report((await readPullSecret(settings.pullSecret)).notices);
  const { facts, infraFile, bootImageId, notices } = await gatherFacts(resolved);
  report([...resolved.notices, ...notices]);
  const cluster = hostedCluster(facts, hostedClusterChoices(settings));
  const { metadata, spec } = cluster;
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: metadata.namespace } };
  const pools = nodePools(cluster, nodePoolChoices(settings, bootImageId));
  const { subscriptionID, tenantID } = spec.platform.azure;
  const sources: SecretSources = {
    pullSecretFile: settings.pullSecret,
    sshKeyFile: settings.sshKey,
    signingKeyFile: settings.saTokenIssuerPrivateKeyPath ?? join(settings.inputDir ?? dirname(infraFile), directoryFiles.privateKey),
    needsEtcdKey: spec.secretEncryption.type === "aescbc",
    subscriptionId: subscriptionID,
    tenantId: tenantID,
  };
  const { format, outputFile } = settings;
  const writer = { command: "render hosted-cluster", owner: `${metadata.namespace}/${metadata.name}, infra ID ${spec.infraID}` };
  if (settings.outputDir === undefined) {
    await writeManifests([namespace, cluster, ...pools], { format, outputFile, writer }, screens);
    const commands = secretCommands(metadata, sources).map((command) => `  ${command}`);
    screens.people.print(["create the namespace and these Secrets before the other manifests:", ...commands].join("\n"));
  } else {
    const place = { directory: settings.outputDir, writer, random: port.random };
    report(await writeKustomization({ namespace, cluster, nodePools: pools }, sources, place, screens));
  }
  return 0;
}
