/** The clients in the files of an earlier run of a DNS zone: those of external-dns. */
import type { EarlierFiles } from "../azure/application-ownership.js";
import { externalDnsCredentialsPath } from "../domain/dns-zone.js";
import { earlierClients, type Read } from "../run/earlier-clients.js";
import type { Settings } from "../settings/settings.js";
import { readExternalDnsClient } from "./files/dns-zone-output.js";
import { readExternalDnsConfig } from "./files/external-dns.js";

type ZoneFiles = Pick<Settings<"destroy dns-zone">, "baseDomain" | "externalDnsCredentialsFile">;

/** The files that a destroy reads. */
export function earlierExternalDns(settings: ZoneFiles): EarlierFiles {
  return earlierClients({ "--external-dns-credentials-file": clientInCredentials(settings) });
}

/** The files that a create reads, which also writes an output file. */
export function earlierDnsZone({ outputFile, ...settings }: Settings<"create dns-zone">): EarlierFiles {
  return earlierClients({
    "--output-file": outputFile === undefined ? undefined : () => readExternalDnsClient(outputFile),
    "--external-dns-credentials-file": clientInCredentials(settings),
  });
}

function clientInCredentials(settings: ZoneFiles): Read | undefined {
  const path = externalDnsCredentialsPath({ ...settings, externalDnsIdentity: "service-principal" });
  return path === undefined ? undefined : async () => (await readExternalDnsConfig(path)).aadClientId;
}
