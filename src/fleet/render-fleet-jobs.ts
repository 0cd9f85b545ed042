/** `render fleet-jobs`: the jobs of a fleet for an engine that shards, without requests to Azure. */
import { readInputFile } from "../files/input-file.js";
import { screensOf } from "../render/screen.js";
import { sentence } from "../render/wrapped.js";
import { writeManifestFiles, writeManifests, type NamedManifests } from "../run/manifest-output.js";
import { version } from "../run/package-version.js";
import type { ProcessPort } from "../run/process-port.js";
import type { Resolved } from "../settings/settings.js";
import { readFleet, type Member } from "./fleet-file.js";
import type { FleetEngine } from "./options.js";
import type { FleetJobs } from "./manifests/fleet-jobs.js";
import { clusterManifests, kustomization, sharedManifests, verifyManifests } from "./manifests/kubernetes.js";
import { argoWorkflow, azurePipeline, githubWorkflow, gitlabPipeline } from "./manifests/pipelines.js";

const command = "render fleet-jobs";
/** What a ConfigMap takes. */
const mostBytes = 1024 * 1024;

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const screens = screensOf(port, settings.color);
  const say = (text: string) => screens.people.print(sentence(screens.people, text));
  for (const notice of notices) say(`notice: ${notice}`);
  const { fleetFile, engine, outputDir, image = `ghcr.io/openshift/aro-hcp:${version}` } = settings;
  const { members } = await readFleet(fleetFile);
  const content = await readInputFile(fleetFile, mostBytes);
  const jobs: FleetJobs = {
    name: "aro-hcp-fleet",
    fleet: content?.bytes.toString("utf8") ?? "",
    shared: members.filter(({ kind }) => kind !== "clusters").map(({ name }) => name),
    shards: settings.shards,
    image,
    runId: settings.runId ?? "fleet",
  };
  const files = filesOf[engine](jobs);
  const writer = { command, owner: fleetFile };
  if (outputDir === undefined) {
    await writeManifests(
      files.flatMap(({ manifests }) => manifests),
      { format: "yaml", outputFile: undefined, writer },
      screens,
    );
  } else {
    for (const path of await writeManifestFiles(outputDir, files, "yaml", writer)) say(`written to ${path}`);
  }
  for (const hint of hintsOf(engine, jobs, members)) say(hint);
  return 0;
}

const fileOf = (name: string, manifests: readonly object[]): NamedManifests => ({ name, manifests, mode: 0o644 });

const filesOf: Readonly<Record<FleetEngine, (jobs: FleetJobs) => readonly NamedManifests[]>> = {
  kubernetes: (jobs) => [
    fileOf("shared.yaml", sharedManifests(jobs)),
    fileOf("clusters.yaml", clusterManifests(jobs)),
    fileOf("verify.yaml", verifyManifests(jobs)),
    fileOf("kustomization.yaml", [kustomization(["shared.yaml", "verify.yaml"])]),
  ],
  argo: (jobs) => [fileOf("workflow.yaml", [argoWorkflow(jobs)])],
  github: (jobs) => [fileOf("github.yml", [githubWorkflow(jobs)])],
  gitlab: (jobs) => [fileOf("gitlab-ci.yml", [gitlabPipeline(jobs)])],
  "azure-pipelines": (jobs) => [fileOf("azure-pipelines.yml", [azurePipeline(jobs)])],
};

function hintsOf(engine: FleetEngine, { name, shared }: FleetJobs, members: readonly Member[]): readonly string[] {
  if (engine !== "kubernetes" && engine !== "argo") {
    return hasKeys(members)
      ? ["warning: a runner loses the signing keys that it creates: create the issuer before, and write oidcIssuerUrl into the file"]
      : [];
  }
  return [
    `set the client ID of the identity on ServiceAccount ${name}, and AZURE_SUBSCRIPTION_ID in Secret ${name}-environment`,
    ...(engine === "kubernetes" && shared.length > 0
      ? [`apply clusters.yaml when Job ${name}-shared is complete: each shard needs the files of the sets`]
      : []),
  ];
}

/** Whether a create makes a signing key: of a set without an issuer, and of a cluster with a set of its own. */
function hasKeys(members: readonly Member[]): boolean {
  return members.some(({ kind, set, settings: { value } }) => {
    if (kind === "sets") return value["oidcIssuerUrl"] === undefined;
    return kind === "clusters" && set === undefined && value["managedIdentitiesFile"] === undefined;
  });
}
