/** The HTML report of an identity verification: written whole or not at all, readable by its owner only. */
import type { Azure } from "../../azure/azure.js";
import { writeText } from "../../files/text-file.js";
import { checkReplaceable } from "../../files/replaceable.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { reportMark, reportPage } from "../../render/report/page.js";
import type { RenderedResult } from "../run/verification.js";
import type { IdentityChain } from "../../verify/identities/chain.js";
import { verifiedFlow } from "../../verify/identities/flow.js";
import { version } from "../version.js";

/** @throws ARO-FILE-004; only an earlier report or an empty file is replaced */
export function checkReport(path: string): Promise<void> {
  return checkReplaceable(path, [reportMark]);
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
