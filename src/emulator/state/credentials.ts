/** The credentials of the emulator's directory, kept over a reset unless they are damaged. */
import { EmulatorStateError } from "../common/emulator-error.js";
import type { EmulatorRandom } from "../common/random.js";
import { createFileOnce, isErrno, credentialsFileOf, readOwnFile, setAside } from "./files.js";
import { wellKnown } from "./well-known.js";

/** hypershift's credentials file, as its `--azure-creds` reads it. */
export interface AzureCredentials {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** @throws EmulatorStateError if they are damaged */
export function ensureCredentials(directory: string, random: EmulatorRandom): AzureCredentials {
  const { subscriptionId, tenantId, clientId } = wellKnown;
  const fresh: AzureCredentials = { subscriptionId, tenantId, clientId, clientSecret: random.bytes(30).toString("base64url") };
  if (createFileOnce(credentialsFileOf(directory), `${JSON.stringify(fresh, undefined, 2)}\n`, 0o600)) return fresh;
  return readCredentials(directory);
}

/** @throws EmulatorStateError if they are damaged, missing, or of another user */
export function readCredentials(directory: string): AzureCredentials {
  const file = credentialsFileOf(directory);
  const damaged = (why: string, cause?: unknown) =>
    new EmulatorStateError(`the emulator's credentials in ${file} are damaged: ${why}`, { cause });
  let text: string;
  try {
    text = readOwnFile(file);
  } catch (error) {
    if (error instanceof EmulatorStateError) throw error;
    throw damaged(isErrno(error, "ENOENT") ? "the file is missing" : "the file cannot be read", error);
  }
  const found = parsed(text);
  if (found === undefined) throw damaged("the file is not a JSON object");
  const missing = keys.find((key) => typeof found[key] !== "string" || found[key] === "");
  if (missing !== undefined) throw damaged(`the file has no ${missing}`);
  return found as unknown as AzureCredentials;
}

/** Damaged ones are moved aside, because the file may be somebody's. */
export function renewDamagedCredentials(directory: string, random: EmulatorRandom): AzureCredentials {
  try {
    return ensureCredentials(directory, random);
  } catch (error) {
    if (!(error instanceof EmulatorStateError)) throw error;
    setAside(credentialsFileOf(directory));
    return ensureCredentials(directory, random);
  }
}

const keys = ["subscriptionId", "tenantId", "clientId", "clientSecret"] as const satisfies readonly (keyof AzureCredentials)[];

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
