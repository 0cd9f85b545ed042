/** The azure.json of ExternalDNS between runs: it keeps the client secret, which Entra shows once. */
import { externalDnsConfig, readExternalDnsConfig, type ExternalDnsPlace } from "./files/external-dns.js";
import { readTextIfThere } from "../files/text-file.js";
import type { OutputFile } from "../files/output-file.js";
import { writeDocument } from "../files/write.js";
import type { CredentialStore } from "../steps/client-secret.js";

/** Only its owner can read the file. `clientIds`: of the applications whose secret it may replace. */
export function externalDnsStore(file: OutputFile, place: ExternalDnsPlace, clientIds: Set<string>): CredentialStore {
  return {
    ...savedExternalDns(file.path),
    write({ clientId, clientSecret }) {
      clientIds.add(clientId);
      return writeDocument(file, externalDnsConfig(place, { clientId, clientSecret }), 0o600);
    },
  };
}

/** Serves a command that only reads the file. */
export function savedExternalDns(path: string): CredentialStore {
  return {
    ...noStore,
    async read() {
      // An empty file has no secret either.
      if (((await readTextIfThere(path))?.text ?? "").trim() === "") return undefined;
      const { aadClientId: clientId, aadClientSecret: clientSecret } = await readExternalDnsConfig(path);
      if (clientId === undefined || clientSecret === undefined) return undefined;
      // ExternalDNS defines the keys of the file, so the secret is recognized by its first characters, which Entra shows.
      return { clientId, isOf: ({ hint }) => hint === clientSecret.slice(0, 3) };
    },
  };
}

/** The store if no file may be written: only a service principal has a client secret, and its create always has a file. */
export const noStore: CredentialStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.reject(new Error("there is no file for the client secret")),
};
