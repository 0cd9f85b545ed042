/** The client IDs in the files that an earlier run wrote and the operator names again: they prove whose an application is. */
import { externalDnsCredentialsPath } from "../../domain/dns-zone.js";
import { readExternalDnsClient } from "../../dns-zone/files/dns-zone-output.js";
import { readExternalDnsConfig } from "../../dns-zone/files/external-dns.js";
import { earlierControlPlaneIds } from "../../identities/files/identities-output.js";
import type { Settings } from "../../settings/settings.js";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import { undefinedIfUnusable } from "./kept-options.js";

type Read = () => Promise<string | readonly string[] | undefined>;

/** By the flag that names the file. One that is not passed, does not exist or is unusable proves nothing. */
export function earlierClients(files: Readonly<Record<`--${string}`, Read | undefined>>): EarlierFiles {
  return {
    flags: Object.keys(files).join(" or "),
    async clientIds() {
      const found = await Promise.all(Object.values(files).flatMap((read) => (read ? [undefinedIfUnusable(read())] : [])));
      return found.flatMap((ids) => ids ?? []);
    },
  };
}

export function earlierIdentities(paths: Readonly<Record<`--${string}`, string | undefined>>): EarlierFiles {
  const reads = Object.entries(paths).map(([flag, path]) => [flag, path === undefined ? undefined : () => earlierControlPlaneIds(path)]);
  return earlierClients(Object.fromEntries(reads) as Readonly<Record<`--${string}`, Read | undefined>>);
}

type ZoneFiles = Pick<Settings<"destroy dns-zone">, "baseDomain" | "externalDnsCredentialsFile">;

/** Of a destroy. */
export function earlierExternalDns(settings: ZoneFiles): EarlierFiles {
  return earlierClients({ "--external-dns-credentials-file": clientInCredentials(settings) });
}

/** Of a create, which also writes an output file. */
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
