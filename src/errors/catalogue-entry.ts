/** The shape of an entry of the catalogue of failures. */
import type { ExitCode } from "./exit-codes.js";

export interface CatalogueEntry {
  readonly title: string;
  /** The process exit code, see `exit-codes.ts`. */
  readonly exit: ExitCode;
  /** Advice used where the failure brings none of its own. */
  readonly next: readonly string[];
  /** Azure error codes that are translated to this entry; where errors are nested, the innermost. */
  readonly azureCodes?: readonly string[];
}

/** Advice that holds for every interrupted run: Azure is the only state. */
export const runAgain = "run the same command again: it goes on from what is there";
