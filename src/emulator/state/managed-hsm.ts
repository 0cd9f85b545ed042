/** The content and the local role assignments of a managed HSM in the state. */
import type { VaultContent } from "./vault-content.js";

/** The HSM itself is a resource that a seed document describes. */
export interface ManagedHsm {
  content: VaultContent;
  /** The assignments of its own access control, apart from those of its administrators. */
  roleAssignments: LocalAssignment[];
}

export interface LocalAssignment {
  /** A UUID. */
  name: string;
  /** "/", "/keys" or "/keys/NAME". */
  scope: string;
  roleDefinitionId: string;
  principalId: string;
}
