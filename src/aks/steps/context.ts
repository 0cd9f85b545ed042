/** What every step of an AKS cluster is declared from. */
import type { NetworkSecurityGroup } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import type { ReadAhead } from "../../azure/read-ahead.js";
import type { AksClusterNames } from "../domain/cluster-names.js";
import type { AksClusterSpec } from "../domain/cluster-spec.js";
import type { Step } from "../../engine/step.js";
import type { AssignmentLists } from "../../steps/assignment-lists.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

export interface AksContext {
  readonly azure: Azure;
  readonly spec: AksClusterSpec;
  readonly names: AksClusterNames;
  readonly group: Step<GroupOutput>;
  /** The role assignments on a scope, listed once for all steps. */
  readonly assignments: AssignmentLists;
  /** The security group of the nodes as its step has just read it: its rules begin with the same read. */
  readonly securityGroup: ReadAhead<NetworkSecurityGroup | undefined>;
}
