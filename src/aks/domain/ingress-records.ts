/** The A records of an AKS cluster's ingress: their names, lifetime and ownership. */
import { ownedBy, ownershipTags } from "../../domain/ownership.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import type { IngressDomain } from "./cluster-spec.js";

/** Seconds. */
export const addressTtl = 300;

export interface RecordName {
  /** Relative to the zone. */
  readonly name: string;
  /** The address that it has. */
  readonly address: "ingress" | "ops";
}

/** Each hostname once. Without an address of their own, the operators' hostnames have that of the service. */
export function recordNames({ hosts, opsHosts }: IngressDomain, ops: boolean): readonly RecordName[] {
  const service = hosts.map((name): RecordName => ({ name, address: "ingress" }));
  const others = [...new Set(opsHosts)].filter((name) => !hosts.includes(name));
  return [...service, ...others.map((name): RecordName => ({ name, address: ops ? "ops" : "ingress" }))];
}

/** `rp.eastus.hcp.example.com`; the zone itself for `@`. */
export function hostnameOf(name: string, zone: string): string {
  return name === "@" ? zone : `${name}.${zone}`;
}

/** A record set has no tags; its metadata have the ownership tag instead. */
export function ownsRecord(metadata: Readonly<Record<string, string>> | undefined, cluster: AksClusterKey): boolean {
  return ownedBy(metadata, cluster) === "ours";
}

export const recordMetadata = (cluster: AksClusterKey): Record<string, string> => ownershipTags(cluster);
