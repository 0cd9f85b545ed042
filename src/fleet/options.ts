/** The options of the commands about a fleet, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const fleetEngines = ["kubernetes", "argo", "github", "gitlab", "azure-pipelines"] as const;
export type FleetEngine = (typeof fleetEngines)[number];

export const options = {
  fleetFile: {
    key: "fleetFile",
    flag: "--fleet-file",
    kind: "file",
    isInput: true,
    group: "required",
    help: "YAML or JSON file of the fleet: its identity sets, management clusters and clusters",
  },
  fleetDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "directory",
    default: "fleet",
    group: "output",
    help: "directory with a folder for each member: its files, events.ndjson, log.txt and result.json",
  },
  shard: {
    key: "shard",
    flag: "--shard",
    kind: "text",
    group: "placement",
    help: "share of the clusters, by their names: 3/10 is the third of ten, counted from 1",
    notInFile: true,
  },
  runId: {
    key: "runId",
    flag: "--run-id",
    kind: "text",
    group: "output",
    help: "ID of the run in the results, the same for all its shards; default: the time of its start",
    notInFile: true,
  },
  resultDirs: {
    key: "resultsDir",
    flag: "--results-dir",
    kind: "texts",
    default: "fleet",
    group: "required",
    help: "output directory of a run or of a shard; can be repeated: of several results of a member, the latest counts",
  },
  memberConcurrency: {
    key: "concurrency",
    flag: "--concurrency",
    kind: "integer",
    default: "32",
    group: "run",
    help: "maximum number of members that are worked on at once, 1 to 64",
  },
  shownFleetOutput: {
    key: "output",
    flag: "--output",
    short: "-o",
    kind: "choice",
    choices: ["text", "json", "junit"],
    default: "text",
    group: "output",
    help: "format of the results on standard output; JUnit has a suite for each member",
  },
  fleetEngine: {
    key: "engine",
    flag: "--engine",
    kind: "choice",
    choices: fleetEngines,
    default: "kubernetes",
    group: "output",
    help: "what runs the jobs",
  },
  shards: {
    key: "shards",
    flag: "--shards",
    kind: "integer",
    default: "4",
    group: "placement",
    help: "into how many shards the clusters are divided, 1 to 256",
  },
  fleetImage: {
    key: "image",
    flag: "--image",
    kind: "text",
    group: "output",
    help: "container image of aro-hcp; default: the published one of this version",
  },
  jobsDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "directory",
    group: "output",
    help: "directory for the files, created if missing, instead of standard output",
  },
} as const satisfies Readonly<Record<string, Option>>;
