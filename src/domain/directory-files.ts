/** What lies in the directory that `create all` writes, by name: other commands read it there. */
export const directoryFiles = {
  infra: "infra.json",
  identities: "identities.json",
  controlPlane: "managed-identities.json",
  dataPlane: "data-plane-identities.json",
  discovery: "openid-configuration",
  keySet: "jwks",
  privateKey: "serviceaccount-signer.private",
  publicKey: "serviceaccount-signer.public",
} as const;
