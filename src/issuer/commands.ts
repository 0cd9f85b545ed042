/** The commands for a signing key and the issuer of its tokens, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import { changes, creates, everywhere, issuerPlace } from "../settings/shared-options.js";

export const commands = {
  "create key-pair": {
    summary: "create the key pair that signs service account tokens",
    description:
      "Creates a 4096-bit RSA key in serviceaccount-signer.private, and its public key in serviceaccount-signer.public. Keeps an existing " +
      "private key and re-derives its public key. Sends no requests to Azure.",
    examples: ["aro-hcp create key-pair --output-dir keys"],
    options: [...everywhere, "keyPairDir", "output", "timeout"],
  },
  "create oidc-issuer": {
    summary: "publish the public key so that Entra trusts the cluster's tokens",
    description:
      "Creates a storage account with a container that anyone can read but nobody can list, publishes the discovery document and the key set in it, and " +
      "reads them as Entra does. A new key is added to the published ones; --retire-key removes one.",
    examples: [
      "aro-hcp create oidc-issuer --cloud local --identities-name demo --public-key-file keys/serviceaccount-signer.public",
      "aro-hcp create oidc-issuer --azure-creds creds.json --identities-name demo --storage-account-name demoissuer --output-dir keys",
    ],
    required: ["setName"],
    options: [...creates, "name", ...issuerPlace, "userTags", "publicKeyFile", "retireKey", "issuerUpload", "outputDir", "returnOwnRoles"],
  },
  "adopt oidc-issuer": {
    summary: "take over the issuer and the identities that ccoctl created",
    description:
      "Finds the storage account and the managed identities with the tag of ccoctl, and adds the ownership tags to them. Shows why each is taken for " +
      "ccoctl's, and changes nothing else. Refuses an issuer that other identities trust. After that, create and destroy oidc-issuer work on it.",
    examples: ["aro-hcp adopt oidc-issuer --cloud local --identities-name demo --dry-run"],
    required: ["setName"],
    options: [...changes, "name", ...issuerPlace],
  },
  "destroy oidc-issuer": {
    summary: "delete the resources of create oidc-issuer",
    description:
      "Deletes the storage account of the issuer, the role assignment on it, and its resource group if create oidc-issuer created it and it is empty. " +
      "Deletes the identities that adopt oidc-issuer took over, and their role assignments.",
    examples: ["aro-hcp destroy oidc-issuer --cloud local --identities-name demo"],
    required: ["setName"],
    options: [...changes, "name", ...issuerPlace],
  },
} as const satisfies Readonly<Record<string, Command>>;
