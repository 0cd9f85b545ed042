/** How pods of a connected cluster sign in to their vault. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { arcIdentityName, type ArcSecretsAccess } from "../domain/secrets.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import type { ConnectedClusterPlace } from "../domain/names.js";
import { federatedCredentialName } from "../../domain/identity-names.js";
import { isPublicIssuer } from "../../domain/service-account-tokens.js";
import { Failure } from "../../errors/failure.js";
import type { Settings } from "../../settings/settings.js";
import { onlyInAzure } from "../../run/rights-settings.js";

/**
 * Whoever may write the cluster in Azure must not choose whose tokens its identity trusts.
 * @throws ARO-USAGE-001 if workload identity is chosen, but Entra cannot read the issuer, or if only Azure shows which issuer to trust
 */
export async function arcSecretsAccess(
  azure: Azure,
  { secretsIdentity, oidcIssuerUrl, workloadNamespace: namespace, serviceAccount }: Settings<"create arc secrets">,
  place: ConnectedClusterPlace,
  cluster: ConnectedCluster,
): Promise<ArcSecretsAccess> {
  if (secretsIdentity === "service-principal") return { kind: "service-principal" };
  const issuerUrl = oidcIssuerUrl ?? liveIssuer(cluster);
  if (issuerUrl !== undefined && isPublicIssuer(issuerUrl)) {
    const isGiven = oidcIssuerUrl !== undefined || (await trusts(azure, place, issuerUrl));
    if (!isGiven) throw onlyInAzure(`connected cluster ${place.name}`, { oidcIssuerUrl: issuerUrl }, "in no file");
    return { kind: "workload-identity", issuerUrl, namespace, serviceAccount };
  }
  if (secretsIdentity === undefined) return { kind: "service-principal" };
  throw new Failure("ARO-USAGE-001", "workload identity needs an issuer that Entra can read", {
    because: issuerUrl === undefined ? "the connected cluster has no issuer" : `the issuer of the connected cluster is ${issuerUrl}`,
    next: [
      "pass the public issuer of the cluster's tokens as --oidc-issuer-url",
      "or rerun create arc with --workload-identity, so that Azure publishes an issuer",
      "or use --secrets-identity service-principal",
    ],
  });
}

/** The issuer of the cluster's tokens, if Azure or the cluster's owner publishes it. */
function liveIssuer({ properties: { oidcIssuerProfile } }: ConnectedCluster): string | undefined {
  const { issuerUrl, selfHostedIssuerUrl } = oidcIssuerProfile ?? {};
  return [selfHostedIssuerUrl, issuerUrl].find((url) => url !== undefined && url !== "");
}

/** Only a flag begins the trust: somebody who connects another cluster under the same name chooses its issuer, also one that Azure publishes. */
async function trusts(azure: Azure, place: ConnectedClusterPlace, issuerUrl: string): Promise<boolean> {
  const name = arcIdentityName(place);
  const { federatedIdentityCredentials } = await azure.identities();
  const trusted = (await found(all(federatedIdentityCredentials.list(place.groupName, name)))) ?? [];
  return trusted.some((one) => one.name === federatedCredentialName(name) && one.issuer === issuerUrl);
}
