/** The page of a verification of identities: written whole or not at all, for its owner alone. */
import type { Azure } from "../azure/azure.js";
import { writeText } from "../files/text-file.js";
import { rfc3339 } from "../infra/credential-secret.js";
import { reportPage } from "../render/report/page.js";
import type { Result } from "../verify/check.js";
import type { IdentityChain } from "../verify/identities/chain.js";
import { verifiedFlow } from "../verify/identities/flow.js";
import { version } from "./version.js";

/** Throws ARO-RUN-006. */
export async function writeReport(path: string, { connection }: Azure, chain: IdentityChain, results: readonly Result[]): Promise<void> {
  const { subscriptionId } = connection;
  const { infra, runner, issuerUrl, now } = chain;
  const page = reportPage({
    title: `Identities of ${infra?.clusterName ?? infra?.infraID ?? "a hosted cluster"}`,
    facts: [
      ["verified", rfc3339(now())],
      ...(infra === undefined ? [] : [["infra id", infra.infraID] as const]),
      ["subscription", subscriptionId],
      ["tenant", runner.tenantId],
      ...(issuerUrl === undefined ? [] : [["issuer", issuerUrl] as const]),
      ["by", `aro-hcp ${version}`],
    ],
    ...verifiedFlow(chain, results),
    results,
  });
  await writeText(path, page, 0o600);
}
