/** The program's version and its required Node.js version, from the package. */
import manifest from "../../package.json" with { type: "json" };

export const version = manifest.version;
/** ">=20.19". */
export const requiredNodeVersion = manifest.engines.node;
