/** The clients in the files of an earlier run of an identity set. */
import { earlierControlPlaneIds } from "../files/identities-output.js";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import { earlierClients, type Read } from "../../run/earlier-clients.js";

export function earlierIdentities(paths: Readonly<Record<`--${string}`, string | undefined>>): EarlierFiles {
  const reads = Object.entries(paths).map(([flag, path]) => [flag, path === undefined ? undefined : () => earlierControlPlaneIds(path)]);
  return earlierClients(Object.fromEntries(reads) as Readonly<Record<`--${string}`, Read | undefined>>);
}
