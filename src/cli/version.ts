/** What the package says of this program: its version, and the Node that it needs. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

export const version = manifest.version;
/** ">=20.19". */
export const nodeWanted = manifest.engines.node;
