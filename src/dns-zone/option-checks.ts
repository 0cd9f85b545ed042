/** Checks of a public DNS zone and its ExternalDNS. */
import { clusterLabel } from "../domain/cluster-label.js";
import { isPublicIssuer } from "../domain/service-account-tokens.js";
import { takes } from "../settings/commands.js";
import type { SettingKey } from "../settings/settings.js";
import type { Check } from "../settings/option-check.js";

const ofWorkloadIdentity = [
  "oidcIssuerUrl",
  "managementClusterFile",
  "externalDnsNamespace",
  "externalDnsServiceAccount",
] as const satisfies readonly SettingKey[];

const checkDnsZone: Check = ({ command, values, given, problem }) => {
  if (!takes(command, "externalDnsIdentity")) return;
  const { externalDnsIdentity, oidcIssuerUrl, externalDnsNamespace, externalDnsServiceAccount, externalDnsCredentialsFile } = values;
  if (oidcIssuerUrl !== undefined && !isPublicIssuer(oidcIssuerUrl))
    problem("oidcIssuerUrl", `"${oidcIssuerUrl}" cannot be read by Entra: an issuer has a public hostname and HTTPS`);
  if (externalDnsNamespace !== undefined && !clusterLabel.test(externalDnsNamespace))
    problem("externalDnsNamespace", `"${externalDnsNamespace}" is not a namespace: use lowercase letters, digits and inner hyphens`);
  if (externalDnsServiceAccount !== undefined && !clusterLabel.test(externalDnsServiceAccount))
    problem(
      "externalDnsServiceAccount",
      `"${externalDnsServiceAccount}" is not a service account: use lowercase letters, digits and inner hyphens`,
    );
  if (externalDnsIdentity !== undefined && externalDnsIdentity !== "workload-identity") {
    for (const key of ofWorkloadIdentity)
      if (given(key)) problem(key, `cannot be combined with --external-dns-identity ${externalDnsIdentity}`);
  }
  if (externalDnsIdentity === "none" && externalDnsCredentialsFile !== undefined)
    problem("externalDnsCredentialsFile", "cannot be combined with --external-dns-identity none");
};

export const checks: readonly Check[] = [checkDnsZone];
