/** A row of the tables of AKS checks: the fault, the check that reports it, and how to follow the advice. */
import type { Role } from "../../../src/domain/roles.js";
import { changeState } from "../../harness/state-changes.js";
import type { AksState } from "./aks-state.js";

export interface AksRow {
  readonly check: string;
  /** The end of the subject. */
  readonly subject: string;
  readonly state?: "warning";
  readonly evidence: RegExp;
  readonly next: RegExp;
  readonly breaks: (state: AksState) => Promise<unknown>;
  /** "create": the create of the cluster; "line": the first command line of the advice; a function does what the advice says in words. */
  readonly fix: "create" | "line" | ((state: AksState) => Promise<unknown>);
}

/** Deletes the assignments of a role on exactly that scope. */
export const without = (role: Role, scope: string) => (state: AksState) =>
  changeState(state, ({ roleAssignments }) => {
    for (const [key, { scope: at, roleDefinitionId }] of Object.entries(roleAssignments))
      if (at.toLowerCase() === scope.toLowerCase() && roleDefinitionId.endsWith(role.id)) delete roleAssignments[key];
  });
