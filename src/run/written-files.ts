/** The files that a command writes, with a word on each, for its summary. */
import type { WrittenFile } from "../render/summary.js";

/** Empty without a path. */
export function written(path: string | undefined, what: keyof typeof words): WrittenFile[] {
  return path === undefined ? [] : [{ path, what: words[what] }];
}

const words = {
  infra: "the infrastructure, for --infra-file",
  identities: "the identities of both planes",
  controlPlane: "those of the control plane, for --managed-identities-file",
  dataPlane: "those of the data plane, for --data-plane-identities-file",
  workload: "the workload identities, for --workload-identities-file",
  encryptionKey: "the key that encrypts etcd",
  privateKey: "the key that signs service account tokens: keep it secret",
  publicKey: "its public key",
  discovery: "the discovery document of the issuer, as published",
  keySet: "its public keys, as published",
  issuer: "the documents of the issuer, as published",
  managementCluster: "the cluster, for --management-cluster-file",
  serviceCluster: "the cluster, for --service-cluster-file",
  dnsZone: "the zone, its name servers and its delegation",
  externalDns: "what ExternalDNS signs in with",
  arcAgents: "what the agents of the cluster need",
  arcSecrets: "the vault and who reads it, for --arc-secrets-file",
} as const;
