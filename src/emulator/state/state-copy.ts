/** This process's copy of the state, shared on disk (replica.ts) or not at all (memory-copy.ts). */
import type { Change } from "./changes.js";
import type { OwnedContentFiles } from "./content-files.js";
import type { AzureState } from "./state.js";

export interface StateCopy {
  /** The newest state. @throws EmulatorStateError */
  refresh(): AzureState;
  /** Whether no process has committed since the last refresh. */
  isNewest(): boolean;
  /** False if another process committed first. */
  commit(changes: readonly Change[]): boolean;
  /** The content files that commits have dropped since the last call. */
  takeDropped(): readonly string[];
  /** Those of the content files that the state does not name. */
  unnamed(files: readonly string[]): readonly string[];
  /** Puts another state in the place of the stored one, readable or not. */
  replace(state: AzureState, content: OwnedContentFiles): void;
  isHeavy(minimum: number): boolean;
  compact(): boolean;
}
