/** The program's version and its required Node.js version, from the package. */
import manifest from "../../package.json" with { type: "json" };

export const version = manifest.version;
/** ">=20.19". */
export const requiredNodeVersion = manifest.engines.node;
/** The packages of the Azure SDK, in the versions that package.json pins. */
export const azurePackages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<string>(manifest.devDependencies).filter(([name]) => name.startsWith("@azure/")),
);
