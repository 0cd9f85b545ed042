/** Types that the CLI does not create but that share groups with its own: seeded, read and deleted, with the rules of who uses whom. */
import { ApiError } from "../../service.js";
import { defineType, type ResourceType } from "../resource-type.js";
import { scaleSetType } from "./container-service/node-group.js";
import { directUsersOf } from "./uses.js";

export const foreignTypes: readonly ResourceType[] = [
  defineType({
    name: "Microsoft.Compute/virtualMachines",
    apiVersions: ["2025-04-01", "2024-11-01", "2024-07-01", "2024-03-01", "2023-09-01", "2023-03-01"],
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
  // Created by AKS, and deleted with its cluster.
  defineType({
    name: scaleSetType,
    apiVersions: ["2025-04-01", "2024-11-01", "2024-07-01", "2024-03-01", "2023-09-01", "2023-03-01"],
    verbs: ["read"],
    kind: "tracked",
    namePattern: /^[\w.-]{1,64}$/,
    nameRule: "It must have 1 to 64 letters, digits, '_', '.' or '-'.",
    latency: { put: "virtualMachine.delete", delete: "virtualMachine.delete" },
  }),
  defineType({
    name: "Microsoft.Compute/disks",
    apiVersions: ["2025-01-02", "2024-03-02", "2023-10-02", "2023-04-02", "2022-07-02"],
    verbs: ["read", "delete"],
    kind: "tracked",
    namePattern: /^[\w.-]{1,80}$/,
    nameRule: "It must have 1 to 80 letters, digits, '_', '.' or '-'.",
    latency: { put: "disk.delete", delete: "disk.delete" },
    deletable(state, { id, name }) {
      const [machine] = directUsersOf(state, id);
      if (machine !== undefined) throw new ApiError(409, "OperationNotAllowed", `Disk ${name} is attached to VM ${machine.from}.`);
    },
  }),
];
