/** The names of the files that `create all` writes to its output directory, where other commands read them. */
export const directoryFiles = {
  infra: "infra.json",
  identities: "identities.json",
  controlPlane: "managed-identities.json",
  dataPlane: "data-plane-identities.json",
  encryptionKey: "encryption-key.json",
  discovery: "openid-configuration",
  keySet: "jwks",
  privateKey: "serviceaccount-signer.private",
  publicKey: "serviceaccount-signer.public",
} as const;

export type DirectoryFile = keyof typeof directoryFiles;
export const directoryKeys = Object.keys(directoryFiles) as readonly DirectoryFile[];

/** The names of the files that `create arc` writes to its output directory. */
export const arcFiles = {
  privateKey: "arc-onboarding-key.pem",
  values: "arc-values.yaml",
  namespace: "arc-namespace.yaml",
  securityContext: "arc-scc.yaml",
  commands: "arc-commands.sh",
} as const;
