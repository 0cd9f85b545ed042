/** Which commands are about a management cluster or a service cluster. */
import { clusterKinds, type ClusterKind } from "../../../domain/cluster-kind.js";
import type { Values } from "../../../settings/settings.js";

/** Undefined for any other command. */
export function aksKindOf(command: string): ClusterKind | undefined {
  return clusterKinds.find((kind) => command.endsWith(` ${kind}`));
}

type Chosen = Required<Pick<Values, "preset" | "environment">>;
type AksValues = Values & { readonly [K in keyof Chosen]: NonNullable<Chosen[K]> };

/** Whether the command takes the options that define a cluster, and their values are known. */
export function isAksInput(values: Values): values is AksValues {
  return values.preset !== undefined && values.environment !== undefined;
}
