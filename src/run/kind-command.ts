/** The module of a command that management clusters and service clusters share. */
import type { ClusterKind } from "../domain/cluster-kind.js";
import type { ProcessPort } from "./process-port.js";

type KindRun<Given> = (kind: ClusterKind, given: Given, port: ProcessPort) => Promise<number>;

export function forKind<Given>(kind: ClusterKind, load: () => Promise<{ readonly run: KindRun<Given> }>) {
  return () => load().then(({ run }) => ({ run: (given: Given, port: ProcessPort) => run(kind, given, port) }));
}
