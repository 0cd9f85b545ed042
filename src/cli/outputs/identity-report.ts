/** The HTML report of an identity verification: written whole or not at all, readable by its owner only. */
import { open } from "node:fs/promises";
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import { writeText } from "../../files/text-file.js";
import { checkWritable } from "../../files/write.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { reportMark, reportPage } from "../../render/report/page.js";
import type { RenderedResult } from "../run/verification.js";
import type { IdentityChain } from "../../verify/identities/chain.js";
import { verifiedFlow } from "../../verify/identities/flow.js";
import { version } from "../version.js";
import { systemCode } from "../../text/system-code.js";

/**
 * Checks first that the report can be written.
 * @throws ARO-FILE-004; only an earlier report or an empty file is replaced
 */
export async function checkReport(path: string): Promise<void> {
  await checkWritable(path);
  const there = await headOf(path);
  if (there === "" || there.includes(reportMark)) return;
  throw new Failure("ARO-FILE-004", `cannot write ${path}: the file exists and is not a report of aro-hcp`, {
    because: "only an earlier report is replaced",
    next: ["choose another path, or delete the file"],
  });
}

/** The start of a file, which contains the mark of a report; empty if the file does not exist. */
async function headOf(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new Failure("ARO-FILE-004", `cannot write ${path}: the file exists and cannot be read`, { cause: error });
  });
  if (file === undefined) return "";
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(1024) });
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** @throws ARO-RUN-006 */
export async function writeReport(
  path: string,
  { connection }: Azure,
  chain: IdentityChain,
  results: readonly RenderedResult[],
): Promise<void> {
  const { subscriptionId } = connection;
  const { infra, caller, issuerUrl, now } = chain;
  const page = reportPage({
    title: `Identities of ${infra?.clusterName ?? infra?.infraID ?? "a hosted cluster"}`,
    facts: [
      ["verified", rfc3339(now())],
      ...(infra === undefined ? [] : [["infra ID", infra.infraID] as const]),
      ["subscription", subscriptionId],
      ["tenant", caller.tenantId],
      ...(issuerUrl === undefined ? [] : [["issuer", issuerUrl] as const]),
      ["by", `aro-hcp ${version}`],
    ],
    drawing: "From the secret to Azure",
    ...verifiedFlow(chain, results),
    results,
  });
  await writeText(path, page, 0o600);
}
