/** The documents of hosted clusters: loaded where a schema or the reader of a file is needed. */
import { readPullSecret } from "./files/pull-secret.js";

export const readers = {
  pullSecret: readPullSecret,
};
