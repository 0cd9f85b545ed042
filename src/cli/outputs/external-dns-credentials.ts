/** The azure.json of ExternalDNS between runs: it keeps the client secret, which Entra shows once. */
import { Failure } from "../../errors/failure.js";
import { externalDnsConfig, readExternalDnsConfig, type ExternalDnsPlace } from "../../files/external-dns.js";
import { readTextIfThere } from "../../files/text-file.js";
import { writeDocument } from "../../files/write.js";
import type { CredentialStore } from "../../steps/client-secret.js";
import { sameText } from "../../text/same-text.js";

/** Only its owner can read the file. */
export function externalDnsStore(path: string, place: ExternalDnsPlace): CredentialStore {
  return {
    async read() {
      if ((await readTextIfThere(path)) === undefined) return undefined;
      const { aadClientId: clientId, aadClientSecret: clientSecret } = await readExternalDnsConfig(path);
      if (clientId === undefined || clientSecret === undefined) return undefined;
      // ExternalDNS defines the keys of the file, so the secret is recognized by its first characters, which Entra shows.
      return { clientId, isOf: ({ hint }) => hint === clientSecret.slice(0, 3) };
    },
    write: ({ clientId, clientSecret }) => writeDocument(path, externalDnsConfig(place, { clientId, clientSecret }), 0o600),
  };
}

/** Without a file: only a service principal has a client secret, and it always has a file. */
export const noStore: CredentialStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.reject(new Error("there is no file for the client secret")),
};

/** @throws ARO-FILE-004 if the file is of a zone in another resource group: the run would overwrite its client secret */
export async function requireOwnCredentials(path: string, { subscriptionId, resourceGroup }: ExternalDnsPlace): Promise<void> {
  if ((await readTextIfThere(path)) === undefined) return;
  const found = await readExternalDnsConfig(path);
  if (sameText(found.subscriptionId, subscriptionId) && sameText(found.resourceGroup, resourceGroup)) return;
  throw new Failure(
    "ARO-FILE-004",
    `${path} belongs to a zone in resource group ${found.resourceGroup} of subscription ${found.subscriptionId}`,
    {
      because: "the run would overwrite it",
      next: ["choose another --external-dns-credentials-file, or delete the old file if nobody needs it"],
    },
  );
}
