/** Where the files are that clients of the emulator read, in its directory. */
import { join } from "node:path";

/** PEM of the authority that clients must trust. */
export const caFileOf = (directory: string): string => join(directory, "ca.pem");

/** hypershift's `azure-creds.json`. */
export const credentialsFileOf = (directory: string): string => join(directory, "azure-creds.json");

/** Which process serves the directory, while one does. */
export const servingFileOf = (directory: string): string => join(directory, "serving.json");
