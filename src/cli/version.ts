/** What the package says of this program: its version, and the Node that it needs. */
import manifest from "../../package.json" with { type: "json" };

export const version = manifest.version;
/** ">=20.19". */
export const nodeWanted = manifest.engines.node;
