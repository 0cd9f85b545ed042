/** The files in the emulator's directory that clients read. */
import { join } from "node:path";

/** PEM of the authority that clients must trust. */
export const caFileOf = (directory: string): string => join(directory, "ca.pem");

/** hypershift's `azure-creds.json`. */
export const credentialsFileOf = (directory: string): string => join(directory, "azure-creds.json");

/** Says which process serves the directory, as long as it does. */
export const servingFileOf = (directory: string): string => join(directory, "serving.json");
