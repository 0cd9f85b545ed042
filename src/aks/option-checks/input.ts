/** Narrows settings to those that define an AKS cluster. */
import type { Values } from "../../settings/settings.js";

type Chosen = Required<Pick<Values, "preset" | "environment">>;
type AksValues = Values & { readonly [K in keyof Chosen]: NonNullable<Chosen[K]> };

/** Whether the command takes the options that define a cluster, and their values are known. */
export function definesCluster(values: Values): values is AksValues {
  return values.preset !== undefined && values.environment !== undefined;
}
