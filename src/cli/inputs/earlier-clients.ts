/** The client IDs in the files that an earlier run wrote and the operator names again: they prove whose an application is. */
import { externalDnsCredentialsPath } from "../../domain/dns-zone.js";
import { readExternalDnsClient } from "../../files/dns-zone-output.js";
import { readExternalDnsConfig } from "../../files/external-dns.js";
import { earlierControlPlaneIds } from "../../files/identities-output.js";
import type { Settings } from "../../settings/settings.js";
import type { EarlierFiles } from "../../steps/application-ownership.js";
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

export function earlierExternalDns(settings: Settings<"create dns-zone">): EarlierFiles {
  const { outputFile } = settings;
  const credentialsFile = externalDnsCredentialsPath({ ...settings, externalDnsIdentity: "service-principal" });
  return earlierClients({
    "--output-file": outputFile === undefined ? undefined : () => readExternalDnsClient(outputFile),
    "--external-dns-credentials-file":
      credentialsFile === undefined ? undefined : async () => (await readExternalDnsConfig(credentialsFile)).aadClientId,
  });
}
