/** The options of the commands about an estate, as part of the table of options. */
import type { Option } from "../settings/option.js";

export const options = {
  subscriptions: {
    key: "subscriptions",
    flag: "--subscriptions",
    aliases: ["--subscription"],
    kind: "list",
    group: "placement",
    help: "IDs of the subscriptions to read; by default all that you can see",
  },
  budgetNodes: {
    key: "nodePoolReplicas",
    flag: "--node-pool-replicas",
    kind: "integer",
    default: "2",
    group: "placement",
    help: "nodes of each new cluster, of the default size with 4 vCPUs; 0 leaves out their quotas",
  },
  budgetLocation: {
    key: "location",
    flag: "--location",
    short: "-l",
    kind: "text",
    group: "placement",
    help: "Azure location of the new clusters; by default, those where clusters are",
  },
  auditedInfraIds: {
    key: "infraIds",
    flag: "--infra-ids",
    kind: "list",
    group: "placement",
    help: "infra IDs of clusters that left nothing but role assignments",
  },
  max: {
    key: "max",
    flag: "--max",
    kind: "integer",
    group: "safety",
    notInFile: true,
    help: "the most that this run removes; required with --yes",
  },
  purgeNames: {
    key: "purgeNames",
    flag: "--purge-names",
    kind: "list",
    group: "safety",
    notInFile: true,
    help: "names of deleted vaults, and of sets whose deleted applications to purge for good",
  },
  outputJournal: {
    key: "outputJournal",
    flag: "--output-journal",
    kind: "file",
    group: "output",
    help: "new file for what is deleted; default: aro-hcp-sweep-<time>.ndjson",
  },
  undoFile: {
    key: "undoFile",
    flag: "--undo-file",
    aliases: ["--undo"],
    kind: "file",
    isInput: true,
    group: "safety",
    notInFile: true,
    help: "journal of a sweep: puts back what it deleted, as far as Azure allows it",
  },
} as const satisfies Readonly<Record<string, Option>>;
