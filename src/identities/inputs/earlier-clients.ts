/** What the files of an earlier run of an identity set name: clients, and their vault. */
import { earlierControlPlaneIds, earlierVaultNames } from "../files/identities-output.js";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import { earlierClients, type Read } from "../../run/earlier-clients.js";

export function earlierIdentities(paths: Readonly<Record<`--${string}`, string | undefined>>): EarlierFiles {
  const reads = Object.entries(paths).map(([flag, path]) => [flag, path === undefined ? undefined : () => earlierControlPlaneIds(path)]);
  const named = Object.values(paths).flatMap((path) => path ?? []);
  return {
    ...earlierClients(Object.fromEntries(reads) as Readonly<Record<`--${string}`, Read | undefined>>),
    vaultNames: async () => (await Promise.all(named.map(earlierVaultNames))).flat(),
  };
}
