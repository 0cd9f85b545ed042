/** What every step of a connected cluster uses. */
import type { Azure } from "../../azure/azure.js";
import type { ArcSpec } from "../domain/spec.js";

export interface ArcContext {
  readonly azure: Azure;
  readonly spec: ArcSpec;
  /** The directory of the key, the values, the manifests and the commands. */
  readonly directory: string;
}
