/** `render hosted-cluster`: prints the part of a HostedCluster that the files define, and shows how to create the Secret of its signing key. */
import { dirname, join } from "node:path";
import { directoryFiles } from "../../domain/directory-files.js";
import { shellWord } from "../../errors/shell-word.js";
import { hostedCluster, signingKeySecretName } from "../../manifests/hosted-cluster.js";
import { screensOf } from "../../render/screen.js";
import { sentence } from "../../render/wrapped.js";
import type { Resolved } from "../../settings/settings.js";
import { gatherFacts } from "../inputs/hosted-cluster-facts.js";
import { writeManifests } from "../outputs/manifest-output.js";
import type { ProcessPort } from "../process-port.js";

export async function run(resolved: Resolved<"render hosted-cluster">, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const screens = screensOf(port, settings.color);
  const { facts, infraJson, notices } = await gatherFacts(resolved);
  for (const notice of [...resolved.notices, ...notices]) screens.people.print(sentence(screens.people, `notice: ${notice}`));
  const cluster = hostedCluster(facts);
  await writeManifests([cluster], settings, screens);
  const { name, namespace } = cluster.metadata;
  const keyFile = settings.saTokenIssuerPrivateKeyPath ?? join(settings.inputDir ?? dirname(infraJson), directoryFiles.privateKey);
  screens.people.print(
    "add these yourself: release, pullSecret, networking, services and etcd\n" +
      "create the Secret of the signing key first:\n" +
      `  kubectl create secret generic ${signingKeySecretName(name)} --namespace ${namespace} --from-file=${shellWord(`key=${keyFile}`)}`,
  );
  return 0;
}
