/** What connecting a cluster needs of the cluster itself: its API server, and helm on this machine. */
import type { ConnectedClusterPlace } from "./names.js";

export interface AgentRelease {
  /** "deployed", "failed", "pending-install" */
  readonly status: string;
  /** "azure-arc-k8sagents-1.2.3" */
  readonly chart: string;
}

/** An object of Kubernetes. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: "Namespace" | "ClusterRoleBinding";
  readonly metadata: { readonly name: string };
}

/** Why an address is not reached from inside the cluster. */
export interface Unreachable {
  readonly host: string;
  readonly reason: "name" | "connection";
}

export interface ArcAccess {
  /** Address of the API server. */
  readonly server: string;
  /** Whether helm is installed on this machine. */
  readonly hasHelm: boolean;
  /** The connected cluster that the agents belong to, from the ConfigMap that they installed. Undefined if the cluster has no agents. */
  connectedAs(): Promise<ConnectedClusterPlace | undefined>;
  has(object: ClusterObject): Promise<boolean>;
  /** Whether the agents' namespace has it, from its metadata alone. */
  hasSecret(name: string): Promise<boolean>;
  create(object: ClusterObject): Promise<void>;
  /** False if it did not exist. */
  remove(object: ClusterObject): Promise<boolean>;
  /** Runs a Job in the namespace of the release, and deletes it again. */
  diagnose(hosts: readonly string[], proxy: Readonly<Record<string, string>>): Promise<readonly Unreachable[]>;
  /** Undefined if helm knows no release of the agents. */
  release(): Promise<AgentRelease | undefined>;
  /** Runs helm. @throws ARO-ARC-004 */
  helm(what: string, words: readonly string[]): Promise<void>;
}
