/** The client IDs in the files that an earlier run wrote and the operator names again: they prove whose an application is. */
import type { EarlierFiles } from "../azure/application-ownership.js";
import { undefinedIfUnusable } from "../files/read.js";

export type Read = () => Promise<string | readonly string[] | undefined>;

/** The keys are flags that name a file. A file that is not passed, does not exist or is unusable proves nothing. */
export function earlierClients(files: Readonly<Record<`--${string}`, Read | undefined>>): EarlierFiles {
  return {
    flags: Object.keys(files).join(" or "),
    async clientIds() {
      const found = await Promise.all(Object.values(files).flatMap((read) => (read ? [undefinedIfUnusable(read())] : [])));
      return found.flatMap((ids) => ids ?? []);
    },
  };
}
