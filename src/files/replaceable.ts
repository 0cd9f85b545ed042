/** What an output may replace: an earlier output of its kind, or an empty file. Any other file belongs to its owner: a private key, notes. */
import { open } from "node:fs/promises";
import { Failure } from "../errors/failure.js";
import { systemCode } from "../text/system-code.js";
import { checkWritable } from "./write.js";

/** A text that each document of the kind contains near its start. */
export const outputMarks = {
  infra: ['"infraID"'],
  identities: ['"managedIdentitiesKeyVault"', '"clientID"', 'MSIClientID"'],
  encryptionKey: ['"activeKeyID"'],
  aksCluster: ['"kind"'],
  dnsZone: ['"dns-zone"'],
  manifests: ["apiVersion"],
  timings: ['"type": "timings"'],
} as const;

const startBytes = 64 * 1024;

/**
 * Rejects a target that cannot be written, or that is not of this kind, before any resource that the file records is created.
 * @throws ARO-FILE-004
 */
export async function checkReplaceable(path: string, marks: readonly string[]): Promise<void> {
  await checkWritable(path);
  const start = await startOf(path);
  if (start.trim() === "" || marks.some((mark) => start.includes(mark))) return;
  throw new Failure("ARO-FILE-004", `cannot write ${path}: the file exists and is no earlier output of this command`, {
    because: "only an earlier output is replaced",
    next: ["choose another path, or delete the file"],
  });
}

/** Empty if the file does not exist. */
async function startOf(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new Failure("ARO-FILE-004", `cannot write ${path}: the file exists and cannot be read`, { cause: error });
  });
  if (file === undefined) return "";
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(startBytes) });
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
