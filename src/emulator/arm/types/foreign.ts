/** Types that the CLI does not create but that can be in its groups: seeded, read and deleted. */
import { ApiError } from "../../core/service.js";
import { versionsOf } from "../api-versions.js";
import { defineType, type ResourceType } from "../resource-type.js";
import { computeVersions, scaleSetType } from "./compute/compute-lists.js";
import { directUsersOf } from "../uses.js";

const diskVersions = versionsOf("Microsoft.Compute/disks", { from: "2022-03-02" });

export const foreignTypes: readonly ResourceType[] = [
  defineType({
    name: "Microsoft.Compute/virtualMachines",
    apiVersions: computeVersions,
    verbs: ["read", "delete"],
    kind: "tracked",
    namePattern: /^[\w.-]{1,64}$/,
    nameRule: "It must have 1 to 64 letters, digits, '_', '.' or '-'.",
    latency: { put: "virtualMachine.delete", delete: "virtualMachine.delete" },
    delete: {
      operation: "DeleteVirtualMachine",
      answers: "accepted",
      headers: ["azure-asyncoperation", "location"],
      retryAfter: 10,
      pollRetryAfter: [10],
      at: { under: "location", status: "operations", result: "operations", runningStatus: 200 },
    },
  }),
  // What a cluster pulls its images from: a scope of role assignments.
  defineType({
    name: "Microsoft.ContainerRegistry/registries",
    apiVersions: versionsOf("Microsoft.ContainerRegistry", { from: "2019-05-01" }),
    verbs: ["read", "tags", "delete"],
    kind: "tracked",
    emptyTags: true,
    namePattern: /^[a-zA-Z0-9]{5,50}$/,
    nameRule: "It must have 5 to 50 letters and digits.",
    latency: { put: "disk.delete", delete: "disk.delete" },
    presentedProperties: (_state, { name, properties }) => ({
      loginServer: `${name.toLowerCase()}.azurecr.io`,
      adminUserEnabled: false,
      ...properties,
    }),
  }),
  // Created by AKS, and deleted with its cluster.
  defineType({
    name: scaleSetType,
    apiVersions: computeVersions,
    verbs: ["read"],
    kind: "tracked",
    namePattern: /^[\w.-]{1,64}$/,
    nameRule: "It must have 1 to 64 letters, digits, '_', '.' or '-'.",
    latency: { put: "virtualMachine.delete", delete: "virtualMachine.delete" },
  }),
  // Encrypts with a key of a vault.
  defineType({
    name: "Microsoft.Compute/diskEncryptionSets",
    apiVersions: diskVersions,
    verbs: ["read", "delete"],
    kind: "tracked",
    namePattern: /^[\w-]{1,80}$/,
    nameRule: "It must have 1 to 80 letters, digits, '_' or '-'.",
    latency: { put: "disk.delete", delete: "disk.delete" },
  }),
  defineType({
    name: "Microsoft.Compute/disks",
    apiVersions: diskVersions,
    verbs: ["read", "delete"],
    kind: "tracked",
    namePattern: /^[\w.-]{1,80}$/,
    nameRule: "It must have 1 to 80 letters, digits, '_', '.' or '-'.",
    latency: { put: "disk.delete", delete: "disk.delete" },
    checkDelete(state, { id, name }) {
      const [machine] = directUsersOf(state, id);
      if (machine !== undefined) throw new ApiError(409, "OperationNotAllowed", `Disk ${name} is attached to VM ${machine.from}.`);
    },
  }),
];
