/** The texts of the commands about a fleet. */
import type { Command } from "../settings/command.js";
import { everywhere } from "../settings/shared-options.js";

const names = { name: "names", help: "names of members; default: all", isRepeated: true } as const;
const fleet = [
  "azureCreds",
  "principalsFile",
  "subscription",
  "cloud",
  "timeout",
  "memberConcurrency",
  "fleetDir",
  "shard",
  "runId",
] as const;
const changes = [...everywhere, ...fleet, "output", "dryRun", "yes", "outputEvents", "outputReport", "outputTimings"] as const;

export const commands = {
  "create fleet": {
    summary: "create the clusters of a file, with the identity sets that they share",
    description:
      "Runs create all for each cluster, or create infra for one whose identity set is in the file, many at once. Sets and management clusters come first. " +
      "One failure stops no other; the exit code is the worst one. With --shard, works on a share of the clusters: create what they share before, by name.",
    examples: [
      "aro-hcp create fleet --cloud local --fleet-file fleet.yaml --dry-run",
      "aro-hcp create fleet --azure-creds creds.json --fleet-file fleet.yaml --shard 3/10 --run-id nightly-42",
    ],
    argument: names,
    required: ["fleetFile"],
    options: changes,
  },
  "verify fleet": {
    summary: "check each cluster and identity set of a file",
    description:
      "Runs verify all or verify infra for each cluster, and the verifications of sets and management clusters, many at once. Writes the results to " +
      "--output-dir. Exits with the worst code: with 6 if a check failed, or with 3 if there are only warnings.",
    examples: ["aro-hcp verify fleet --cloud local --fleet-file fleet.yaml --output junit"],
    argument: names,
    required: ["fleetFile"],
    options: [...everywhere, ...fleet, "verifyOutput", "outputEvents", "outputReport"],
  },
  "destroy fleet": {
    summary: "delete what create fleet created",
    description:
      "Runs destroy all or destroy infra for each cluster, then deletes the management clusters and identity sets. Keeps the directories with the files. " +
      "One failure stops no other, but what a failed cluster uses is kept.",
    examples: ["aro-hcp destroy fleet --cloud local --fleet-file fleet.yaml blue green"],
    argument: names,
    required: ["fleetFile"],
    options: changes,
  },
  "show fleet": {
    summary: "show how each member of a fleet ended, from the results of all shards",
    description:
      "Merges the results of runs and shards by name. A member without a result was not run: it never counts as done. Sends no requests to Azure. Exits with " +
      "the worst code of the members, or with 8 if one was not run.",
    examples: ["aro-hcp show fleet --fleet-file fleet.yaml --results-dir shard-1 --results-dir shard-2 --run-id nightly-42"],
    argument: names,
    required: ["fleetFile"],
    options: [...everywhere, "resultDirs", "runId", "shownFleetOutput"],
  },
  "render fleet-jobs": {
    summary: "write the jobs that run a fleet on Kubernetes, Argo or a CI system",
    description:
      "Writes a job for what clusters share, and one with a shard for each machine: an Indexed Job of Kubernetes with a nightly check, a workflow of Argo, " +
      "or a matrix of GitHub, GitLab or Azure Pipelines. Sends no requests to Azure.",
    examples: ["aro-hcp render fleet-jobs --fleet-file fleet.yaml --shards 10 --output-dir jobs"],
    required: ["fleetFile"],
    options: [...everywhere, "fleetEngine", "shards", "fleetImage", "runId", "jobsDir"],
  },
} as const satisfies Readonly<Record<string, Command>>;
